// A vote in numbers and words.

import type { BallotChoice as Cast, ReportVote, ScoreScale, SeatFailure } from "../../api/schema";
import type { SpeakerLook } from "../speaker/speaker";
import type { Failure } from "./failure";

/** The score of a vote; null where there is none. */
export function scoreOf(cast: Cast | undefined): number | null {
  return cast && "vote" in cast ? cast.vote.score : null;
}

/** What a score says of the draft, as the server's document has it: other numbers do not compile. */
export const SCORE_SCALE: ScoreScale = { passes_from: 80, fails_below: 70 };

/** Whether score and pass contradict each other. */
function contradicts({ score, pass }: { score: number; pass: boolean }): boolean {
  return pass ? score < SCORE_SCALE.fails_below : score >= SCORE_SCALE.passes_from;
}

/** Whether a vote passes; null without a vote. */
export function passOf(cast: Cast | undefined): boolean | null {
  return cast && "vote" in cast ? cast.vote.pass : null;
}

/** A vote as it is shown, or why there is none. */
export interface VoteLine {
  speaker: SpeakerLook;
  state: "voted" | "abstained" | "failed" | "voting" | "waiting";
  score: number | null;
  pass: boolean | null;
  reason: string;
  missing: readonly string[];
  contradictory: boolean;
  failure?: Failure;
}

const NOTHING = { score: null, pass: null, reason: "", missing: [], contradictory: false };

/** What was cast by a speaker, with its failure in words. */
export function voteLine(
  speaker: SpeakerLook,
  cast: Cast | undefined,
  say: (failed: SeatFailure) => Failure,
  voting = false,
): VoteLine {
  if (!cast) return { speaker, state: voting ? "voting" : "waiting", ...NOTHING };
  if ("failed" in cast) return { speaker, state: "failed", ...NOTHING, failure: say(cast.failed) };
  if (!("vote" in cast)) return { speaker, state: "abstained", ...NOTHING };
  const { score, pass, reason, missing = [] } = cast.vote;
  return { speaker, state: "voted", score, pass, reason, missing, contradictory: contradicts(cast.vote) };
}

/** A vote of a report. */
export function reportedVote(speaker: SpeakerLook, vote: ReportVote): VoteLine {
  const { score, pass, reason, missing, contradictory, failed } = vote;
  const state = failed ? "failed" : vote.abstained || score === null ? "abstained" : "voted";
  return { speaker, state, score, pass, reason, missing, contradictory, ...(failed && { failure: failed }) };
}
