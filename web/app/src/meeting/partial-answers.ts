// Answers while they are written: pieces of text, put together as they come.
import type { Event, ParticipantId, TurnId } from "../api/schema";

/** A fragment of an answer from the stream. `offset` and `end` count bytes of UTF-8. */
export interface Token {
  task: string;
  turn?: TurnId;
  attempt: number;
  participant: ParticipantId | null;
  kind: "answer" | "reasoning";
  offset: number;
  end: number;
  text: string;
}

/** An answer as far as it is written. */
export interface PartialAnswer {
  task: string;
  attempt: number;
  /** The author; null is the facilitator. */
  participant: ParticipantId | null;
  turn: TurnId | null;
  answer: string;
  /** The thoughts before it, where they may be seen. */
  reasoning: string;
}

/** One growing text. */
interface Rope {
  parts: string[];
  /** Its length in bytes. */
  end: number;
  /** A piece is missing; what follows waits for the next one at 0. */
  torn: boolean;
}

/** One attempt at a task. */
interface Attempt {
  task: string;
  attempt: number;
  participant: ParticipantId | null;
  turn: TurnId | null;
  ropes: { answer: Rope; reasoning: Rope };
  /** The last snapshot that was shown; null when it has changed since. */
  shown: PartialAnswer | null;
  /** Its call is over: the command that ended it, and until when it stays at the longest. */
  ended: { cause: string; until: number } | null;
}

/** Between the end of a call and the event that makes its answer final, nothing may flash away. */
const STAYS_MS = 1000;

/** All answers in flight. */
export class Pieces {
  readonly #attempts = new Map<string, Attempt>();
  #shown: ReadonlyMap<string, PartialAnswer> = new Map();
  #changed = false;

  /** A piece has come. */
  take(token: Token): void {
    const key = `${token.task}#${token.attempt}`;
    const attempt = this.#attempts.get(key) ?? begin(token);
    this.#attempts.set(key, attempt);
    add(attempt.ropes[token.kind], token);
    attempt.shown = null;
    this.#changed = true;
  }

  /** An event has come: it may end an attempt, or be the answer itself. */
  hear(event: Event, now: number): void {
    for (const [key, attempt] of this.#attempts) {
      const ended = attempt.ended;
      if (ended && (event.cause !== ended.cause || finals.has(event.type))) this.#drop(key);
    }
    if (event.type !== "call_ended") return;
    const key = `${event.payload.task}#${event.payload.attempt}`;
    const attempt = this.#attempts.get(key);
    if (!attempt) return;
    if (event.payload.ended === "answered") attempt.ended = { cause: event.cause, until: now + STAYS_MS };
    else this.#drop(key);
  }

  /** Drops answers whose calls are no longer in flight. */
  keep(tasks: ReadonlySet<string>): void {
    for (const [key, attempt] of this.#attempts) if (!tasks.has(attempt.task)) this.#drop(key);
  }

  /** Drops everything. */
  clear(): void {
    for (const key of this.#attempts.keys()) this.#drop(key);
  }

  /** Whether something waits to be dropped. */
  get waits(): boolean {
    return [...this.#attempts.values()].some((attempt) => attempt.ended !== null);
  }

  /** The answers by task: the last attempt of each. The same map when nothing has changed. */
  show(now: number): ReadonlyMap<string, PartialAnswer> {
    for (const [key, attempt] of this.#attempts) {
      if (attempt.ended && attempt.ended.until <= now) this.#drop(key);
    }
    if (!this.#changed) return this.#shown;
    this.#changed = false;
    const shown = new Map<string, PartialAnswer>();
    for (const attempt of this.#attempts.values()) {
      const other = shown.get(attempt.task);
      if (!other || other.attempt < attempt.attempt) shown.set(attempt.task, picture(attempt));
    }
    this.#shown = shown;
    return shown;
  }

  #drop(key: string): void {
    this.#attempts.delete(key);
    this.#changed = true;
  }
}

/** Events that carry what a task has brought. */
const finals: ReadonlySet<string> = new Set<Event["type"]>([
  "agent_message",
  "turn_skipped",
  "turn_failed",
  "vote_cast",
  "vote_abstained",
  "summary_written",
  "facilitation_written",
  "conclusion_written",
  "intake_written",
  "team_proposed",
  "evaluation_written",
  "minutes_written",
  "artifact_written",
  "answer_malformed",
  "error",
]);

function begin({ task, attempt, participant, turn }: Token): Attempt {
  const ropes = { answer: empty(), reasoning: empty() };
  return { task, attempt, participant, turn: turn ?? null, ropes, shown: null, ended: null };
}

function empty(): Rope {
  return { parts: [], end: 0, torn: false };
}

/** Adds a fragment. One at 0 replaces the whole text; any other begins where the one before it ended. */
function add(rope: Rope, { offset, end, text }: Token): void {
  if (offset === 0) {
    rope.parts = [text];
    rope.end = end;
    rope.torn = false;
    return;
  }
  if (rope.torn || end <= rope.end) return;
  if (offset > rope.end) {
    rope.torn = true;
    return;
  }
  const known = placeOfByte(text, rope.end - offset);
  if (known === null) {
    rope.torn = true;
    return;
  }
  rope.parts.push(text.slice(known));
  rope.end = end;
}

/** The index in a text of its byte of this number; null inside a character. */
function placeOfByte(text: string, byte: number): number | null {
  let bytes = 0;
  let place = 0;
  for (const character of text) {
    if (bytes >= byte) break;
    bytes += bytesOf(character);
    place += character.length;
  }
  return bytes === byte ? place : null;
}

function bytesOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x10000 ? 3 : 4;
}

function picture(attempt: Attempt): PartialAnswer {
  if (attempt.shown) return attempt.shown;
  const { task, participant, turn, ropes } = attempt;
  const answer = joined(ropes.answer);
  const reasoning = joined(ropes.reasoning);
  attempt.shown = { task, attempt: attempt.attempt, participant, turn, answer, reasoning };
  return attempt.shown;
}

function joined(rope: Rope): string {
  const text = rope.parts.join("");
  rope.parts = [text];
  return text;
}
