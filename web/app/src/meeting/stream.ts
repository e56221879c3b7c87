// The event stream of a meeting: opened, lost, reconnected.
import type { Event, Problem } from "../api/schema";
import type { Token } from "./partial-answers";
import { EVENT_TYPES } from "./transcript-events";

/** The used part of an EventSource. */
export interface EventSourceLike {
  readonly readyState: number;
  addEventListener(type: string, listener: (event: globalThis.Event) => void): void;
  close(): void;
}

/** The callbacks of a stream. */
interface StreamEnds {
  /** Opens the stream after the last received event. */
  open(): EventSourceLike;
  /** Finds out whether it makes sense to try again: `stop` when it does not. */
  probe(): Promise<"go" | "wait" | "stop">;
  /** Checks a silent connection: finds out whether there was nothing to send. */
  check(): Promise<"quiet" | "missed" | "unreachable" | "stop">;
  onEvent(event: Event): void;
  onToken(token: Token): void;
  onProblem(problem: Problem | null): void;
  /** Reports the state of the connection; when it is lost, with the time until the next attempt, if known. */
  onState(state: "connecting" | "live" | "lost", nextTryMs?: number): void;
}

const CLOSED = 2;
const SHORTEST_MS = 1_000;
const LONGEST_MS = 30_000;
/** A connection can die unnoticed, behind a proxy or a sleeping network: after this silence it is checked. */
const SILENCE_MS = 20_000;
const LONG_SILENCE_MS = 60_000;

/** Keeps one EventSource alive. The browser comes back by itself after a cut; after a refusal, this does. */
export class Stream {
  readonly #ends: StreamEnds;
  readonly #random: () => number;
  #source: EventSourceLike | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #tries = 0;
  #wanted = false;
  #probing = false;
  #silence: ReturnType<typeof setTimeout> | undefined;
  #received = false;

  constructor(ends: StreamEnds, random: () => number = Math.random) {
    this.#ends = ends;
    this.#random = random;
  }

  /** Opens the stream. */
  start(): void {
    this.#wanted = true;
    this.#tries = 0;
    this.#connect("connecting");
  }

  /** Closes the stream. */
  stop(): void {
    this.#wanted = false;
    this.#letGo();
  }

  /** Schedules another attempt after the connection was lost. */
  later(): void {
    if (!this.#wanted) return;
    this.#letGo();
    const longest = Math.min(LONGEST_MS, SHORTEST_MS * 2 ** this.#tries);
    this.#tries += 1;
    const wait = Math.max(SHORTEST_MS, longest * (0.5 + this.#random() / 2));
    this.#ends.onState("lost", wait);
    this.#timer = setTimeout(() => this.retryNow(), wait);
  }

  /** Tries again at once, unless the connection is up. */
  retryNow(): void {
    if (!this.#wanted || this.#probing || this.#source?.readyState === 1) return;
    this.#letGo();
    this.#probing = true;
    this.#ends.onState("lost");
    void this.#ends.probe().then((answer) => {
      this.#probing = false;
      if (!this.#wanted) return;
      if (answer === "go") this.#connect("lost");
      if (answer === "wait") this.later();
      if (answer === "stop") this.stop();
    });
  }

  /** Looks after a line that has been silent. */
  #watch(source: EventSourceLike, wait: number): void {
    clearTimeout(this.#silence);
    this.#received = false;
    this.#silence = setTimeout(() => {
      if (this.#received || source.readyState !== 1) this.#watch(source, SILENCE_MS);
      else void this.#look(source, wait);
    }, wait);
  }

  async #look(source: EventSourceLike, waited: number): Promise<void> {
    const found = await this.#ends.check();
    if (source !== this.#source) return;
    if (found === "missed") this.#connect("lost");
    else if (found === "unreachable") this.later();
    else if (found === "quiet") this.#watch(source, Math.min(LONG_SILENCE_MS, waited * 2));
  }

  #letGo(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#silence);
    this.#source?.close();
    this.#source = null;
  }

  #connect(state: "connecting" | "lost"): void {
    this.#letGo();
    this.#ends.onState(state);
    const source = this.#ends.open();
    this.#source = source;
    this.#watch(source, SILENCE_MS);
    const hear = (type: string, listen: (data: string | null) => void) => {
      source.addEventListener(type, (event) => {
        if (source !== this.#source) return;
        this.#received = true;
        listen(dataOf(event));
      });
    };
    hear("open", () => {
      this.#tries = 0;
      this.#ends.onProblem(null);
      this.#ends.onState("live");
    });
    // An event of the meeting can be called `error`, too: that one has data.
    for (const type of EVENT_TYPES) {
      if (type !== "error") hear(type, (data) => this.#take<Event>(data, this.#ends.onEvent));
    }
    hear("error", (data) => {
      if (data !== null) this.#take<Event>(data, this.#ends.onEvent);
      else if (source.readyState === CLOSED) this.later();
      else this.#ends.onState("lost");
    });
    hear("token", (data) => this.#take<Token>(data, this.#ends.onToken));
    hear("problem", (data) =>
      this.#take<Problem & { over?: boolean }>(data, (told) => this.#ends.onProblem(told.over ? null : told)),
    );
    // After `resync` the answers in flight come again from their beginning, and replace the earlier text.
  }

  #take<T>(data: string | null, tell: (value: T) => void): void {
    if (data === null) return;
    const value = read<T>(data);
    if (value === null) this.later();
    else tell(value);
  }
}

/** Parses a message; null when it is cut short. */
function read<T>(data: string): T | null {
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}

function dataOf(event: globalThis.Event): string | null {
  return "data" in event && typeof event.data === "string" ? event.data : null;
}
