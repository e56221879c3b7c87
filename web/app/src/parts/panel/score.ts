// A vote in numbers and words.

import type { Cast } from "../../api/schema";

/** The score of a vote; null where there is none. */
export function scoreOf(cast: Cast | undefined): number | null {
  return cast && "vote" in cast ? cast.vote.score : null;
}

/** Whether a vote passes; null where there is none. */
export function passOf(cast: Cast | undefined): boolean | null {
  return cast && "vote" in cast ? cast.vote.pass : null;
}
