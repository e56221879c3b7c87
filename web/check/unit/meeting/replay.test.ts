// @vitest-environment node
// A meeting as it was: any place of its log, and in motion from there.
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Event } from "../../../app/src/api/schema";
import { applyAll } from "../../../app/src/meeting/fold";
import { ReplayStore } from "../../../app/src/meeting/replay";
import { httpApi } from "../../../app/src/meeting/source";
import { isInTranscript } from "../../../app/src/meeting/transcript-events";
import { blank, type View } from "../../../app/src/meeting/view";
import { nodeGet } from "./get";
import { goldens } from "./logs";
import { MeetingServer } from "./server";

const golden = goldens().find(({ name }) => name === "en/consensus.jsonl")?.events ?? [];
/** The same, one event a second and a long rest in between. */
const log = golden.map(
  (event): Event => ({ ...event, ts_ms: event.seq * 1_000 + (event.seq > 30 ? 3_600_000 : 0) }),
);
const told = log.filter(isInTranscript).map((event) => event.seq);
const undo: (() => unknown)[] = [];

afterEach(async () => {
  for (const one of undo.splice(0).reverse()) await one();
});

async function replay(of = log) {
  const server = new MeetingServer(of, of.length);
  const store = new ReplayStore("meeting", { api: httpApi({ base: await server.start(), get: nodeGet }) });
  undo.push(
    () => server.stop(),
    () => store.close(),
  );
  return { server, store };
}

function stoodAt(seq: number): Omit<View, "kept"> {
  const { kept: _, ...view } = applyAll(blank("meeting", { messages: 0 }), log.slice(0, seq));
  return view;
}

function expectAt(store: ReplayStore, seq: number): void {
  const { view, lines, position } = store.snapshot();
  expect(position).toBe(seq);
  const { kept: _, ...shown } = view ?? blank("none");
  expect(shown).toEqual(stoodAt(seq));
  expect(lines.map((line) => line.seq)).toEqual(told.filter((one) => one <= seq));
}

