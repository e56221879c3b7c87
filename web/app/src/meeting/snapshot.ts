// The snapshot of a meeting's store, and notification of changes: at most 25 times a second.
import type { Event, Problem } from "../api/schema";
import { Signal } from "../store/store";
import type { PartialAnswer } from "./partial-answers";
import type { View } from "./view";

/** Whether there is a meeting to show, and if not, why. */
export type Status = "loading" | "ready" | "missing" | "locked" | "signed_out" | "failed";

/** The state of the connection. `over` is that of an ended meeting, `paused` that of a hidden page. */
type Connection = "live" | "connecting" | "lost" | "over" | "paused";

/** A meeting as it can be shown at one moment. Parts that did not change keep their identity. */
export interface Snapshot {
  status: Status;
  /** The last problem; also beside `ready`, when older lines could not be loaded. */
  problem: Problem | null;
  /** The state of the meeting. Its `messages` are empty: `lines` has them. */
  view: View | null;
  /** A window of consecutive events, the oldest first. */
  lines: readonly Event[];
  hasOlder: boolean;
  hasNewer: boolean;
  /** Which lines are being fetched. */
  fetching: "older" | "newer" | "window" | null;
  /** Answers that are being written, by task. */
  partials: ReadonlyMap<string, PartialAnswer>;
  connection: Connection;
  /** When the connection entered this state, in milliseconds since 1970. */
  since: number;
  /** When a lost connection is tried again; null while it is being tried, or when unknown. */
  nextTry: number | null;
  /** The present fault of the journal. */
  journalProblem: Problem | null;
  /** Whether the server is newer than this page, which has to be loaded anew to show everything. */
  outdated: boolean;
  /** The number of lines that arrived while the reader was not at the end. */
  fresh: number;
}

/** A source of snapshots of a meeting: live, or a replay. */
export interface MeetingSource {
  /** Set by a replay, whose code is not loaded with a running meeting. */
  readonly isReplay?: true;
  open(): Promise<void>;
  close(): void;
  subscribe(listener: () => void): () => void;
  snapshot(): Snapshot;
  /** Fetches the lines before the first one. */
  older(): Promise<void>;
  /** Fetches the lines after the last one. */
  newer(): Promise<void>;
  /** Shows the lines around an event. */
  jump(seq: number): Promise<void>;
  /** Shows the last lines. */
  toEnd(): Promise<void>;
  /** Says whether the reader sees the last line. */
  setAtEnd(atEnd: boolean): void;
  /** Tries again at once what has failed. */
  retryNow(): void;
}

const FLUSH_MS = 40;

/** Collects changes and notifies of them together. */
export abstract class SnapshotPublisher<S extends Snapshot = Snapshot> {
  /** The next snapshot. */
  protected next: S;
  #shown: S;
  readonly #changed = new Signal();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(first: S) {
    this.next = first;
    this.#shown = first;
  }

  readonly subscribe = this.#changed.on;

  readonly snapshot = (): S => this.#shown;

  /** Changes what will be shown. */
  protected set(change: Partial<S>): void {
    this.next = { ...this.next, ...change };
    this.touch();
  }

  /** Something has changed. */
  protected touch(): void {
    this.#timer ??= setTimeout(() => this.flush(), FLUSH_MS);
  }

  /** Shows what has changed, now. */
  protected flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.gather();
    if (same(this.#shown, this.next)) return;
    this.#shown = this.next;
    this.#changed.send();
  }

  /** Puts into `next` what was only noted until now. */
  protected abstract gather(): void;
}

/** The status that a problem leads to. */
export function statusOf(problem: Problem): Status {
  if (problem.status === 401) return "signed_out";
  if (problem.type.endsWith("#locked")) return "locked";
  return problem.status === 404 ? "missing" : "failed";
}

/** The snapshot before anything is loaded. */
export function emptySnapshot(now: number): Snapshot {
  return {
    status: "loading",
    problem: null,
    view: null,
    lines: [],
    hasOlder: false,
    hasNewer: false,
    fetching: null,
    partials: new Map(),
    connection: "connecting",
    since: now,
    nextTry: null,
    journalProblem: null,
    outdated: false,
    fresh: 0,
  };
}

function same(one: Snapshot, other: Snapshot): boolean {
  if (one === other) return true;
  const keys = Object.keys(other);
  const fields = new Map(Object.entries(one));
  return (
    keys.length === fields.size && Object.entries(other).every(([key, value]) => fields.get(key) === value)
  );
}
