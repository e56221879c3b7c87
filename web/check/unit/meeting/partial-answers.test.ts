// @vitest-environment node
// Fragments of answers are assembled to the written text, whatever happens to the connection.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Event } from "../../../app/src/api/schema";
import { Pieces, type Token } from "../../../app/src/meeting/partial-answers";

const bytes = (text: string) => Buffer.byteLength(text);
const TASK = "speak:r1t1";

function token(all: string, from: number, to: number, kind: Token["kind"] = "answer", attempt = 1): Token {
  const text = all.slice(from, to);
  const offset = bytes(all.slice(0, from));
  return {
    task: TASK,
    turn: "r1t1",
    attempt,
    participant: "p1",
    kind,
    offset,
    end: offset + bytes(text),
    text,
  };
}

function ended(seq: number, cause: string, end: "answered" | "failed" = "answered", attempt = 1): Event {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const payload = { task: TASK, attempt, ended: end, kind: "network", usage, latency_ms: 1, cost_micros: 0 };
  return event(seq, "call_ended", cause, payload);
}

function event(seq: number, type: string, cause: string, payload: object): Event {
  const line = {
    seq,
    type,
    cause,
    payload,
    actor: { kind: "system" as const },
    meeting_id: "m",
    run_id: "r",
    ts_ms: seq,
  };
  return JSON.parse(JSON.stringify(line));
}

/**
 * The fate of one fragment: it comes; it comes twice; the connection is cut after it and the text so far
 * follows; the subscriber is too slow, fragments are lost, and the text so far follows.
 */
const fates = fc.array(fc.constantFrom("comes", "twice", "cut", "lost"), { minLength: 1, maxLength: 40 });

describe("pieces", () => {
  test("glued at any cuts, over lost lines and lost pieces, are the text", () => {
    const texts = fc.array(fc.constantFrom("a", "é", "众", "议", "🙂", "👩‍👩‍👧", "\n", "**", "“先”"), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(texts, fc.array(fc.nat(), { maxLength: 20 }), fates, (parts, cuts, happens) => {
        const whole = parts.join("");
        // Pieces are texts, so they are cut between code points; the offsets count bytes.
        const points = Array.from(whole);
        const places = [...new Set([0, ...cuts.map((cut) => cut % (points.length + 1)), points.length])];
        const at = places.sort((a, b) => a - b).map((place) => points.slice(0, place).join("").length);
        const pieces = new Pieces();
        at.slice(1).forEach((to, place) => {
          const from = at[place] ?? 0;
          const last = place === at.length - 2;
          const fate = happens[place % happens.length];
          if (fate !== "lost" || last) pieces.take(token(whole, from, to));
          if (fate === "twice") pieces.take(token(whole, from, to));
          if (fate === "cut" || (fate === "lost" && last)) pieces.take(token(whole, 0, to));
          if (fate === "lost" && !last) pieces.take(token(whole, 0, to));
        });
        expect(pieces.show(0).get(TASK)?.answer ?? "").toBe(whole);
      }),
      { numRuns: 500 },
    );
  });

  test("that are missing are waited for, and nothing wrong is shown meanwhile", () => {
    const whole = "先说结论：用 SQLite。";
    const pieces = new Pieces();
    pieces.take(token(whole, 0, 3));
    pieces.take(token(whole, 6, 9));
    pieces.take(token(whole, 9, 12));
    expect(pieces.show(0).get(TASK)?.answer).toBe(whole.slice(0, 3));
    pieces.take(token(whole, 0, 12));
    expect(pieces.show(0).get(TASK)?.answer).toBe(whole.slice(0, 12));
  });

  test("that overlap with what is there are cut at the right byte, and never inside a character", () => {
    const whole = "众议🙂ok";
    const pieces = new Pieces();
    pieces.take(token(whole, 0, 2));
    pieces.take(token(whole, 1, 6));
    expect(pieces.show(0).get(TASK)?.answer).toBe(whole);
    const odd = new Pieces();
    odd.take(token(whole, 0, 2));
    odd.take({ ...token(whole, 2, 6), offset: 4, end: 10, text: "议🙂" });
    expect(odd.show(0).get(TASK)?.answer).toBe("众议");
  });

  test("of thoughts and of the answer are kept apart, and another attempt begins anew", () => {
    const pieces = new Pieces();
    pieces.take(token("hm, well", 0, 8, "reasoning"));
    pieces.take(token("Yes", 0, 3));
    expect(pieces.show(0).get(TASK)).toMatchObject({ answer: "Yes", reasoning: "hm, well", attempt: 1 });
    pieces.take(token("No", 0, 2, "answer", 2));
    expect(pieces.show(0).get(TASK)).toMatchObject({ answer: "No", reasoning: "", attempt: 2 });
  });

  test("keep their identity until they change", () => {
    const pieces = new Pieces();
    pieces.take(token("Yes", 0, 1));
    pieces.take({ ...token("Other", 0, 5), task: "speak:r1t2", turn: "r1t2" });
    const before = pieces.show(0);
    expect(pieces.show(0)).toBe(before);
    pieces.take(token("Yes", 1, 3));
    const after = pieces.show(0);
    expect(after.get("speak:r1t2")).toBe(before.get("speak:r1t2"));
    expect(after.get(TASK)).not.toBe(before.get(TASK));
  });

  test("stay from the end of the call until the answer is final", () => {
    const pieces = new Pieces();
    pieces.take(token("Yes", 0, 3));
    pieces.hear(ended(5, "speak:r1t1#1"), 100);
    expect(pieces.show(110).get(TASK)?.answer).toBe("Yes");
    pieces.hear(event(6, "memory_written", "speak:r1t1#1", {}), 110);
    expect(pieces.show(120).get(TASK)?.answer).toBe("Yes");
    pieces.hear(event(7, "agent_message", "speak:r1t1#1", {}), 120);
    expect(pieces.show(130).size).toBe(0);
  });

  test("go when their call failed, when something else follows, and at the latest after a second", () => {
    const failed = new Pieces();
    failed.take(token("Yes", 0, 3));
    failed.hear(ended(5, "speak:r1t1#1", "failed"), 0);
    expect(failed.show(0).size).toBe(0);
    const followed = new Pieces();
    followed.take(token("Yes", 0, 3));
    followed.hear(ended(5, "speak:r1t1#1"), 0);
    followed.hear(event(6, "call_started", "other", {}), 0);
    expect(followed.show(0).size).toBe(0);
    const late = new Pieces();
    late.take(token("Yes", 0, 3));
    late.hear(ended(5, "speak:r1t1#1"), 0);
    expect(late.show(999).size).toBe(1);
    expect(late.show(1000).size).toBe(0);
  });
});
