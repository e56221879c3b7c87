// The phase of a meeting, the activities, and the next action, computed from golden views.

import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { mentionOf } from "../../../app/src/components/meeting-page/composer-input";
import { useMeetingActions } from "../../../app/src/components/meeting-page/start-pause-resume";
import { TableHeader } from "../../../app/src/features/header/header";
import { PhaseBar } from "../../../app/src/features/header/phase-bar";
import { marks, steps } from "../../../app/src/features/header/phases";
import { RoundNav } from "../../../app/src/features/header/round-navigation";
import { activityOf, inOrder } from "../../../app/src/features/participants/activity";
import type { View } from "../../../app/src/meeting/view";
import { at, golden, server } from "./at";

test("a format shows the steps that it has and no other", () => {
  expect(steps(golden("zh/consensus"))).toEqual([
    "blind",
    "discussion",
    "summary",
    "ballot",
    "facilitation",
    "conclusion",
  ]);
  expect(steps(golden("zh/room"))).toEqual(["discussion", "conclusion"]);
  expect(steps(golden("zh/decision"))[0]).toBe("preparation");
});

test("what lies between two rounds that are not summed up is no step of its own", () => {
  const between = { ...golden("zh/room"), state: "discussion" as const, step: "summary" as const };
  expect(marks(between)[0]).toEqual({ step: "discussion", when: "now" });
});

/** The state of each step after an event. */
const whens = (seq: number) =>
  Object.fromEntries(marks(golden("zh/consensus", seq)).map(({ step, when }) => [step, when]));

test("a step is ticked when this round went through it, not when one before it did", () => {
  // After the blind round; in the ballot of the first round; in the discussion, the summary and the ballot of the second.
  expect(whens(24)).toMatchObject({ blind: "been", discussion: "ahead", summary: "now", ballot: "ahead" });
  expect(whens(29)).toMatchObject({ blind: "been", discussion: "now", summary: "earlier", ballot: "ahead" });
  expect(whens(51)).toMatchObject({ discussion: "been", summary: "been", ballot: "now" });
  expect(whens(68)).toMatchObject({
    blind: "been",
    discussion: "now",
    summary: "earlier",
    ballot: "earlier",
    facilitation: "earlier",
    conclusion: "ahead",
  });
  expect(whens(85)).toMatchObject({ discussion: "been", summary: "now", ballot: "earlier" });
  expect(whens(90)).toMatchObject({ discussion: "been", summary: "been", ballot: "now" });
  expect(whens(107)).toMatchObject({ discussion: "been", ballot: "been", conclusion: "now" });
});

test("what an earlier round had is told as such", async () => {
  await at(golden("zh/consensus", 68), <PhaseBar />);
  const steps = screen.getAllByRole("listitem").map((item) => item.textContent);
  expect(steps).toContain("表决（前几轮有，本轮还没有）");
  expect(steps).toContain("盲答（已完成）");
});

test("at the end every step that was gone through is behind it", () => {
  expect(marks(golden("zh/consensus")).map((mark) => mark.when)).not.toContain("now");
  // What it never came to is not to come either.
  const [first] = golden("zh/consensus").ballots;
  const early = { ...golden("zh/consensus"), ballots: first ? [first] : [], summary: null };
  expect(new Set(marks(early).map((mark) => mark.when))).toEqual(new Set(["been"]));
  expect(marks(golden("zh/decision", 11))[0]).toEqual({ step: "preparation", when: "now" });
});

test("who has left is told last, and everybody stands in the order of the round", () => {
  const view = golden("zh/consensus");
  const order = inOrder(view).map((seat) => seat.participant.id);
  expect(order).toEqual(view.round?.order);
  const [first] = view.participants;
  if (first) {
    const gone = {
      ...view,
      participants: view.participants.map((seat) => (seat === first ? { ...seat, present: false } : seat)),
    };
    expect(inOrder(gone).at(-1)?.participant.id).toBe(first.participant.id);
    expect(activityOf(gone, { ...first, present: false }, new Set())).toEqual({ is: "left" });
  }
});

