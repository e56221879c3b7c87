// @vitest-environment node
// A meeting that goes on, with lines that are cut and slow: what is shown is whole, told once, and no more than may be seen.
import { describe, expect, test } from "vitest";
import { applyAll } from "../../../app/src/meeting/fold";
import { blank } from "../../../app/src/meeting/view";
import { golden, meeting, seqs, toldOf, undo, until } from "./store";

describe("a meeting that goes on", () => {
  test("is shown as it stands, and then as it happens, to its end", async () => {
    const { server, store } = await meeting(40);
    await store.open();
    expect(store.snapshot()).toMatchObject({ status: "ready", hasOlder: false, hasNewer: false });
    expect(seqs(store.snapshot())).toEqual(toldOf(golden.slice(0, 40)));
    await until(store, ({ connection }) => connection === "live");
    server.happen(20);
    await until(store, ({ view }) => view?.last_seq === 60);
    expect(seqs(store.snapshot())).toEqual(toldOf(golden.slice(0, 60)));
    server.happen(golden.length);
    const over = await until(store, ({ connection }) => connection === "over");
    expect(seqs(over)).toEqual(toldOf(golden));
    expect(over.view?.state).toBe("ended");
    await new Promise((done) => setTimeout(done, 50));
    expect(server.opened).toBe(1);
  });

  test.each(["cut", "half"] as const)("loses and doubles nothing when every frame is %s", async (fate) => {
    const { server, store } = await meeting(12);
    let frames = 0;
    // A frame that is torn in the middle is told again; every other one gets through.
    server.fate = () => (fate === "cut" || frames++ % 2 === 0 ? fate : "whole");
    await store.open();
    const step = setInterval(() => server.happen(3), 3);
    undo.push(() => clearInterval(step));
    const over = await until(store, ({ connection }) => connection === "over");
    expect(seqs(over)).toEqual(toldOf(golden));
    const whole = applyAll(blank("meeting", { messages: 0 }), golden);
    const { kept: _, ...shown } = over.view ?? whole;
    const { kept: __, ...wanted } = whole;
    expect(shown).toEqual(wanted);
    expect(server.opened).toBeGreaterThan(40);
  });

  test("with an event of a newer server asks for the view anew, and says that the page is old", async () => {
    const odd = golden.map((event) =>
      event.seq === 41 ? JSON.parse(JSON.stringify({ ...event, type: "of_tomorrow", payload: {} })) : event,
    );
    const { server, store } = await meeting(40, odd);
    // A stream tells only the types that were asked for.
    server.passes = (event) => event.seq === 41;
    await store.open();
    await until(store, ({ connection }) => connection === "live");
    expect(store.snapshot().outdated).toBe(false);
    const before = server.asked.filter((path) => !path.includes("/log")).length;
    server.happen(3);
    const shown = await until(store, ({ outdated, view }) => outdated && view?.kept.stale === false);
    expect(shown.view?.last_seq).toBe(43);
    expect(server.asked.filter((path) => !path.includes("/log")).length).toBeGreaterThan(before);
  });

  test("is whole when events come while its last lines are being fetched", async () => {
    const { server, store } = await meeting(30);
    server.slowMs = 120;
    const opening = store.open();
    await until(store, ({ connection }) => connection === "live");
    server.happen(30);
    await opening;
    const shown = await until(store, ({ view }) => view?.last_seq === 60);
    expect(seqs(shown)).toEqual(toldOf(golden.slice(0, 60)));
    expect(shown.fresh).toBe(0);
  });

  test("fetches what the line passes over", async () => {
    const { server, store } = await meeting(12);
    server.passes = (event) => event.seq % 5 === 0 || (event.seq > 40 && event.seq < 60);
    await store.open();
    await until(store, ({ connection }) => connection === "live");
    server.happen(golden.length);
    const over = await until(store, ({ connection }) => connection === "over");
    expect(seqs(over)).toEqual(toldOf(golden));
    expect(server.asked.filter((path) => path.includes("after=")).length).toBeGreaterThan(1);
  });

  test("keeps the identity of lines, and tells at most 25 times a second", async () => {
    const { server, store } = await meeting(20);
    await store.open();
    await until(store, ({ connection }) => connection === "live");
    const first = store.snapshot().lines[0];
    let told = 0;
    const count = () => {
      told += 1;
    };
    undo.push(store.subscribe(count));
    const began = Date.now();
    const step = setInterval(() => {
      server.happen(1);
      server.piece({
        task: "speak:r9t9",
        attempt: 1,
        participant: "p1",
        kind: "answer",
        offset: 0,
        end: 1,
        text: "a",
      });
    }, 2);
    await new Promise((done) => setTimeout(done, 600));
    clearInterval(step);
    expect(told).toBeGreaterThan(3);
    expect(told).toBeLessThanOrEqual((Date.now() - began) / 40 + 2);
    expect(store.snapshot().lines[0]).toBe(first);
  });

  test("shows an answer until its message stands, without a moment of neither", async () => {
    const call = golden.findIndex((event) => event.type === "agent_message");
    const message = golden[call];
    if (message?.type !== "agent_message") throw new Error("the golden meeting has a message");
    const { server, store } = await meeting(call - 1);
    await store.open();
    await until(store, ({ connection }) => connection === "live");
    const task = `speak:${message.payload.turn}`;
    const text = message.payload.message.content;
    const end = Buffer.byteLength(text);
    server.piece({
      task,
      turn: message.payload.turn,
      attempt: 1,
      participant: "p1",
      kind: "answer",
      offset: 0,
      end,
      text,
    });
    await until(store, ({ partials }) => partials.get(task)?.answer === text);
    const moments: boolean[] = [];
    const look = () => {
      const { lines, partials } = store.snapshot();
      moments.push(partials.has(task) || lines.some((line) => line.seq === message.seq));
    };
    undo.push(store.subscribe(look));
    // The call ends, and its message comes on its own only after a while.
    server.happen(1);
    await new Promise((done) => setTimeout(done, 150));
    server.happen(1);
    await until(store, ({ lines }) => lines.some((line) => line.seq === message.seq));
    expect(moments.length).toBeGreaterThan(0);
    expect(moments).not.toContain(false);
    expect(store.snapshot().partials.size).toBe(0);
  });
});

