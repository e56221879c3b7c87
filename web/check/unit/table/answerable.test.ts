// The questions of a pause that a user is asked.

import { expect, test } from "vitest";
import type { MeetingPause } from "../../../app/src/api/schema";
import { answerable } from "../../../app/src/features/questions/answers";

const pause = (reason: MeetingPause["reason"]): MeetingPause => ({
  reason,
  questions: ["topic", "goal", "more"].map((key) => ({
    key,
    ask: { text: key },
    kind: { kind: "text" },
    required: true,
  })),
  resume_token: "t",
  paused_at: "2026-03-01T08:30:00.000Z",
  suggested_next: "answer_questions",
});
const keys = (reason: MeetingPause["reason"], manages: boolean) =>
  answerable(pause(reason), manages).map(({ key }) => key);

test("before a round, the topic is asked only of those who may change it", () => {
  expect(keys("check_in", true)).toEqual(["topic", "goal", "more"]);
  expect(keys("check_in", false)).toEqual(["goal", "more"]);
});

test("a question of another pause that has the same key is asked of everybody", () => {
  expect(keys("missing_info", false)).toEqual(["topic", "goal", "more"]);
});
