// Which pause's questions were put aside; those of any other pause are in sight.

import { useSyncExternalStore } from "react";

let postponed: string | null = null;
const listeners = new Set<() => void>();

function set(token: string | null): void {
  postponed = token;
  for (const told of listeners) {
    told();
  }
}

/** Shows the questions. */
export function showQuestions(): void {
  set(null);
}

/** Puts aside the questions of the pause with this token; the meeting stays paused. */
export function postponeQuestions(token: string): void {
  set(token);
}

/** Whether the questions of the pause with this token are in view. */
export function useQuestionsShown(token: string): boolean {
  const now = useSyncExternalStore(
    (told) => {
      listeners.add(told);
      return () => listeners.delete(told);
    },
    () => postponed,
  );
  return now !== token;
}
