// How long a participant has been thinking: in a replay by the replay's time, live by the clock, in the
// page's language.

import { act, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { learnClock } from "../../../app/src/api/clock";
import type { Event } from "../../../app/src/api/schema";
import { activityOf } from "../../../app/src/features/participants/activity";
import { Speaking } from "../../../app/src/features/transcript/in-progress";
import { setLanguage } from "../../../app/src/i18n";
import { applyAll } from "../../../app/src/meeting/fold";
import { ReplayStore } from "../../../app/src/meeting/replay";
import type { MeetingApi } from "../../../app/src/meeting/source";
import { blank } from "../../../app/src/meeting/view";
import { goldens } from "../meeting/logs";
import { draw, standing } from "./table";

const log = goldens().find(({ name }) => name === "zh/consensus.jsonl")?.events ?? [];
/** A participant is asked; the call began 12 seconds before the event after it. */
const asked = log.findIndex(
  (event) => event.type === "call_started" && event.payload.task.startsWith("speak:"),
);
const call = log[asked];
const since = 1_000_000;
const timed: Event[] = log
  .slice(0, asked + 2)
  .map((event, place) => ({ ...event, ts_ms: place > asked ? since + 12_000 : since }));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"], now: since + 30_000 });
});
afterEach(async () => {
  vi.useRealTimers();
  await setLanguage("zh-CN");
});

function speaking() {
  if (call?.type !== "call_started") throw new Error("the golden meeting has a call");
  return <Speaking turn={call.payload.task.slice("speak:".length)} participant="p1" rowKey="row" />;
}

/** A replay that stands after the last of these events. */
async function replay(): Promise<ReplayStore> {
  const api: MeetingApi = {
    view: async (_, at) => applyAll(blank("meeting", { messages: 0 }), timed.slice(0, at ?? timed.length)),
    log: async () => ({ events: [], more: false }),
  };
  const store = new ReplayStore("meeting", { api });
  await store.open();
  return store;
}

test("in a replay, the time that passes for the reader is not that of the meeting", async () => {
  await draw(await replay(), speaking());
  expect(screen.getByText("已思考 12 秒")).toBeTruthy();
  act(() => void vi.advanceTimersByTime(60_000));
  expect(screen.getByText("已思考 12 秒")).toBeTruthy();
});

test("live, it goes on, and stands still while the line is down", async () => {
  const source = standing(timed);
  await draw(source, speaking());
  expect(screen.getByText("已思考 30 秒")).toBeTruthy();
  act(() => void vi.advanceTimersByTime(5_000));
  expect(screen.getByText("已思考 35 秒")).toBeTruthy();
  source.put({ connection: "lost", since: since + 36_000 });
  act(() => void vi.advanceTimersByTime(20_000));
  expect(screen.getByText("已思考 36 秒")).toBeTruthy();
});

test("English has its own seconds", async () => {
  await setLanguage("en");
  await draw(standing(timed), speaking());
  expect(screen.getByText(/30 s$/)).toBeTruthy();
});

test("a browser whose clock is off counts by the server's", async () => {
  const tells = (now: number) =>
    learnClock(
      new Response(null, { headers: { date: new Date(now).toUTCString(), "cache-control": "no-store" } }),
    );
  vi.setSystemTime(since + 30_000 - 600_000);
  tells(since + 30_000);
  await draw(standing(timed), speaking());
  expect(screen.getByText("已思考 30 秒")).toBeTruthy();
  vi.setSystemTime(since + 30_000);
  tells(since + 30_000);
});

test("a call that its provider has refused for a while waits, and does not think", async () => {
  const refused = {
    ...call,
    seq: timed.length,
    ts_ms: since + 25_000,
    type: "call_retried",
    payload: {
      task: call?.type === "call_started" ? call.payload.task : "",
      attempt: 1,
      request: 1,
      kind: "rate_limit",
      detail: { text: "429" },
      usage: { input_tokens: 0, output_tokens: 0 },
      wait_ms: 20_000,
    },
  } as Event;
  const events = [...timed.slice(0, asked + 1), refused];
  const source = standing(events);
  const { view } = source.snapshot();
  const [seat] = view?.participants ?? [];
  if (!view || !seat) throw new Error("the golden meeting has seats");
  expect(activityOf(view, seat, new Set())).toEqual({
    is: "retries",
    kind: "rate_limit",
    at: since + 45_000,
  });
  await draw(source, speaking());
  expect(screen.getByText(/^请求过于频繁，\d\d:\d\d:\d\d 重试$/)).toBeTruthy();
  expect(screen.queryByText(/思考/)).toBeNull();
  // The next request is made then.
  act(() => void vi.advanceTimersByTime(16_000));
  expect(screen.getByText("已思考 46 秒")).toBeTruthy();
  // A pause that is over in a moment is not told of.
  const short = { ...refused, payload: { ...refused.payload, wait_ms: 400 } } as Event;
  const { view: unmoved } = standing([...events.slice(0, -1), short]).snapshot();
  expect(unmoved && activityOf(unmoved, seat, new Set())).toEqual({ is: "thinking" });
});

test.each([
  ["ada", /^等待你作答$/],
  ["wang", /^等待.+作答，已 30 秒$/],
])(
  "a person who is asked, %s, reads of themselves as you, and others of them by name",
  async (name, said) => {
    const source = standing(timed);
    const { view } = source.snapshot();
    const runner = { kind: "external" as const, via: "person" as const, name };
    const participants = view?.participants.map((seat) =>
      seat.participant.id === "p1" ? { ...seat, participant: { ...seat.participant, runner } } : seat,
    );
    source.put({ view: view && { ...view, participants: participants ?? [] } });
    await draw(source, speaking(), { manages: true });
    expect(screen.getByText(said)).toBeTruthy();
  },
);
