// The way of a meeting from its preparation to its conclusion: which steps it has, where it is, what it has been through.

import type { View } from "../../meeting/view";

/** A step on the way. */
type Step = "preparation" | "blind" | "discussion" | "summary" | "ballot" | "facilitation" | "conclusion";

/**
 * A step and its state. Each round goes through its steps again: one that is `been` is behind this round, or
 * behind the meeting for good; one that is `earlier` was in a round before this one, and is not yet in this.
 */
interface Mark {
  step: Step;
  when: "been" | "now" | "earlier" | "ahead";
}

/** The steps that this meeting's rules give it. */
export function steps(view: View): Step[] {
  const { turns, decision, intake, roster } = view.rules;
  const prepares = intake.when !== "never" || roster.assemble || roster.newcomers || roster.leave_below > 0;
  const all: [Step, boolean][] = [
    ["preparation", prepares],
    ["blind", turns.blind_round],
    ["discussion", true],
    ["summary", sumsUp(view)],
    ["ballot", decision.ballots],
    ["facilitation", decision.ballots],
    ["conclusion", true],
  ];
  const now = current(view);
  return all.flatMap(([step, has]) => (has || step === now ? [step] : []));
}

/** Whether rounds are summarized; without summaries, the time between two rounds is part of the discussion. */
function sumsUp({ rules: { context, decision } }: View): boolean {
  return context.rolling_summary || decision.ballots || decision.convergence !== null;
}

/** The present step; undefined before the start. */
function current(view: View): Step | null {
  if (view.state === "ended") return "conclusion";
  switch (view.step) {
    case "discussion":
      return view.round?.kind === "blind" ? "blind" : "discussion";
    case "summary":
      return sumsUp(view) ? "summary" : "discussion";
    case "closing":
      return "conclusion";
    default:
      return view.step;
  }
}

/** All steps with when they are. Once the conclusion is there or being written, nothing else is to come any more. */
export function marks(view: View): Mark[] {
  const now = current(view);
  const over = view.state === "ended";
  const ever = everBeen(view, now);
  const here = now === "conclusion" ? ever : beenInRound(view, now);
  const all = steps(view);
  const when = (step: Step, at: number): Mark["when"] => {
    if (step === now && !over) return "now";
    // A step is not behind while one before it is under way.
    const later = now !== null && at > all.indexOf(now);
    if (here[step] && !later) return "been";
    return ever[step] ? "earlier" : "ahead";
  };
  return all
    .map((step, at) => ({ step, when: when(step, at) }))
    .filter((mark) => now !== "conclusion" || mark.when !== "ahead");
}

/** The steps that the meeting has been through, in any round. */
function everBeen(view: View, now: Step | null): Record<Step, boolean> {
  const round = view.round?.number ?? -1;
  return {
    preparation: round >= 0,
    blind: round > 0 || (round === 0 && now !== "blind"),
    discussion: round > 1 || (round === 1 && now !== "discussion"),
    summary: round > 0 && view.summary !== null && view.summary !== undefined,
    ballot: view.ballots.some((ballot) => ballot.state !== "open"),
    facilitation: view.ballots.some((ballot) => failed(ballot.state) && ballot.round < round),
    conclusion: view.state === "ended",
  };
}

/** Which steps this round has been through; what comes once in a meeting stays behind it. */
function beenInRound(view: View, now: Step | null): Record<Step, boolean> {
  const { preparation, blind } = everBeen(view, now);
  const round = view.round?.number ?? -1;
  const talked = round >= 1 && (now === "summary" || now === "ballot" || now === "facilitation");
  return {
    preparation,
    blind,
    discussion: talked,
    summary: view.summary?.round === round,
    ballot: view.ballots.some((ballot) => ballot.round === round && ballot.state !== "open"),
    facilitation: false,
    conclusion: false,
  };
}

function failed(state: View["ballots"][number]["state"]): boolean {
  return typeof state === "object" && "closed" in state && !state.closed.passed;
}
