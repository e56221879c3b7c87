// @vitest-environment node
// The line to the server: refused, lost, silent, let go, and found again.
import { describe, expect, test, vi } from "vitest";
import { httpApi } from "../../../app/src/meeting/source";
import { MeetingStore } from "../../../app/src/meeting/store";
import { nodeGet } from "./get";
import { MeetingServer } from "./server";
import { golden, long, meeting, seqs, toldOf, undo, until } from "./store";

describe("the line", () => {
  test.each([
    [401, "sign-in", "signed_out"],
    [404, "not-found", "missing"],
    [403, "locked", "locked"],
    [403, "forbidden", "failed"],
    [500, "bug", "failed"],
  ] as const)(
    "that is refused with %i %s is %s, and open again when it is not",
    async (status, sort, shown) => {
      const { server, store } = await meeting(30);
      server.refuses = status;
      server.sort = sort;
      await store.open();
      expect(store.snapshot()).toMatchObject({ status: shown, problem: { status } });
      server.refuses = null;
      store.retryNow();
      await until(store, (now) => now.status === "ready" && now.connection === "live");
      expect(store.snapshot().problem).toBeNull();
    },
  );

  test("says that it is lost, since when, and comes back with what was missed", async () => {
    const { server, store } = await meeting(30, golden, { random: () => 0 });
    await store.open();
    await until(store, ({ connection }) => connection === "live");
    server.refuses = 503;
    const cut = Date.now();
    server.cut();
    const lost = await until(store, ({ connection }) => connection === "lost");
    expect(lost.since).toBeGreaterThanOrEqual(cut);
    expect(lost.status).toBe("ready");
    server.happen(20);
    await new Promise((done) => setTimeout(done, 100));
    expect(store.snapshot().connection).toBe("lost");
    server.refuses = null;
    store.retryNow();
    await until(store, ({ connection, view }) => connection === "live" && view?.last_seq === 50);
    expect(seqs(store.snapshot())).toEqual(toldOf(golden.slice(0, 50)));
  });

  test("comes back by itself after a refusal", async () => {
    const { server, store } = await meeting(30, golden, { random: () => 0 });
    await store.open();
    await until(store, ({ connection }) => connection === "live");
    server.refuses = 503;
    server.cut();
    await until(store, ({ connection }) => connection === "lost");
    server.refuses = null;
    await until(store, ({ connection }) => connection === "live");
  });

  test("ends with the session", async () => {
    const { server, store } = await meeting(30);
    await store.open();
    await until(store, ({ connection }) => connection === "live");
    server.refuses = 401;
    server.cut();
    await until(store, ({ connection }) => connection === "lost");
    store.retryNow();
    const out = await until(store, ({ status }) => status === "signed_out");
    expect(out.view?.last_seq).toBe(30);
  });

  test("is not opened for a meeting that is over", async () => {
    const { server, store } = await meeting(golden.length);
    await store.open();
    expect(store.snapshot()).toMatchObject({ status: "ready", connection: "over" });
    expect(server.opened).toBe(0);
    expect(seqs(store.snapshot())).toEqual(toldOf(golden));
  });

  test("is let go while nobody looks, and taken up where it was", async () => {
    const page = Object.assign(new EventTarget(), { visibilityState: "visible" });
    vi.stubGlobal("document", page);
    const network = new EventTarget();
    vi.stubGlobal("addEventListener", network.addEventListener.bind(network));
    vi.stubGlobal("removeEventListener", network.removeEventListener.bind(network));
    const { server, store } = await meeting(30);
    await store.open();
    await until(store, ({ connection }) => connection === "live");
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    page.visibilityState = "hidden";
    page.dispatchEvent(new Event("visibilitychange"));
    vi.advanceTimersByTime(29_000);
    expect(store.snapshot().connection).toBe("live");
    vi.advanceTimersByTime(2_000);
    vi.useRealTimers();
    await until(store, ({ connection }) => connection === "paused");
    server.happen(25);
    page.visibilityState = "visible";
    page.dispatchEvent(new Event("visibilitychange"));
    await until(store, ({ connection, view }) => connection === "live" && view?.last_seq === 55);
    expect(seqs(store.snapshot())).toEqual(toldOf(golden.slice(0, 55)));
    network.dispatchEvent(new Event("offline"));
    await until(store, ({ connection }) => connection === "lost");
    network.dispatchEvent(new Event("online"));
    await until(store, ({ connection }) => connection === "live");
  });

  test("says when it is tried again, and nothing of that while it is being tried", async () => {
    const { server, store } = await meeting(30, golden, { random: () => 0, now: () => 5_000 });
    await store.open();
    await until(store, ({ connection }) => connection === "live");
    expect(store.snapshot().nextTry).toBeNull();
    server.refuses = 503;
    server.cut();
    await until(store, ({ nextTry }) => nextTry === 6_000);
    server.lateMs = 200;
    store.retryNow();
    await until(store, ({ connection, nextTry }) => connection === "lost" && nextTry === null);
    server.refuses = null;
    await until(store, ({ connection, nextTry }) => connection === "live" && nextTry === null);
  });

  test("leaves no hole when very much was missed while the first lines were being fetched", async () => {
    const log = long(3_000);
    const { server, store } = await meeting(100, log, { random: () => 0 });
    server.slowMs = 400;
    const opening = store.open();
    await until(store, ({ connection }) => connection === "live");
    server.refuses = 503;
    server.cut();
    await until(store, ({ connection }) => connection === "lost");
    server.happen(2_500);
    server.refuses = null;
    store.retryNow();
    await opening;
    server.slowMs = 0;
    await until(store, ({ connection, view }) => connection === "live" && view?.last_seq === 2_600);
    while (store.snapshot().hasNewer) await store.newer();
    while (store.snapshot().hasOlder) await store.older();
    server.happen(10);
    const shown = await until(store, ({ lines }) => lines.at(-1)?.seq === 2_610);
    expect(seqs(shown)).toEqual(toldOf(log.slice(0, 2_610)));
  });

  test("loses and doubles nothing of 2,500 events for a reader who is not at the end", async () => {
    const log = long(3_000);
    const { server, store } = await meeting(100, log, { random: () => 0 });
    await store.open();
    await until(store, ({ connection }) => connection === "live");
    store.setAtEnd(false);
    server.refuses = 503;
    server.cut();
    await until(store, ({ connection }) => connection === "lost");
    server.happen(2_500);
    server.refuses = null;
    store.retryNow();
    await until(store, ({ connection, hasNewer }) => connection === "live" && hasNewer);
    while (store.snapshot().hasNewer) await store.newer();
    expect(seqs(store.snapshot())).toEqual(toldOf(log.slice(0, 2_600)));
  });

  test("that passes over 2,500 events has them fetched page by page", async () => {
    const log = long(3_000);
    const { server, store } = await meeting(100, log);
    server.passes = (event) => event.seq > 100 && event.seq <= 2_600;
    await store.open();
    await until(store, ({ connection }) => connection === "live");
    server.happen(2_501);
    const shown = await until(store, ({ view }) => view?.last_seq === 2_601);
    expect(seqs(shown)).toEqual(toldOf(log.slice(0, 2_601)));
    expect(server.asked.filter((path) => path.includes("limit=1000")).length).toBe(3);
  });

  test("begins again from the view when very much was missed", async () => {
    const log = long(3_000);
    const { server, store } = await meeting(100, log, { random: () => 0 });
    await store.open();
    await until(store, ({ connection }) => connection === "live");
    server.refuses = 503;
    server.cut();
    await until(store, ({ connection }) => connection === "lost");
    server.happen(2_500);
    server.refuses = null;
    store.retryNow();
    const shown = await until(
      store,
      ({ connection, hasNewer, fetching }) => connection === "live" && !hasNewer && !fetching,
    );
    expect(seqs(shown)).toEqual(toldOf(log.slice(0, 2_600)).slice(-200));
    server.happen(10);
    const later = await until(store, ({ view }) => view?.last_seq === 2_610);
    expect(seqs(later)).toEqual(toldOf(log.slice(0, 2_610)).slice(-210));
  });

  test("can be closed and opened again", async () => {
    const { server, store } = await meeting(30);
    const first = store.open();
    store.close();
    await store.open();
    await first;
    await until(store, ({ connection }) => connection === "live");
    store.close();
    server.happen(10);
    await store.open();
    expect(seqs(store.snapshot())).toEqual(toldOf(golden.slice(0, 40)));
    expect(store.snapshot().view?.last_seq).toBe(40);
  });
});

