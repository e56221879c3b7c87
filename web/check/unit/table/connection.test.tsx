// The line to the server is lost: what is known is said, and nothing that is not; and what is true once it is back.

import { act, cleanup, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { learnClock, serverNow } from "../../../app/src/api/clock";
import type { Event } from "../../../app/src/api/schema";
import { pauseAfter, withoutWait } from "../../../app/src/components/meeting-page/provider-pause";
import { ConnectionBar } from "../../../app/src/features/header/connection-bar";
import { ProviderWait } from "../../../app/src/features/transcript/event-lines";
import { draw, type StillSource, standing } from "../transcript/table";
import { log } from "./at";

const events = log("zh/consensus");
const NOW = Date.UTC(2026, 10, 22, 4, 5, 9);

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ["Date", "setTimeout", "clearTimeout", "setInterval", "clearInterval"],
    now: NOW,
  });
});
afterEach(() => vi.useRealTimers());

const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms));
const said = () => screen.queryByRole("status")?.textContent ?? "";

/** A meeting whose line is lost after the 30th event. */
async function lost(): Promise<StillSource> {
  const source = standing(events.slice(0, 30));
  await draw(source, <ConnectionBar />);
  expect(said()).toBe("");
  source.put({ connection: "lost", since: NOW, nextTry: NOW + 4_000 });
  return source;
}

/** The line is back, with these events. */
function back(source: StillSource, all: readonly Event[]): void {
  const { view, lines } = standing(all).snapshot();
  source.put({ view, lines, connection: "live", nextTry: null });
  pass(1_000);
}

test("a lost line tells of the past, and when it is tried again", async () => {
  const source = await lost();
  expect(said()).toContain("在 12:05:09 中断");
  expect(said()).not.toContain("照常");
  expect(said()).toContain("4 秒后重试");
  pass(2_500);
  expect(said()).toContain("2 秒后重试");
  source.put({ nextTry: null });
  expect(said()).toContain("正在重试");
});

test("a line that is back tells what was missed, and then nothing", async () => {
  const source = await lost();
  const missed = events.slice(0, 60);
  back(source, missed);
  const { lines } = standing(missed).snapshot();
  expect(said()).toContain(`已补上 ${lines.filter((line) => line.seq > 30).length} 条新内容`);
  pass(7_000);
  expect(said()).toBe("");
});

test("a line that is back says when nothing happened, and when the server was restarted", async () => {
  const quiet = await lost();
  back(quiet, events.slice(0, 30));
  expect(said()).toContain("没有新内容");
  quiet.put({ connection: "lost" });
  const [first] = events;
  if (!first) throw new Error("the golden meeting has events");
  const recovered: Event = { ...first, seq: 31, type: "recovered", payload: {} };
  back(quiet, [...events.slice(0, 30), recovered]);
  expect(said()).toContain("重启过");
});

test("a meeting that waits for its provider says for which, until when, and can be tried now", async () => {
  const source = standing(events.slice(0, 30));
  await draw(source, <ConnectionBar />, { manages: true });
  const { view } = source.snapshot();
  if (!view) throw new Error("there is a view");
  const at = "2026-11-22T04:05:00Z";
  const provider_wait = {
    kind: "rate_limit" as const,
    waiting_for: ["mock"],
    next_try_at: "2026-11-22T04:06:00Z",
    started_at: at,
    tried_at: at,
    tries: 1,
  };
  source.put({ view: { ...view, provider_wait } });
  expect(said()).toContain("mock");
  expect(screen.getByRole("button", { name: "立即重试" })).toBeTruthy();
});

/** A meeting that waits for its provider after a failure, and the line about it. */
async function waitsAfter(detail: object) {
  const [first] = events;
  const payload = {
    waiting_for: ["mock"],
    kind: "rate_limit" as const,
    detail,
    hint: { text: "" },
    tries: 1,
    next_try_at: "2026-11-22T04:06:39Z",
    gives_up_at: "2026-11-22T05:06:00Z",
  };
  const started = { ...first, seq: 31, ts_ms: NOW, type: "provider_wait_started", payload } as Event;
  const lines = [...events.slice(0, 30), started];
  const source = standing(lines);
  await draw(
    source,
    <>
      <ConnectionBar />
      <div data-testid="line">
        <ProviderWait event={started as never} />
      </div>
    </>,
    { manages: true },
  );
  const { view } = source.snapshot();
  if (!view) throw new Error("there is a view");
  const at = "2026-11-22T04:05:00Z";
  const { kind, waiting_for, next_try_at } = payload;
  const wait = { kind, waiting_for, next_try_at, started_at: at, tried_at: at, tries: 1 };
  source.put({ view: { ...view, provider_wait: wait }, lines });
}

