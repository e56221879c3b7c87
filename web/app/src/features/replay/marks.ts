// The marks on the way through a meeting: rounds, ballots, words of people, pauses, the conclusion.

import type { Event } from "../../api/schema";

/** The kind of a mark. */
type MarkKind = "round" | "blind" | "ballot" | "person" | "pause_mark" | "conclusion";

/** A place in the log that one wants to find again. */
export interface Mark {
  seq: number;
  kind: MarkKind;
  /** The number of the round or ballot. */
  n?: number;
}

/** The types of the events that are marked. */
export const MARKED: readonly Event["type"][] = [
  "round_started",
  "ballot_opened",
  "user_message",
  "pause",
  "conclusion_written",
];

/** The mark of an event; nothing for most. */
function markOf(event: Event): Mark | undefined {
  const { seq } = event;
  switch (event.type) {
    case "round_started":
      return event.payload.kind === "blind"
        ? { seq, kind: "blind" }
        : { seq, kind: "round", n: event.payload.round };
    case "ballot_opened":
      return { seq, kind: "ballot", n: Number(event.payload.ballot.slice(1)) || 1 };
    case "user_message":
      return { seq, kind: "person" };
    case "pause":
      return { seq, kind: "pause_mark" };
    case "conclusion_written":
      return { seq, kind: "conclusion" };
    default:
      return undefined;
  }
}

/** The marks of a log, in order. */
export function marksOf(events: readonly Event[]): Mark[] {
  return events.flatMap((event) => markOf(event) ?? []).sort((a, b) => a.seq - b.seq);
}

const isRound = (mark: Mark) => mark.kind === "round" || mark.kind === "blind";

/** The round that begins next after a place, or the one that began before it. */
export function roundFrom(marks: readonly Mark[], position: number, by: 1 | -1): Mark | undefined {
  const rounds = marks.filter(isRound);
  return by === 1
    ? rounds.find((mark) => mark.seq > position)
    : rounds.findLast((mark) => mark.seq < position);
}

/** The round that runs at a place. */
export function roundAt(marks: readonly Mark[], position: number): Mark | undefined {
  return marks.findLast((mark) => isRound(mark) && mark.seq <= position);
}
