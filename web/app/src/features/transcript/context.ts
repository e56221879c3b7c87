// The context of every row of the transcript. It changes only when participants join or leave, so rows are not
// drawn again.

import { createContext, use, useCallback, useEffect, useSyncExternalStore } from "react";
import type { People } from "../../components/speaker/people";
import type { ReferencedClaim, ReferencedMessage, References } from "../../meeting/references";
import type { Opened } from "./opened";

/** The context of a row. */
export interface Talk {
  /** The meeting. */
  id: string;
  people: People;
  known: References;
  /** Goes to the row of an event, marks it, and remembers from where. */
  goTo: (seq: number) => void;
  /** What the user has opened. */
  opened: Opened;
  /** The user's permissions; absent in a replay. */
  may: { speak: boolean; manage: boolean };
  /** The user, by the id of a person; `undefined` while unknown. */
  me: string | undefined;
  /** The seats that the user holds or held. */
  seats: ReadonlySet<string>;
  /** A message that mentions the user was looked at; absent in a replay. */
  onSeen?: (seq: number) => void;
}

const Context = createContext<Talk | null>(null);

/** Gives rows what they need. */
export const TalkProvider = Context;

/** The context of a row. */
export function useTalk(): Talk {
  const talk = use(Context);
  if (!talk) {
    throw new Error("rows need a TalkProvider around them");
  }
  return talk;
}

export const NO_CLAIMS: readonly string[] = [];

/** The claims that the message around a text answers. */
export const AnsweredClaims = createContext(NO_CLAIMS);

/** A claim by its id; asked for when it is not in sight. */
export function useClaim(id: string): ReferencedClaim | undefined {
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
export function useMessage(id: string): ReferencedMessage | undefined {
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

/** Whether a part is open, and how to open or fold it. */
export function useOpened(key: string): [open: boolean, set: (open: boolean) => void] {
  const { opened } = useTalk();
  const open = useSyncExternalStore(
    opened.subscribe,
    useCallback(() => opened.has(key), [opened, key]),
  );
  return [open, useCallback((next: boolean) => opened.set(key, next), [opened, key])];
}