test("before the count a voter is not told who has voted, and no person is said to be asked who is not", () => {
  const view = golden("zh/consensus");
  const [model, somebody] = view.participants;
  const [last] = view.ballots.slice(-1);
  if (!model || !somebody || !last) {
    throw new Error("the golden meeting has seats and a ballot");
  }
  const runner = { kind: "external" as const, via: "person" as const, name: "guest:1" };
  const person = { ...somebody, participant: { ...somebody.participant, runner } };
  const open = { ...last, state: "open" as const, withheld: true, cast: {}, cast_count: 2 };
  const during = { ...view, ballots: [open], calls: {} };
  expect(activityOf(during, model, new Set())).toEqual({ is: "voting" });
  expect(activityOf(during, person, new Set())).toEqual({ is: "idle" });
  const call = Object.fromEntries([[`vote:${last.id}:${person.participant.id}`, {}]]);
  const asked = { ...during, calls: call } as unknown as typeof during;
  expect(activityOf(asked, person, new Set())).toEqual({ is: "asked" });
});

test("whoever has the floor thinks until words come, and a failure names its kind", () => {
  const view = golden("zh/consensus");
  const [seat] = view.participants;
  if (!seat || !view.round) {
    throw new Error("the golden meeting has seats and rounds");
  }
  const turn = {
    id: "r9t1",
    participant: seat.participant.id,
    seq: 1,
    can_skip: false,
    reason: { why: "rotation" as const },
    targets: [],
  };
  const runs = (state: "open" | { failed: "network" | "timed_out" } | "skipped") => ({
    ...view,
    state: "discussion" as const,
    step: "discussion" as const,
    round: {
      ...view.round,
      number: 9,
      ended_seq: null,
      kind: "serial" as const,
      order: [],
      focus: [],
      offered_again: 0,
      queue: [],
      turns: [{ ...turn, state }],
    },
  });
  expect(activityOf(runs("open"), seat, new Set())).toEqual({ is: "thinking" });
  expect(activityOf(runs("open"), seat, new Set(["speak:r9t1"]))).toEqual({ is: "speaking" });
  // The end stopped their answer, and they are not asked again.
  expect(activityOf({ ...runs("open"), step: "closing" }, seat, new Set())).toEqual({ is: "idle" });
  expect(activityOf(runs("skipped"), seat, new Set())).toEqual({ is: "skipped" });
  expect(activityOf(runs({ failed: "timed_out" }), seat, new Set())).toEqual({
    is: "timed_out",
    turn: "r9t1",
  });
  expect(activityOf(runs({ failed: "network" }), seat, new Set())).toEqual({
    is: "failed",
    turn: "r9t1",
    kind: "network",
  });
});

test("whoever has the floor while their provider cannot be reached waits for it, and does not think", () => {
  const view = golden("zh/consensus");
  const [seat] = view.participants;
  if (!seat || !view.round) {
    throw new Error("the golden meeting has seats and rounds");
  }
  const model = { kind: "model" as const, provider: "tea", model: "one" };
  const { id } = seat.participant;
  const asked = { ...seat, participant: { ...seat.participant, runner: model } };
  const turn = { id: "r9t1", participant: id, seq: 1, can_skip: false, targets: [], state: "open" as const };
  const turns = [{ ...turn, reason: { why: "rotation" as const } }];
  const at = "2026-11-22T04:05:00Z";
  const waits = (waiting_for: string[]) => ({
    ...view,
    state: "discussion" as const,
    round: { ...view.round, number: 9, ended_seq: null, queue: [], turns } as View["round"],
    ballots: [],
    provider_wait: {
      kind: "network" as const,
      waiting_for,
      next_try_at: at,
      started_at: at,
      tried_at: at,
      tries: 1,
    },
  });
  expect(activityOf(waits(["tea"]), asked, new Set())).toEqual({ is: "awaits", provider: "tea" });
  expect(activityOf(waits(["tea/one"]), asked, new Set())).toEqual({ is: "awaits", provider: "tea/one" });
  expect(activityOf(waits(["ink"]), asked, new Set())).toEqual({ is: "thinking" });
});

