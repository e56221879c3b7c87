// The line of a pause: who made it, or why the meeting does not go on.

import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { Actor } from "../../../app/src/api/schema";
import { usePauseText } from "../../../app/src/features/questions/pause-text";
import { Finished } from "../../../app/src/features/transcript/conclusion";
import { Pause, Resume } from "../../../app/src/features/transcript/pause";
import { at, golden, log } from "../table/at";

afterEach(cleanup);

const found = log("zh/decision").find((event) => event.type === "pause");
if (found?.type !== "pause") {
  throw new Error("the golden meeting has a pause");
}
const PAUSE = found;

/** A pause by hand, as the transcript tells it. */
async function told(by: Actor, cause = "pause"): Promise<string> {
  const payload = { ...PAUSE.payload, pause_reason: "user_request" as const, questions: [], by };
  await at(golden("zh/decision"), <Pause event={{ ...PAUSE, cause, payload }} />);
  const text = screen.getByRole("paragraph").textContent ?? "";
  cleanup();
  return text;
}

test("a pause by hand is told with who made it, and that of a fork with why it is there", async () => {
  const ada = { kind: "person", id: "ada", name: "ada" } as const;
  expect(await told(ada)).toBe("你暂停了会议");
  expect(await told({ kind: "person", id: "ben", name: "ben" })).toBe("ben暂停了会议");
  expect(await told(ada, "fork")).toContain("分叉");
  expect(await told(ada, "import")).toContain("导入");
});

test("who answers that the meeting is to end resumes nothing, and stands in its last line", async () => {
  const resumed = log("zh/decision").find((event) => event.type === "resume");
  const finished = log("zh/decision").find((event) => event.type === "finished");
  if (resumed?.type !== "resume" || finished?.type !== "finished") {
    throw new Error("the golden meeting goes on and ends");
  }
  const by = { kind: "person", id: "ben", name: "ben" } as const;
  const view = { ...golden("zh/decision"), ended_by: { by, note: "", seq: 1 } };
  const end = { ...resumed.payload, by, answers: { next: "end" } };
  const last = { ...finished.payload, outcome: "completed" as const, rounds: 3 };
  await at(
    view,
    <>
      <Resume event={{ ...resumed, payload: end }} />
      <Finished event={{ ...finished, payload: last }} />
    </>,
  );
  expect(screen.getByText("ben回答了问题")).toBeTruthy();
  expect(screen.queryByText(/继续/)).toBeNull();
  expect(screen.getByText(/由 ben 结束/)).toBeTruthy();
});

test("that answers can stay empty is not said of those that are required", async () => {
  const asked = (required: boolean) => ({
    resume_token: "r",
    paused_at: "2026-01-01T00:00:00Z",
    reason: "missing_info" as const,
    suggested_next: "answer_questions" as const,
    questions: [
      { key: "q1", ask: { text: "?" }, why: { text: "" }, required, kind: { kind: "text" as const } },
    ],
  });
  function Text({ required }: { required: boolean }) {
    return usePauseText(asked(required)).text;
  }
  await at(
    golden("zh/decision"),
    <>
      <output>{<Text required />}</output>
      <output>{<Text required={false} />}</output>
    </>,
  );
  const [strict, free] = screen.getAllByRole("status").map((one) => one.textContent);
  expect(strict).toContain("必填");
  expect(free).toContain("不知道的可以留空");
});