describe("a replay", () => {
  test("opens at the end, and shows any place", async () => {
    const { store } = await replay();
    await store.open();
    expect(store.snapshot()).toMatchObject({ status: "ready", last: log.length, connection: "over" });
    expectAt(store, log.length);
    for (const seq of [1, 17, 50, 90, log.length]) {
      await store.seek(seq);
      expectAt(store, seq);
    }
    await store.seek(100_000);
    expectAt(store, log.length);
    await store.seek(-3);
    expectAt(store, 1);
  });

  test("steps from line to line and back", async () => {
    const { store } = await replay();
    await store.open();
    await store.seek(1);
    const there: number[] = [];
    for (let count = 0; count < 12; count += 1) {
      await store.step(1);
      expectAt(store, store.snapshot().position);
      there.push(store.snapshot().position);
    }
    expect(there).toEqual(told.slice(0, 12));
    for (let count = 10; count >= 0; count -= 1) {
      await store.step(-1);
      expectAt(store, told[count] ?? 0);
    }
  });

  test("plays to the end, and says that it has", async () => {
    const { store } = await replay();
    await store.open();
    await store.seek(12);
    store.play(1_000_000);
    expect(store.snapshot()).toMatchObject({ playing: true, speed: 1_000_000 });
    await vi.waitUntil(() => !store.snapshot().playing, { timeout: 5_000, interval: 5 });
    expectAt(store, log.length);
  });

  test("a meeting that was held in no time is played line by line", async () => {
    const { store } = await replay(log.map((event): Event => ({ ...event, ts_ms: 1_000 })));
    await store.open();
    await store.seek(1);
    const began = Date.now();
    store.play(16);
    await vi.waitUntil(() => store.snapshot().lines.length >= 5, { timeout: 5_000, interval: 2 });
    // Five lines, each a sixteenth of 400 ms after the one before.
    expect(Date.now() - began).toBeGreaterThanOrEqual(110);
    store.pause();
  });

  test("plays at the recorded pace, many times as fast, and stops where it is told to", async () => {
    const { store } = await replay(log.map((event): Event => ({ ...event, ts_ms: event.seq * 20_000 })));
    await store.open();
    await store.seek(25);
    const began = Date.now();
    // Three silences of twenty seconds, two hundred times as fast: 3 × 100 ms.
    store.play(200);
    await vi.waitUntil(() => store.snapshot().position >= 28, { timeout: 5_000, interval: 2 });
    expect(Date.now() - began).toBeGreaterThanOrEqual(295);
    store.pause();
    const { position } = store.snapshot();
    await new Promise((done) => setTimeout(done, 220));
    expect(store.snapshot().position).toBe(position);
    expect(store.snapshot()).toMatchObject({ playing: false, nextAt: null });
  });

  test("four times as fast takes a quarter of the time, also while the page is busy", async () => {
    const { store } = await replay(log.map((event): Event => ({ ...event, ts_ms: event.seq * 400 })));
    await store.open();
    await store.seek(25);
    // The page is busy for 80 of every 130 ms.
    const busy = setInterval(() => {
      const until = Date.now() + 80;
      while (Date.now() < until);
    }, 130);
    const began = Date.now();
    store.play(4);
    await vi.waitUntil(() => store.snapshot().position >= 37, { timeout: 5_000, interval: 2 });
    clearInterval(busy);
    store.pause();
    // Twelve silences of 400 ms.
    expect(Date.now() - began).toBeGreaterThanOrEqual(1_190);
    expect(Date.now() - began).toBeLessThan(1_550);
  });

  test("waits no longer than a minute of the meeting, and not at all for whoever skips it", async () => {
    const { store } = await replay();
    await store.open();
    await store.seek(30);
    const began = Date.now();
    // An hour passed before the next event.
    store.play(600);
    await vi.waitUntil(() => store.snapshot().position >= 31, { timeout: 5_000, interval: 2 });
    expect(Date.now() - began).toBeGreaterThanOrEqual(95);
    expect(Date.now() - began).toBeLessThan(1_000);
    await store.seek(30);
    store.play(1);
    await vi.waitUntil(() => store.snapshot().nextAt !== null, { timeout: 5_000, interval: 2 });
    expect(store.snapshot().nextAt).toBeGreaterThan(Date.now() + 30_000);
    store.skipWait();
    store.pause();
    expectAt(store, 31);
  });

  test("asks for the next events once, however often a key is pressed meanwhile", async () => {
    const { server, store } = await replay();
    await store.open();
    await store.seek(12);
    server.asked = [];
    server.slowMs = 40;
    await Promise.all(Array.from({ length: 6 }, () => store.step(1)));
    expect(server.asked.filter((path) => path.includes("/log?after="))).toHaveLength(1);
  });

  test("asks for a view that events alone do not make, one request at a time", async () => {
    const strange = log.map(
      (event): Event => (event.seq < 13 ? event : ({ ...event, payload: null } as never)),
    );
    const { server, store } = await replay(strange);
    await store.open();
    await store.seek(12);
    server.asked = [];
    server.lateMs = 40;
    store.play(1_000_000);
    await vi.waitUntil(() => !store.snapshot().playing, { timeout: 5_000, interval: 5 });
    await new Promise((done) => setTimeout(done, 100));
    expect(server.asked.filter((path) => path.includes("?messages=0")).length).toBeLessThanOrEqual(2);
  });

  test("plays once however often it is told to, and stops while the next events are on their way", async () => {
    const { server, store } = await replay();
    await store.open();
    await store.seek(12);
    server.slowMs = 60;
    store.play(1);
    store.pause();
    store.play(10);
    store.play(10);
    await vi.waitUntil(() => store.snapshot().position >= 14, { timeout: 5_000, interval: 2 });
    store.pause();
    const { position } = store.snapshot();
    expect(position).toBe(14);
    await new Promise((done) => setTimeout(done, 250));
    expectAt(store, position);
  });

  test("does not go on from where it was when it is moved while it plays", async () => {
    const { store } = await replay();
    await store.open();
    await store.seek(12);
    store.play(100);
    await vi.waitUntil(() => store.snapshot().position > 14, { timeout: 5_000, interval: 2 });
    await store.seek(60);
    await new Promise((done) => setTimeout(done, 80));
    expectAt(store, 60);
  });

  test("told to play or to step while it is being moved, it does so from where it is moved to", async () => {
    const { server, store } = await replay();
    await store.open();
    await store.seek(90);
    server.lateMs = 60;
    // Of two moves the first one is overtaken: who made it plays on nevertheless.
    const overtaken = store.seek(60).then(() => store.play(100));
    const moved = store.seek(12);
    store.play(100);
    await Promise.all([overtaken, moved]);
    await vi.waitUntil(() => store.snapshot().position >= 16, { timeout: 5_000, interval: 2 });
    expect(store.snapshot().playing).toBe(true);
    store.pause();
    expectAt(store, store.snapshot().position);
    expect(store.snapshot().position).toBeLessThan(60);

    await store.seek(90);
    const back = store.seek(12);
    await Promise.all([store.step(1), back]);
    expectAt(store, told.find((seq) => seq > 12) ?? 0);
  });

  test("says what went wrong, and stays where it is", async () => {
    const { server, store } = await replay();
    await store.open();
    await store.seek(40);
    server.refuses = 503;
    await store.seek(60);
    expect(store.snapshot()).toMatchObject({ status: "ready", problem: { status: 503 }, position: 40 });
    server.refuses = null;
    await store.seek(60);
    expectAt(store, 60);
    expect(store.snapshot().problem).toBeNull();
  });

  test("of a meeting that is not there says so", async () => {
    const { server, store } = await replay();
    server.refuses = 404;
    await store.open();
    expect(store.snapshot().status).toBe("missing");
    server.refuses = null;
    store.retryNow();
    await vi.waitUntil(() => store.snapshot().status === "ready", { timeout: 5_000 });
  });
});