describe("what is withheld", () => {
  test("is asked for when it may be seen", async () => {
    const opens = golden.findIndex((event) => event.type === "ballot_opened");
    const closes = golden.findIndex((event) => event.type === "ballot_closed");
    const { server, store } = await meeting(opens);
    let open = true;
    server.withhold = (event) => {
      if (!open || (event.type !== "vote_cast" && event.type !== "vote_abstained")) return event;
      const { ballot, participant } = event.payload;
      return JSON.parse(JSON.stringify({ ...event, payload: { ballot, participant, withheld: true } }));
    };
    await store.open();
    await until(store, ({ connection }) => connection === "live");
    server.happen(closes - opens);
    const during = await until(store, ({ view }) => view?.last_seq === closes);
    const ballot = during.view?.ballots.at(-1);
    expect(ballot).toMatchObject({ withheld: true, cast: {}, state: "open" });
    expect(ballot?.cast_count).toBe(ballot?.voters.length);
    open = false;
    server.happen(1);
    const after = await until(store, ({ view }) => Object.keys(view?.ballots.at(-1)?.cast ?? {}).length > 0);
    expect(after.view?.ballots.at(-1)).toMatchObject({ withheld: false });
    expect(after.view?.kept.stale).toBe(false);
  });

  test("shows the answers of a blind round when it is over", async () => {
    const over = golden.findIndex((event) => event.type === "round_ended");
    const { server, store } = await meeting(over - 1);
    let open = true;
    server.withhold = (event) => {
      if (!open || event.type !== "agent_message") return event;
      const { stance: _, ...rest } = event.payload;
      const message = { ...rest.message, content: "…" };
      return { ...event, payload: { ...rest, message, withheld: true as const } };
    };
    await store.open();
    await until(store, ({ connection }) => connection === "live");
    const words = () =>
      store
        .snapshot()
        .lines.flatMap((one) => (one.type === "agent_message" ? [one.payload.message.content] : []));
    server.happen(1);
    await until(store, ({ view }) => view?.last_seq === over);
    expect(new Set(words())).toEqual(new Set(["…"]));
    const asked = server.asked.length;
    open = false;
    server.happen(1);
    await until(store, () => words().length > 0 && !words().includes("…"));
    expect(seqs(store.snapshot())).toEqual(toldOf(golden.slice(0, over + 1)));
    await until(store, ({ view }) => view?.kept.stale === false);
    expect(server.asked.length).toBe(asked + 2);
  });

  test("is not what somebody says in as few words", async () => {
    const over = golden.findIndex((event) => event.type === "round_ended");
    const { server, store } = await meeting(over - 1);
    server.withhold = (event) =>
      event.type === "agent_message"
        ? { ...event, payload: { ...event.payload, message: { ...event.payload.message, content: "…" } } }
        : event;
    await store.open();
    await until(store, ({ connection }) => connection === "live");
    server.happen(1);
    const said = await until(store, ({ view }) => view?.last_seq === over);
    expect(JSON.stringify(said.lines)).toContain('"content":"…"');
    const asked = server.asked.length;
    server.happen(1);
    await until(store, ({ view }) => view?.last_seq === over + 1);
    expect(server.asked.length).toBe(asked);
  });
});
