// @vitest-environment node
// The window on the lines of a meeting that goes on: moved to both ends, jumped, and never with a hole.
import { describe, expect, test } from "vitest";
import { golden, long, meeting, seqs, toldOf, until } from "./store";

describe("the window", () => {
  test("is moved page by page, without a hole, to both ends", async () => {
    const log = long(900);
    const { store } = await meeting(log.length, log);
    await store.open();
    const all = toldOf(log);
    expect(seqs(store.snapshot())).toEqual(all.slice(-200));
    while (store.snapshot().hasOlder) await store.older();
    expect(seqs(store.snapshot())).toEqual(all);
    await store.jump(all[300] ?? 0);
    expect(store.snapshot().lines.length).toBe(all.length);
  });

  test("jumps to an event, and what happens meanwhile waits at the end", async () => {
    const log = long(900);
    const { server, store } = await meeting(800, log);
    await store.open();
    await until(store, ({ connection }) => connection === "live");
    store.setAtEnd(false);
    await store.jump(300);
    const around = store.snapshot();
    expect(seqs(around)).toEqual(toldOf(log).filter((seq) => seq > 200 && seq <= 400));
    expect(around).toMatchObject({ hasOlder: true, hasNewer: true });
    server.happen(50);
    const later = await until(store, ({ view }) => view?.last_seq === 850);
    expect(later.lines).toBe(around.lines);
    expect(later.fresh).toBe(50);
    server.slowMs = 60;
    while (store.snapshot().hasNewer) {
      const fetched = store.newer();
      server.happen(10);
      await fetched;
    }
    const end = await until(store, ({ view }) => view?.last_seq === server.told);
    expect(seqs(end)).toEqual(toldOf(log.slice(0, server.told)).filter((seq) => seq > 200));
    await store.toEnd();
    expect(store.snapshot().fresh).toBe(0);
  });

  test("goes back to the end at once, also when lines come meanwhile", async () => {
    const log = long(900);
    const { server, store } = await meeting(800, log);
    await store.open();
    await store.jump(100);
    server.slowMs = 60;
    const gone = store.toEnd();
    server.happen(20);
    await gone;
    const end = await until(store, ({ lines }) => lines.at(-1)?.seq === 820);
    expect(seqs(end)).toEqual(toldOf(log.slice(0, 820)).filter((seq) => seq >= (end.lines[0]?.seq ?? 0)));
    expect(end).toMatchObject({ hasNewer: false, fresh: 0 });
  });

  test("keeps what came while older lines were being fetched", async () => {
    const log = long(900);
    const { server, store } = await meeting(800, log);
    await store.open();
    await until(store, ({ connection }) => connection === "live");
    server.slowMs = 100;
    const fetched = store.older();
    server.happen(30);
    await fetched;
    const shown = await until(store, ({ view }) => view?.last_seq === 830);
    expect(seqs(shown)).toEqual(toldOf(log.slice(0, 830)).slice(-430));
  });

  test("stays as it is when older lines cannot be fetched, and says why", async () => {
    const log = long(900);
    const { server, store } = await meeting(800, log);
    await store.open();
    const before = store.snapshot().lines;
    server.refuses = 503;
    await store.older();
    expect(store.snapshot()).toMatchObject({ status: "ready", fetching: null, problem: { status: 503 } });
    expect(store.snapshot().lines).toBe(before);
    server.refuses = null;
    await store.older();
    expect(store.snapshot()).toMatchObject({ problem: null });
    expect(store.snapshot().lines.length).toBe(400);
  });

  test("counts what comes while the reader is not at the end", async () => {
    const { server, store } = await meeting(20);
    await store.open();
    await until(store, ({ connection }) => connection === "live");
    store.setAtEnd(false);
    server.happen(40);
    const shown = await until(store, ({ view }) => view?.last_seq === 60);
    expect(shown.fresh).toBe(toldOf(golden.slice(20, 60)).length);
    store.setAtEnd(true);
    await until(store, ({ fresh }) => fresh === 0);
  });
});
