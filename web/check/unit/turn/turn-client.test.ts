// Turns: waited for, answered, asked for once more, over, and the server away.

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ProblemError } from "../../../app/src/api/client";
import { aheadOf } from "../../../app/src/api/clock";
import type { OpenTurn, TurnReceipt } from "../../../app/src/api/schema";
import { type Answer, TurnClient, type TurnsApi } from "../../../app/src/features/turn/turn-client";

function turn(ticket: string, change: Partial<OpenTurn> = {}): OpenTurn {
  return {
    ticket,
    meeting: "m",
    participant: "Lin",
    role: "",
    kind: "speak",
    round: 1,
    instructions: "",
    messages: [],
    targets: [],
    focus: [],
    draft: null,
    answer_schema: null,
    can_skip: true,
    problem: null,
    offered_at: "2026-01-01T00:00:00Z",
    deadline_at: "2026-01-01T00:03:00Z",
    ...change,
  };
}

const TAKEN: TurnReceipt = { meeting: "m", seq: 9, asked_again: false, problem: null };
const problem = (status: number, sort: string) =>
  new ProblemError({ type: `/api/v1/problems#${sort}`, title: sort, status, detail: sort });

/** A server whose turns a test lays down. */
class Server implements TurnsApi {
  turns: OpenTurn[] = [];
  fails: Error | null = null;
  refuses: Error | null = null;
  asked: number[] = [];
  handed: [string, Answer | "skip"][] = [];
  receipt = TAKEN;
  #waiting: (() => void)[] = [];

  async open(wait: number, signal: AbortSignal) {
    this.asked.push(wait);
    if (this.fails) throw this.fails;
    if (this.turns.length === 0 && wait > 0) {
      await new Promise<void>((done) => {
        this.#waiting.push(done);
        setTimeout(done, wait * 1_000);
        signal.addEventListener("abort", () => done());
      });
    }
    return { turns: this.turns, ahead: 0 };
  }

  /** From now on these wait. */
  put(...turns: OpenTurn[]) {
    this.turns = turns;
    for (const done of this.#waiting.splice(0)) done();
  }

  async answer(ticket: string, answer: Answer) {
    this.handed.push([ticket, answer]);
    return this.#receive();
  }

  async skip(ticket: string) {
    this.handed.push([ticket, "skip"]);
    return this.#receive();
  }

  #receive(): TurnReceipt {
    if (this.refuses) throw this.refuses;
    return this.receipt;
  }
}

