// The function of the Enter key in the composer; kept in this browser.

import { useSyncExternalStore } from "react";

/** Enter sends, or Enter begins a new line and Ctrl+Enter sends. */
export type EnterKey = "sends" | "breaks";

const KEPT = "quorate.enter";
const listeners = new Set<() => void>();

function enterKey(): EnterKey {
  return localStorage.getItem(KEPT) === "breaks" ? "breaks" : "sends";
}

/** From now on Enter does this. */
export function setEnterKey(next: EnterKey): void {
  localStorage.setItem(KEPT, next);
  for (const told of listeners) {
    told();
  }
}

/** The present function. */
export function useEnterKey(): EnterKey {
  return useSyncExternalStore((told) => {
    listeners.add(told);
    return () => listeners.delete(told);
  }, enterKey);
}
