// The turns of a seat: waited for, answered, skipped, over. What it knows is what the server said last.

import { ProblemError } from "../../api/client";
import type { OpenTurn, Problem, TurnReceipt } from "../../api/schema";
import { Store } from "../../store/store";

/** An answer: words, or the fields of the turn's schema. */
export type Answer = { text: string } | { fields: Record<string, unknown> };

/** The requests about turns. A refusal is thrown. */
export interface TurnsApi {
  /** The open turns, or after a while none; and how far the clock of this machine is ahead of the server's. */
  open(waitSeconds: number, signal: AbortSignal): Promise<{ turns: OpenTurn[]; ahead: number }>;
  answer(ticket: string, answer: Answer): Promise<TurnReceipt>;
  skip(ticket: string): Promise<TurnReceipt>;
}

/** How it stands. */
export interface TurnStatus {
  /** The turn that waits for an answer. */
  turn: OpenTurn | null;
  /** The ticket of the answer that this one asks for once more. */
  again: string | null;
  /** When it is over, by the clock of this machine, in milliseconds since 1970. */
  until: number;
  /** An answer is on its way. */
  sending: boolean;
  /** Why the last answer was refused. */
  refused: Problem | null;
  /** A turn that ended without the answer of this page. */
  missed: OpenTurn | null;
  /** The kind of the last answer that was taken. */
  taken: OpenTurn["kind"] | "skipped" | null;
  /** The server cannot be reached at the moment. */
  lost: boolean;
}

const NOTHING: TurnStatus = {
  turn: null,
  again: null,
  until: 0,
  sending: false,
  refused: null,
  missed: null,
  taken: null,
  lost: false,
};

const WAIT_SECONDS = 25;
/** An open turn is looked at so often: it may have been answered elsewhere. */
const LOOK_MS = 5_000;
const RETRY_MS = [1_000, 2_000, 5_000, 10_000];
/** An answer that comes back empty at once is not asked for without a pause. */
const EMPTY_MS = 1_000;

/** Waits for the turns of one seat, and hands in the answers. */
export class TurnClient {
  readonly #api: TurnsApi;
  readonly #now: () => number;
  readonly #standing = new Store<TurnStatus>(NOTHING);
  #run: AbortController | null = null;
  #wake = () => {};
  /** Tickets that this page has answered, so that their end is no surprise. */
  readonly #answered = new Set<string>();

  constructor(api: TurnsApi, now: () => number = Date.now) {
    this.#api = api;
    this.#now = now;
  }

  readonly standing = this.#standing.get;
  readonly subscribe = this.#standing.subscribe;

  /** Waits for turns until it is stopped. */
  start(): void {
    if (!this.#run) {
      this.#run = new AbortController();
      void this.#wait(this.#run.signal);
    }
  }

  stop(): void {
    this.#run?.abort();
    this.#run = null;
    this.#wake();
  }

  /** Looks at once: the meeting has gone on, or the network is back. */
  look(): void {
    this.#wake();
  }

  /** Hands in an answer. */
  answer(ticket: string, answer: Answer): Promise<boolean> {
    return this.#hand(
      ticket,
      (turn) => turn.kind,
      () => this.#api.answer(ticket, answer),
    );
  }

  /** Skips the turn. */
  skip(ticket: string): Promise<boolean> {
    return this.#hand(
      ticket,
      () => "skipped",
      () => this.#api.skip(ticket),
    );
  }

  /** The turn that was missed is put aside. */
  dismiss(): void {
    this.#set({ missed: null });
  }

  #set(change: Partial<TurnStatus>): void {
    this.#standing.set({ ...this.#standing.get(), ...change });
  }

  async #hand(
    ticket: string,
    kind: (turn: OpenTurn) => TurnStatus["taken"],
    send: () => Promise<TurnReceipt>,
  ): Promise<boolean> {
    const { turn, sending } = this.#standing.get();
    if (turn?.ticket !== ticket || sending) {
      return false;
    }
    this.#set({ sending: true, refused: null });
    this.#answered.add(ticket);
    try {
      const receipt = await send();
      // An answer that could not be read is asked for once more, under another ticket.
      const again = receipt.asked_again ? ticket : null;
      this.#set({ sending: false, turn: null, again, taken: again ? null : kind(turn) });
      this.look();
      return !receipt.asked_again;
    } catch (error) {
      this.#answered.delete(ticket);
      if (error instanceof ProblemError && error.sort === "turn-is-over") {
        this.#set({ sending: false, turn: null, missed: turn });
      } else {
        const refused = error instanceof ProblemError ? error.problem : null;
        this.#set({ sending: false, refused: refused ?? unknown(error) });
      }
      this.look();
      return false;
    }
  }

  async #wait(signal: AbortSignal): Promise<void> {
    let tries = 0;
    while (!signal.aborted) {
      const asked = this.#now();
      const holds = this.#standing.get().turn !== null || this.#standing.get().sending;
      try {
        const { turns, ahead } = await this.#api.open(holds ? 0 : WAIT_SECONDS, signal);
        if (signal.aborted) {
          return;
        }
        tries = 0;
        this.#adopt(turns[0] ?? null, ahead, holds);
      } catch (error) {
        if (signal.aborted) {
          return;
        }
        const status = error instanceof ProblemError ? error.status : 0;
        this.#set({ lost: true });
        // Signed out, sent away, or the meeting is gone.
        if (status === 401 || status === 403 || status === 404) {
          this.#set({ ...NOTHING });
          return;
        }
        await this.#pause(RETRY_MS[Math.min(tries, RETRY_MS.length - 1)] ?? 1_000);
        tries += 1;
        continue;
      }
      const { turn, until } = this.#standing.get();
      if (turn) {
        await this.#pause(Math.min(LOOK_MS, Math.max(500, until - this.#now() + 500)));
      } else if (this.#now() - asked < EMPTY_MS) {
        await this.#pause(EMPTY_MS);
      }
    }
  }

  /** Takes what the server says. */
  #adopt(next: OpenTurn | null, ahead: number, held: boolean): void {
    const { turn, sending, lost } = this.#standing.get();
    if (lost) {
      this.#set({ lost: false });
    }
    // What was asked while an answer was on its way says nothing about what comes after it.
    if (sending || (next && this.#answered.has(next.ticket))) {
      return;
    }
    if (turn && next?.problem && next.kind === turn.kind && next.ticket !== turn.ticket) {
      // An answer from elsewhere could not be read: the same is asked for once more.
      this.#set({ again: turn.ticket });
    } else if (turn && turn.ticket !== next?.ticket) {
      this.#set({ turn: null, refused: null, missed: turn });
    } else if (turn || (held && !next)) {
      return;
    }
    if (next) {
      this.#set({ turn: next, until: Date.parse(next.deadline_at) + ahead, taken: null, refused: null });
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((done) => {
      const timer = setTimeout(done, ms);
      this.#wake = () => {
        clearTimeout(timer);
        done();
      };
    });
  }
}

function unknown(error: unknown): Problem {
  const detail = error instanceof Error ? error.message : String(error);
  return { type: "#page", title: detail, status: 0, detail };
}
