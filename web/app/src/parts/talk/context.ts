// What every row of the transcript may need. It changes only when somebody comes or goes, so rows stay as they are.

import { createContext, use, useCallback, useEffect, useSyncExternalStore } from "react";
import type { Known, KnownClaim, KnownMessage } from "./known";
import type { People } from "./people";

/** A message that somebody wants to answer. */
export interface ReplyTo {
  id: string;
  name: string;
  excerpt: string;
}

/** What rows are given. */
export interface Talk {
  /** The meeting. */
  id: string;
  people: People;
  known: Known;
  /** Goes to the row of an event, marks it, and remembers from where. */
  goTo: (seq: number) => void;
  /** Rows that somebody has opened in full, by key; they stay open. */
  opened: Set<string>;
  /** What a person may do here; absent in a replay. */
  may: { speak: boolean; manage: boolean };
}

const Context = createContext<Talk | null>(null);

/** Gives rows what they need. */
export const TalkProvider = Context;

/** What rows are given. */
export function useTalk(): Talk {
  const talk = use(Context);
  if (!talk) {
    throw new Error("rows need a TalkProvider around them");
  }
  return talk;
}

/** A claim by its id; asked for when it is not in sight. */
export function useClaim(id: string): KnownClaim | undefined {
  const { known } = useTalk();
  const claim = useSyncExternalStore(
    known.subscribe,
    useCallback(() => known.claim(id), [known, id]),
  );
  useEffect(() => {
    if (!claim) {
      known.want(id);
    }
  }, [known, id, claim]);
  return claim;
}

/** A message by its id; asked for when it is not in sight. */
export function useMessage(id: string): KnownMessage | undefined {
  const { known } = useTalk();
  const message = useSyncExternalStore(
    known.subscribe,
    useCallback(() => known.message(id), [known, id]),
  );
  useEffect(() => {
    if (!message) {
      known.want(id);
    }
  }, [known, id, message]);
  return message;
}