describe("a line that dies without a word", () => {
  /** A line that says nothing and stays open, as one behind a proxy whose server is gone. */
  async function silent(told: number) {
    const server = new MeetingServer(golden, told);
    const base = await server.start();
    const lines: EventTarget[] = [];
    const events = () => {
      const line = Object.assign(new EventTarget(), { readyState: 1, close: () => {} });
      lines.push(line);
      return line;
    };
    const store = new MeetingStore("meeting", { api: httpApi({ base, get: nodeGet }), events, base });
    undo.push(
      () => server.stop(),
      () => store.close(),
    );
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    undo.push(() => vi.useRealTimers());
    await store.open();
    lines[0]?.dispatchEvent(new globalThis.Event("open"));
    vi.advanceTimersByTime(50);
    return { server, store, lines };
  }

  test("is opened again when something has happened that it did not tell", async () => {
    const { server, store, lines } = await silent(30);
    expect(store.snapshot().connection).toBe("live");
    server.told = 40;
    vi.advanceTimersByTime(41_000);
    await vi.waitUntil(() => lines.length === 2, { timeout: 3_000 });
    vi.advanceTimersByTime(50);
    expect(store.snapshot().connection).toBe("lost");
  });

  test("is said to be lost when the server cannot be reached", async () => {
    const { server, store, lines } = await silent(30);
    await server.stop();
    undo.splice(0, 1);
    vi.advanceTimersByTime(41_000);
    await vi.waitUntil(
      () => {
        vi.advanceTimersByTime(50);
        return store.snapshot().connection === "lost";
      },
      { timeout: 3_000 },
    );
    expect(lines.length).toBe(1);
  });

  test("is left as it is when there was nothing to tell", async () => {
    const { server, store, lines } = await silent(30);
    const asked = server.asked.length;
    vi.advanceTimersByTime(41_000);
    await vi.waitUntil(() => server.asked.length > asked, { timeout: 3_000 });
    await new Promise((done) => setImmediate(done));
    expect(store.snapshot().connection).toBe("live");
    expect(lines.length).toBe(1);
  });
});
