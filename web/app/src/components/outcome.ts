// The outcome of a meeting in words, the same wherever it is told.

import type { Actor, MeetingOutcome } from "../api/schema";
import type { TextKey, Translate } from "../i18n";
import type { Tone } from "../ui/surface";
import { actorName } from "./speaker/people";

/** The outcome, without what only the meeting itself knows. */
export function outcomeName(t: Translate, outcome: MeetingOutcome): string {
  switch (outcome.outcome) {
    case "accepted":
    case "converged":
    case "completed":
      return t(`result.outcome.${outcome.outcome}`);
    case "aborted":
      return outcome.reason === "budget"
        ? t(`result.outcome.budget_${outcome.budget}`)
        : t(`result.outcome.${outcome.reason}`);
  }
}

/** The outcome with the ballot that accepted, or with what has converged. */
function outcomeWithReason(t: Translate, outcome: MeetingOutcome): string {
  const name = outcomeName(t, outcome);
  switch (outcome.outcome) {
    case "accepted": {
      const why = t("result.outcome.why.ballot", { n: ballotNumber(outcome.ballot) });
      return t("result.outcome.more", { outcome: name, why });
    }
    case "converged":
      return t("result.outcome.more", { outcome: name, why: t(`result.outcome.why.${outcome.by}`) });
    case "completed":
    case "aborted":
      return name;
  }
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

/** The number in a ballot's id: `b2` is the second. */
export function ballotNumber(id: string): number {
  return Number(id.replace(/\D/g, "")) || 1;
}

/** An outcome as a list writes it: `accepted`, `aborted(round_limit)`, `aborted(token_budget)`. */
export function rowOutcome(t: Translate, written: string): { text: string; tone: Tone } {
  const [, kind = written, reason = ""] = /^(\w+)(?:\((.*)\))?$/.exec(written) ?? [];
  switch (kind) {
    case "accepted":
    case "converged":
      return { text: t(`result.outcome.${kind}`), tone: "good" };
    case "completed":
      return { text: t("result.outcome.completed"), tone: "plain" };
    default:
      return { text: t(abortKey(reason)), tone: "warn" };
  }
}

function abortKey(reason: string): TextKey {
  if (reason === "round_limit") return "result.outcome.round_limit";
  if (reason === "user") return "result.outcome.user";
  if (reason === "nobody_left") return "result.outcome.nobody_left";
  if (reason === "token_budget") return "result.outcome.budget_tokens";
  if (reason === "cost_budget") return "result.outcome.budget_cost";
  if (reason === "time_budget") return "result.outcome.budget_wall_time";
  return "result.outcome.aborted";
}
