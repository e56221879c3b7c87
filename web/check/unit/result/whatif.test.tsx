// Other rules: asked about once the hand rests, with the last answer in sight meanwhile.

import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { queries } from "../../../app/src/api/queries";
import type { DecisionRules } from "../../../app/src/api/schema";
import { fetchForm } from "../../../app/src/features/create/initial-form";
import { ResultPlace } from "../../../app/src/features/result/place";
import { changesOf, DEBOUNCE_MS, WhatIf } from "../../../app/src/features/result/whatif";
import type { ServerView } from "../../../app/src/meeting/view";
import type { WhatIfResult } from "../../../app/src/meeting-form/copy-of-meeting";
import view from "../fixtures/view-consensus.json";
import asItWas from "../fixtures/what-if.json";
import at70 from "../fixtures/what-if-70.json";
import { OWNER } from "../people/page";
import { haveFormats } from "../served-formats";
import { at, server } from "./test-page";

const table: ServerView = JSON.parse(JSON.stringify(view));

beforeEach(haveFormats);
afterEach(() => vi.unstubAllGlobals());

async function shown(answer = (body: unknown): unknown => (JSON.stringify(body) === "{}" ? asItWas : at70)) {
  const asked = server(({ path, body }) => (path.endsWith("/me") ? OWNER : answer(body)));
  const { router, client } = await at("/m/x/result", "/m/$id/result", () => (
    <ResultPlace meeting="x" view={table}>
      <WhatIf id="x" view={table} />
    </ResultPlace>
  ));
  await screen.findByText(/拖动滑块/);
  // The way to another meeting asks who is here.
  const judged = () => asked.filter(({ path }) => path.endsWith("/what-if"));
  return Object.assign(judged, { router, client });
}

const rest = (ms: number) => act(() => new Promise<void>((done) => setTimeout(done, ms)));
const threshold = () => screen.getByRole("slider", { name: "平均分" });

test("many steps of a hand are one question, and the answer is said in words", async () => {
  const asked = await shown();
  for (const value of [78, 76, 74, 72, 70]) {
    fireEvent.change(threshold(), { target: { value: String(value) } });
  }
  expect(asked()).toHaveLength(1);
  await screen.findByText(/会更早结束：第 1 轮后 b1 就会通过/);
  expect(asked().map((one) => one.body)).toEqual([{}, { mean_score: 70 }]);
  // In the language of the page, whichever the meeting is held in.
  expect(asked().map((one) => one.query.get("lang"))).toEqual(["zh", "zh"]);
  expect(screen.getByText("更早结束")).toBeTruthy();
  expect(screen.getByText("当时是 80 分")).toBeTruthy();
});

test("the last answer stays while the next is on its way", async () => {
  let let_go: (value: unknown) => void = () => {};
  const held = new Promise((done) => {
    let_go = done;
  });
  await shown((body) =>
    JSON.stringify(body) === "{}" ? asItWas : JSON.stringify(body).includes("60") ? held : at70,
  );
  fireEvent.change(threshold(), { target: { value: "70" } });
  await screen.findByText(/b1 就会通过/);
  fireEvent.change(threshold(), { target: { value: "60" } });
  await rest(DEBOUNCE_MS + 60);
  expect(screen.getByText(/b1 就会通过/)).toBeTruthy();
  expect(document.querySelector("[aria-busy=true]")).not.toBeNull();
  await act(async () => let_go({ ...at70, course_text: "换了一个答案。" }));
  await screen.findByText("换了一个答案。");
});

test("leaving out a vote is asked about, and reset takes it back", async () => {
  const asked = await shown();
  fireEvent.click(screen.getByRole("switch", { name: "计入 何溪" }));
  await waitFor(() => expect(asked().at(-1)?.body).toEqual({ without: ["何溪"] }));
  fireEvent.click(screen.getByRole("button", { name: "恢复原样" }));
  await screen.findByText(/拖动滑块/);
});

test("a meeting is held again by the rules that were tried, without whose votes were left out", async () => {
  const { router, client } = await shown();
  fireEvent.change(threshold(), { target: { value: "70" } });
  fireEvent.click(screen.getByRole("switch", { name: "计入 何溪" }));
  await waitFor(() =>
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "照此再开一场" }).disabled).toBe(false),
  );
  fireEvent.click(screen.getByRole("button", { name: "照此再开一场" }));
  await waitFor(() => expect(router.state.location.href).toBe("/new?like=x"));
  const tried = client.getQueryData<WhatIfResult>(["meeting", "x", "tried"]);
  queries.setQueryData(["meeting", "m1", "tried"], tried);
  server(() => view);
  const form = await fetchForm({ like: "m1" });
  expect(form?.topic).toBe(table.topic);
  expect(form?.rules["decision.mean_score"]).toBe(70);
  expect(form?.seats.map((one) => one.name)).toEqual(
    table.participants.map((one) => one.participant.name).filter((name) => name !== "何溪"),
  );
  // Held again without having tried anything, it is as it was.
  expect((await fetchForm({ like: "m1" }))?.seats).toHaveLength(table.participants.length);
});

test("a meeting like another allows its tools, to those of their callers who are still there", async () => {
  const [first, second] = table.participants.map((one) => one.participant);
  const tools = [
    { name: "repo" },
    { name: "tracker", participants: [first?.id, second?.id, "p9"] },
    { name: "desk", participants: ["p9"] },
  ];
  server(() => ({ ...view, id: "m2", tools }));
  const form = await fetchForm({ like: "m2" });
  expect(form?.tools).toEqual([
    { name: "repo", participants: [] },
    { name: "tracker", participants: [first?.name, second?.name] },
  ]);
});

test("what decided it is told without any change", async () => {
  await shown();
  expect(screen.getByText("在 72 到 83 分之间，结局不变。")).toBeTruthy();
  expect(screen.getByText(/去掉任何一个人的票，结局都一样/)).toBeTruthy();
  expect(screen.getByRole("button", { name: /^通过线 84–100 分：都不通过$/ })).toBeTruthy();
});

test("what is as it was is no change", () => {
  const held: DecisionRules = JSON.parse(JSON.stringify(asItWas.rules_before));
  expect(changesOf({ mean_score: 80, quorum: 0.67, without: [] }, held)).toEqual({});
  expect(changesOf({ mean_score: 81, pass_ratio: 0.5, mode: "both" }, held)).toEqual({
    mean_score: 81,
    pass_ratio: 0.5,
    mode: "both",
  });
});
