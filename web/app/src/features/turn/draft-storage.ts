// What is being written in a turn, kept in this tab by the turn's ticket, so that a reload loses nothing.

import type { Filled } from "./answer-schema";

/** A draft of an answer. */
export interface Draft {
  /** The words of a turn that has no schema. */
  words: string;
  /** The speaker's position in a sentence, and how sure it is. */
  position: string;
  confidence: number | null;
  /** The fields of a schema. */
  fields: Filled;
}

const PREFIX = "quorate.turn.";

/** The draft of a turn. */
export function keptDraft(ticket: string): Draft | null {
  const kept = sessionStorage.getItem(PREFIX + ticket);
  if (kept === null) {
    return null;
  }
  try {
    const draft: unknown = JSON.parse(kept);
    return typeof draft === "object" && draft !== null && "words" in draft ? (draft as Draft) : null;
  } catch {
    return null;
  }
}

/** Keeps the draft of a turn; `null` forgets it. */
export function keepDraft(ticket: string, draft: Draft | null): void {
  if (draft === null) {
    sessionStorage.removeItem(PREFIX + ticket);
    return;
  }
  try {
    sessionStorage.setItem(PREFIX + ticket, JSON.stringify(draft));
  } catch {
    // The storage is full; the draft is in the form all the same.
  }
}
