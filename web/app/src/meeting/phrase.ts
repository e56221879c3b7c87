// Texts in events.

import type { Phrase } from "../api/schema";

/** Whether nothing is said. */
export function isUnsaid(phrase: Phrase | null | undefined): boolean {
  return !phrase || ("text" in phrase && phrase.text === "");
}
