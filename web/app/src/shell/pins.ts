// Meetings that the user has pinned, kept in this browser: their ids alone, since a title may be off the record.

import { ProblemError } from "../api/client";
import { Store, useStore } from "../store/store";

const KEPT = "quorate.pins";
const MOST = 12;

function kept(): readonly string[] {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(KEPT) ?? "[]");
    return Array.isArray(read) ? read.filter((id) => typeof id === "string").slice(0, MOST) : [];
  } catch {
    return [];
  }
}

const pins = new Store(kept());
window.addEventListener("storage", ({ key }) => {
  if (key === null || key === KEPT) {
    pins.set(kept());
  }
});

/** The ids of the pinned meetings, the last one first. */
export function usePins(): readonly string[] {
  return useStore(pins);
}

/** Pins a meeting, or takes the pin away. */
export function pin(id: string, pinned: boolean): void {
  const others = pins.get().filter((one) => one !== id);
  const next = pinned ? [id, ...others].slice(0, MOST) : others;
  localStorage.setItem(KEPT, JSON.stringify(next));
  pins.set(next);
}

/** For a request about a meeting: one that is deleted is not asked for again. */
export function unpinDeleted(id: string): (error: unknown) => never {
  return (error) => {
    // A proxy answers with a 404 of its own while the server is away.
    if (error instanceof ProblemError && error.sort === "not-found" && pins.get().includes(id)) {
      pin(id, false);
    }
    throw error;
  };
}
