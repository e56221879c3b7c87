// Results in words: the outcome, each clause of a ballot, and the margin.

import { TEMPERAMENTS } from "../../api/choices";
import type { MeetingOutcome } from "../../api/schema";
import { runnerLabel } from "../../components/speaker/runner-label";
import i18n from "../../i18n";
import type { Tone } from "../../ui/surface";

/** The runner of a participant, as a report names it, in the words of the page: `simulated (stubborn)`. */
export function runnerWords(told: string): string {
  if (told === "person") {
    return i18n.t("table.person");
  }
  const temperament = TEMPERAMENTS.find((one) => told === `simulated (${one})`);
  return temperament ? runnerLabel({ kind: "simulated", temperament }) : told;
}

/** The colour of the outcome. Words stand beside it. */
export function outcomeTone(outcome: MeetingOutcome | null | undefined): Tone {
  switch (outcome?.outcome) {
    case undefined:
      return "calm";
    case "accepted":
    case "converged":
      return "good";
    case "completed":
      return "plain";
    case "aborted":
      return "warn";
  }
}
