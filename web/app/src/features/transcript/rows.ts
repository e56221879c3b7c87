// The rows of the transcript: the loaded lines, and at the end the work in progress.

import type { Event } from "../../api/schema";
import { is, type Of } from "../../meeting/event-types";
import { isUnsaid } from "../../meeting/phrase";

/** One row. Its key stays the same when work in progress becomes a line. */
export type Row =
  | { what: "head"; key: string; seq: number }
  | { what: "line"; key: string; seq: number; event: Event }
  | { what: "joined"; key: string; seq: number; events: Of<"participant_joined">[] }
  | { what: "speaking"; key: string; seq: number; turn: string; participant: string }
  | { what: "working"; key: string; seq: number; task: string };

/** Work in progress: the current speaker, and tasks of the facilitator. */
export interface WorkInProgress {
  floor: readonly { turn: string; participant: string }[];
  tasks: readonly string[];
}

/** The reader's display settings. */
interface RowOptions {
  /** Whether skipped turns are shown. */
  skips: boolean;
  /** The window reaches the beginning of the meeting. */
  fromStart: boolean;
  /** The window reaches its end. */
  toEnd: boolean;
}

const rows = new WeakMap<Event, Row>();
/** The place after all lines. */
export const END_SEQ = Number.MAX_SAFE_INTEGER;

/** All rows, the oldest first. A line keeps its row. */
export function rowsOf(lines: readonly Event[], underWay: WorkInProgress, shown: RowOptions): Row[] {
  const made: Row[] = shown.fromStart ? [{ what: "head", key: "head", seq: 0 }] : [];
  let joined: Of<"participant_joined">[] = [];
  const seat = () => {
    if (joined.length > 0) {
      made.push(joinedRow(joined));
      joined = [];
    }
  };
  // Those who are asked at the same time fail one by one; their provider is told of once in each wait.
  let waitingFor: string | null = null;
  for (const event of lines) {
    if (is(event, "provider_wait_started")) {
      const names = event.payload.waiting_for.join();
      const isTold = event.payload.tries > 1 || names === waitingFor;
      waitingFor = names;
      if (isTold) {
        continue;
      }
    } else if (is(event, "provider_wait_ended") || is(event, "pause")) {
      waitingFor = null;
    }
    if (is(event, "participant_joined") && isUnsaid(event.payload.reason)) {
      joined.push(event);
    } else if (isShown(event, shown)) {
      seat();
      made.push(lineRow(event));
    }
  }
  seat();
  if (shown.toEnd) {
    made.push(...underWayRows(made, underWay));
  }
  return made;
}

function isShown(event: Event, { skips }: RowOptions): boolean {
  return skips || !is(event, "turn_skipped") || event.payload.reason === "timed_out";
}

function underWayRows(made: readonly Row[], { floor, tasks }: WorkInProgress): Row[] {
  const told = new Set(made.slice(-40).map((row) => row.key));
  const speaking = floor.map(
    ({ turn, participant }): Row => ({
      what: "speaking",
      key: `turn:${turn}`,
      seq: END_SEQ,
      turn,
      participant,
    }),
  );
  const working = tasks.map((task): Row => ({ what: "working", key: `task:${task}`, seq: END_SEQ, task }));
  return [...speaking, ...working].filter((row) => !told.has(row.key));
}

function lineRow(event: Event): Row {
  const known = rows.get(event);
  if (known) {
    return known;
  }
  const ofTurn = is(event, "agent_message") || is(event, "turn_skipped") || is(event, "turn_failed");
  const key = ofTurn ? `turn:${event.payload.turn}` : `seq:${event.seq}`;
  const made: Row = { what: "line", key, seq: event.seq, event };
  rows.set(event, made);
  return made;
}

function joinedRow(events: Of<"participant_joined">[]): Row {
  const [first, last] = [events[0], events.at(-1)];
  const known = last && rows.get(last);
  if (known?.what === "joined" && known.events.length === events.length && known.events[0] === first) {
    return known;
  }
  const made: Row = { what: "joined", key: `seq:${first?.seq ?? 0}`, seq: first?.seq ?? 0, events };
  if (last) {
    rows.set(last, made);
  }
  return made;
}

/** The estimated height of a row, before it is measured. */
export function estimatedHeight(row: Row | undefined): number {
  if (row?.what === "line" && (is(row.event, "agent_message") || is(row.event, "user_message"))) {
    return 96 + Math.min(24, linesOf(row.event.payload.message.content)) * 26;
  }
  return row?.what === "speaking" ? 96 : row?.what === "line" && is(row.event, "summary_written") ? 240 : 44;
}

const WIDTH = 40;

/** The estimated number of lines of a text at the usual width. */
export function linesOf(text: string): number {
  let lines = 0;
  for (const line of text.split("\n")) {
    let width = 0;
    for (let at = 0; at < line.length; at++) {
      width += line.charCodeAt(at) > 0x2e7f ? 1 : 0.55;
    }
    lines += Math.max(1, Math.ceil(width / WIDTH));
  }
  return lines;
}

/** The row of an event: its own, or the nearest after it, or the last. */
export function indexOf(list: readonly Row[], seq: number): number {
  const at = list.findIndex((row) => row.seq >= seq && row.seq !== END_SEQ);
  return at >= 0 ? at : list.findLastIndex((row) => row.seq !== END_SEQ);
}

/** Whether a row is that of an event, and not only the nearest to it. */
export function isRowOf(row: Row, seq: number): boolean {
  return row.seq === seq || (row.what === "joined" && row.events.some((event) => event.seq === seq));
}
