// The density of the transcript; kept in this browser.

import { useSyncExternalStore } from "react";

/** With air, or with more on the page. */
export type Density = "comfortable" | "compact";

const KEPT = "quorate.density";
const listeners = new Set<() => void>();

function density(): Density {
  return localStorage.getItem(KEPT) === "compact" ? "compact" : "comfortable";
}

/** From now on the transcript is set like this. */
export function setDensity(next: Density): void {
  localStorage.setItem(KEPT, next);
  for (const told of listeners) {
    told();
  }
}

/** The present density. */
export function useDensity(): Density {
  return useSyncExternalStore((told) => {
    listeners.add(told);
    return () => listeners.delete(told);
  }, density);
}