test("where a mention ends the round, those in the rotation are not numbered behind it", () => {
  const view = golden("zh/consensus");
  const [ada, ben, noor, zed] = view.participants.map((seat) => seat.participant.id);
  const rotation = { why: "rotation" as const };
  const mentioned = { why: "mentioned" as const, by: "m6" };
  const waits = (
    mention_ends_round: boolean,
    reason: typeof rotation | typeof mentioned,
    queue: unknown,
  ) => ({
    ...view,
    state: "discussion" as const,
    ballots: [],
    floor: [{ turn: "r9t1", participant: ada }],
    rules: { ...view.rules, turns: { ...view.rules.turns, mention_ends_round } },
    round: {
      ...view.round,
      ended_seq: null,
      queue,
      turns: [{ id: "r9t1", participant: ada, seq: 1, can_skip: false, reason, targets: [], state: "open" }],
    } as View["round"],
  });
  const shown = (now: object) =>
    [ben, noor, zed].map((id) => {
      const seat = view.participants.find((one) => one.participant.id === id);
      if (!seat) throw new Error("four seats");
      return activityOf(now as View, seat, new Set());
    });
  const queue = [
    [zed, mentioned],
    [ben, rotation],
    [noor, rotation],
  ];
  const next = { is: "queued", place: 1, after: ada };
  expect(shown(waits(true, rotation, queue))).toEqual([{ is: "next_round" }, { is: "next_round" }, next]);
  expect(shown(waits(false, rotation, queue))).toEqual([
    { is: "queued", place: 2, after: null },
    { is: "queued", place: 3, after: null },
    next,
  ]);
  // The one who was mentioned speaks already.
  const behind = [
    [ben, rotation],
    [noor, { why: "requested" }],
    [zed, rotation],
  ];
  expect(shown(waits(true, mentioned, behind))).toEqual([{ is: "next_round" }, next, { is: "next_round" }]);
  expect(shown(waits(true, rotation, behind))[2]).toEqual({ is: "queued", place: 3, after: null });
});

test("the rounds lead to where they began", async () => {
  const view = golden("zh/consensus");
  const { jump } = await at(view, <RoundNav />);
  await userEvent.click(screen.getByRole("button", { name: "上一轮" }));
  expect(jump).toHaveBeenCalledWith(view.rounds.at(-2)?.seq);
});

test("a meeting that is over offers its result", async () => {
  server(() => undefined);
  await at(golden("zh/consensus"), <TableHeader />);
  expect(screen.getByRole("button", { name: "查看结果" })).toBeTruthy();
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe(golden("zh/consensus").topic);
  vi.unstubAllGlobals();
});

test("a meeting that waits offers the questions", async () => {
  await at(golden("zh/decision", 11), <TableHeader />);
  expect(screen.getByRole("button", { name: "回答问题" })).toBeTruthy();
});

function Resume() {
  const { resume } = useMeetingActions();
  return (
    <button type="button" onClick={() => void resume()}>
      resume
    </button>
  );
}

test.each([
  ["a wait for a provider", { provider_wait: { waiting_for: ["tea"] } }, "现在再试一次。"],
  [
    "a pause that was asked for",
    { pause_requested_by: { kind: "person", id: "ada", name: "ada" } },
    "已取消暂停",
  ],
  ["a meeting that had stopped", {}, "会议继续"],
])("what a resume comes to is told: %s", async (_, more, said) => {
  server(() => undefined);
  await at({ ...golden("zh/consensus", 68), pause: null, ...more } as View, <Resume />);
  await userEvent.click(screen.getByRole("button", { name: "resume" }));
  expect(await screen.findByText(said)).toBeTruthy();
});

test("a guest who only reads is offered no action", async () => {
  await at(golden("zh/decision", 11), <TableHeader />, { may: { speak: false, manage: false } });
  expect(screen.queryByRole("button", { name: "回答问题" })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "更多操作" }));
  const items = (await screen.findAllByRole("menuitem")).map((item) => item.textContent);
  expect(items).toContain("导出");
  expect(items.join()).not.toMatch(/结束会议|删除|公告|邀请/);
});

test("names are mentioned as the server reads them", () => {
  expect(mentionOf("苏棠")).toBe("@苏棠 ");
  expect(mentionOf("Ada Lovelace")).toBe('@"Ada Lovelace" ');
});