let server: Server;
let desk: TurnClient;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse("2026-01-01T00:00:00Z") });
  server = new Server();
  desk = new TurnClient(server);
});
afterEach(() => {
  desk.stop();
  vi.useRealTimers();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe("a turn", () => {
  test("is waited for with one long request after another", async () => {
    desk.start();
    await pass(60_000);
    expect(server.asked).toEqual([25, 25, 25]);
    server.put(turn("t1"));
    await pass(0);
    expect(desk.standing()).toMatchObject({
      turn: { ticket: "t1" },
      until: Date.parse("2026-01-01T00:03:00Z"),
    });
  });

  test("is answered once, and the next is waited for", async () => {
    server.put(turn("t1", { kind: "vote" }));
    desk.start();
    await pass(0);
    const first = desk.answer("t1", { text: "yes" });
    expect(desk.standing().sending).toBe(true);
    expect(await desk.answer("t1", { text: "twice" })).toBe(false);
    expect(await first).toBe(true);
    expect(server.handed).toEqual([["t1", { text: "yes" }]]);
    expect(desk.standing()).toMatchObject({ turn: null, sending: false, taken: "vote", missed: null });
    // An answer of the server that is older than the one of the person opens nothing again.
    await pass(0);
    expect(desk.standing().turn).toBeNull();
    server.put(turn("t2"));
    await pass(2_000);
    expect(desk.standing()).toMatchObject({ turn: { ticket: "t2" }, taken: null });
  });

  test("is skipped", async () => {
    server.put(turn("t1"));
    desk.start();
    await pass(0);
    expect(await desk.skip("t1")).toBe(true);
    expect(server.handed).toEqual([["t1", "skip"]]);
    expect(desk.standing()).toMatchObject({ turn: null, taken: "skipped" });
  });

  test("is asked for once more when its answer cannot be read", async () => {
    server.put(turn("t1", { kind: "vote" }));
    desk.start();
    await pass(0);
    server.receipt = { ...TAKEN, asked_again: true, problem: "no score" };
    expect(await desk.answer("t1", { text: "?" })).toBe(false);
    server.put(turn("t2", { kind: "vote", problem: "no score" }));
    await pass(2_000);
    expect(desk.standing()).toMatchObject({
      turn: { ticket: "t2", problem: "no score" },
      again: "t1",
      missed: null,
    });
  });
});

test("a time in whole seconds makes no clock wrong, and a wrong clock is corrected", () => {
  expect([0, 400, 1_000].map(aheadOf)).toEqual([0, 0, 0]);
  expect([-3_500, 61_000].map(aheadOf)).toEqual([-4_000, 60_500]);
});

describe("an answer from elsewhere", () => {
  test("that could not be read lets the same be asked for once more, with what was written here", async () => {
    server.put(turn("t1", { kind: "blind" }));
    desk.start();
    await pass(0);
    server.put(turn("t2", { kind: "blind", problem: "no position" }));
    await pass(6_000);
    expect(desk.standing()).toMatchObject({ turn: { ticket: "t2" }, again: "t1", missed: null });
  });
});

describe("a turn that is over", () => {
  test("is told when its answer comes too late", async () => {
    server.put(turn("t1"));
    desk.start();
    await pass(0);
    server.put();
    server.refuses = problem(409, "turn-is-over");
    expect(await desk.answer("t1", { text: "late" })).toBe(false);
    expect(desk.standing()).toMatchObject({
      turn: null,
      missed: { ticket: "t1" },
      refused: null,
      taken: null,
    });
    desk.dismiss();
    expect(desk.standing().missed).toBeNull();
  });

  test("is noticed while it is written, and the next one is shown", async () => {
    server.put(turn("t1"));
    desk.start();
    await pass(0);
    server.put(turn("t2"));
    await pass(6_000);
    expect(desk.standing()).toMatchObject({ turn: { ticket: "t2" }, missed: { ticket: "t1" } });
  });

  test("is noticed at once when the meeting has gone on", async () => {
    server.put(turn("t1"));
    desk.start();
    await pass(0);
    server.put();
    desk.look();
    await pass(0);
    expect(desk.standing()).toMatchObject({ turn: null, missed: { ticket: "t1" } });
  });
});

describe("a refusal", () => {
  test("keeps the turn, and says why", async () => {
    server.put(turn("t1"));
    desk.start();
    await pass(0);
    server.refuses = problem(507, "storage");
    expect(await desk.answer("t1", { text: "x" })).toBe(false);
    expect(desk.standing()).toMatchObject({
      turn: { ticket: "t1" },
      refused: { detail: "storage" },
      missed: null,
    });
    server.refuses = null;
    await pass(6_000);
    expect(await desk.answer("t1", { text: "x" })).toBe(true);
  });

  test("of the whole connection is waited out, with pauses", async () => {
    server.fails = problem(503, "stopping");
    desk.start();
    await pass(30_000);
    expect(desk.standing().lost).toBe(true);
    expect(server.asked.length).toBeGreaterThan(3);
    expect(server.asked.length).toBeLessThan(8);
    server.fails = null;
    server.put(turn("t1"));
    desk.look();
    await pass(0);
    expect(desk.standing()).toMatchObject({ lost: false, turn: { ticket: "t1" } });
  });

  test("to somebody who has been sent away ends it", async () => {
    server.fails = problem(401, "sign-in");
    desk.start();
    await pass(60_000);
    expect(server.asked.length).toBe(1);
    expect(desk.standing()).toMatchObject({ lost: false, turn: null });
  });
});

test("who has left waits for nothing", async () => {
  desk.start();
  await pass(1_000);
  desk.stop();
  await pass(60_000);
  expect(server.asked).toEqual([25]);
});
