// A vote in numbers and words.

import type { BallotChoice as Cast } from "../../api/schema";

/** The score of a vote; null where there is none. */
export function scoreOf(cast: Cast | undefined): number | null {
  return cast && "vote" in cast ? cast.vote.score : null;
}

/** From this score on a vote lets the draft pass, and below the other it does not; in between it is the voter's choice. */
const SCALE = { passes_from: 80, fails_below: 70 };

/** Whether score and pass contradict each other. */
export function contradicts({ score, pass }: { score: number; pass: boolean }): boolean {
  return pass ? score < SCALE.fails_below : score >= SCALE.passes_from;
}

/** Whether a vote passes; null without a vote. */
export function passOf(cast: Cast | undefined): boolean | null {
  return cast && "vote" in cast ? cast.vote.pass : null;
}
