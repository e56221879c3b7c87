// Results in words: the outcome, each clause of a ballot, and the margin.

import { TEMPERAMENTS } from "../../api/choices";
import type { Actor, MeetingOutcome } from "../../api/schema";
import { outcomeWithReason } from "../../components/outcome";
import { actorName } from "../../components/speaker/people";
import { runnerLabel } from "../../components/speaker/runner-label";
import i18n, { type Translate } from "../../i18n";
import type { Tone } from "../../ui/surface";

/** The runner of a participant, as a report names it, in the words of the page: `simulated (stubborn)`. */
export function runnerWords(told: string): string {
  if (told === "person") {
    return i18n.t("table.person");
  }
  const temperament = TEMPERAMENTS.find((one) => told === `simulated (${one})`);
  return temperament ? runnerLabel({ kind: "simulated", temperament }) : told;
}

/** The outcome in a sentence, or the present state; with the person who ended the meeting, who may be the reader, `me`, and after how many `rounds`. */
export function outcomeWords(
  t: Translate,
  outcome: MeetingOutcome | null | undefined,
  by?: { by: Actor; note: string } | null,
  me?: string,
  rounds = 1,
): string {
  // Where nothing was said, nothing was completed.
  const completed = outcome?.outcome === "completed" && rounds > 0;
  const byHand =
    outcome?.outcome === "completed" || (outcome?.outcome === "aborted" && outcome.reason === "user");
  if (by && byHand) {
    const how = `${completed ? "completed" : "ended"}_by${by.note ? "_note" : ""}` as const;
    if (by.by.kind === "person" && by.by.id === me) {
      return t(`result.outcome.${how}_you`, { note: by.note });
    }
    // Who is at the server's machine without an account has no name.
    const who = actorName(by.by);
    const name =
      "name" in who ? who.name : t(`talk.actor_${who.word === "person" ? "person_too" : who.word}`);
    return t(`result.outcome.${how}`, { who: name, note: by.note });
  }
  return outcome ? outcomeWithReason(t, outcome) : t("result.outcome.open");
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
