// Which pause's questions were put aside; those of any other pause are in sight.

import { useSyncExternalStore } from "react";

let aside: string | null = null;
const listeners = new Set<() => void>();

function set(token: string | null): void {
  aside = token;
  for (const told of listeners) {
    told();
  }
}

/** Shows the questions. */
export function askAgain(): void {
  set(null);
}

/** Puts aside the questions of the pause with this token; the meeting stays paused. */
export function putAside(token: string): void {
  set(token);
}

/** Whether the questions of the pause with this token are in view. */
export function useAsked(token: string): boolean {
  const now = useSyncExternalStore(
    (told) => {
      listeners.add(told);
      return () => listeners.delete(told);
    },
    () => aside,
  );
  return now !== token;
}