test("a provider that asked to wait is not tried before, and the wait is said in the bar alone", async () => {
  const failure = { code: "failure-answered", args: { provider: "mock", status: "429" } };
  await waitsAfter({ code: "failure-asks-to-wait", args: { failure, seconds: 90 } });
  expect(said()).toContain("mock 要求稍后再请求，众议将在 12:06:39 再试");
  expect(screen.queryByRole("button", { name: "立即重试" })).toBeNull();
  const line = screen.getByTestId("line").textContent;
  expect(line).toContain("mock 返回 429");
  expect(line).not.toContain("90");
});

test("when a provider may be tried is told by the server's clock, however far off that of the browser is", async () => {
  const failure = { code: "failure-answered", args: { provider: "mock", status: "429" } };
  const asksToWait = { code: "failure-asks-to-wait", args: { failure, seconds: 90 } };
  const closed = () => screen.queryByRole("button", { name: "立即重试" }) === null;
  const headers = { date: new Date(NOW).toUTCString(), "cache-control": "no-store" };
  for (const off of [-300_000, 300_000]) {
    vi.setSystemTime(NOW + off);
    learnClock(new Response(null, { headers }));
    await waitsAfter(asksToWait);
    expect(closed()).toBe(true);
    pass(89_000);
    expect(closed()).toBe(true);
    pass(3_000);
    expect(closed()).toBe(false);
    cleanup();
  }
  vi.setSystemTime(NOW);
  learnClock(new Response(null, { headers }));
});

test("a response that the browser kept tells no time", () => {
  const kept = { date: new Date(NOW - 86_400_000).toUTCString(), "cache-control": "private, immutable" };
  learnClock(new Response(null, { headers: kept }));
  expect(serverNow()).toBe(NOW);
});

test("that a provider rests is said of Quorate, and it can be tried all the same", async () => {
  await waitsAfter({ code: "failure-resting", args: { provider: "mock", failures: 5, seconds: 15 } });
  expect(said()).toContain("正在等待 mock，众议将在 12:06:39 再试");
  expect(said()).not.toMatch(/要求|不接受/);
  expect(screen.getByRole("button", { name: "立即重试" })).toBeTruthy();
});

test("a failure keeps what it says besides the wait", () => {
  const failure = { code: "failure-closed", args: { provider: "mock", seconds: 9 } };
  expect(withoutWait(failure)).toBeUndefined();
  const twice = { code: "failure-asked-times", args: { failure, times: 2 } };
  expect(pauseAfter(twice)).toEqual({ by: "provider", seconds: 9 });
  const resting = { code: "failure-resting", args: { provider: "mock", failures: 5, seconds: 15 } };
  expect(withoutWait(resting)).toBeUndefined();
  expect(pauseAfter(resting)).toEqual({ by: "quorate", seconds: 15 });
  expect(pauseAfter({ code: "failure-answered", args: {} })).toBeUndefined();
  expect(withoutWait({ text: "503" })).toEqual({ text: "503" });
});

test("a meeting that failed again and again says what helps, and can be tried once more", async () => {
  const source = standing(events.slice(0, 30));
  await draw(source, <ConnectionBar />, { manages: true });
  const journalProblem = {
    type: "#quarantined",
    title: "",
    status: 503,
    detail: "它一再出错",
    hint: "下载诊断",
  };
  source.put({ journalProblem });
  expect(said()).toContain("它一再出错");
  expect(screen.getByTestId("diagnostics")).toBeTruthy();
});

test("a page that is older than the server says so, and can be loaded anew", async () => {
  const source = standing(events.slice(0, 30));
  await draw(source, <ConnectionBar />);
  source.put({ outdated: true });
  pass(100);
  expect(screen.getByTestId("outdated")).toBeTruthy();
  expect(screen.getByRole("button")).toBeTruthy();
});
