// What was chosen while an event was read, in logs before versions 4 and 5 of the contract of events. Later events say it
// themselves. These rules are those of their time and never change.
import type {
  Actor,
  FailureKind,
  ParticipantId,
  PlannedPause,
  Rules,
  TaskFailureConsequence,
} from "../../api/schema";
import { isCounted, isDone, type View } from "../view";
import { withRound } from "./round";

/** The longest time between two events that counted as running time. */
export function silenceMaxMs(rules: Rules): number {
  return rules.turns.timeout_ms + 60_000;
}

/** Rules of a log that was written before there were limits for tools: those of the core's defaults. */
export function withToolLimits(rules: Rules): Rules {
  const later = { tool_calls: 100, tool_calls_per_turn: 8, tool_timeout_ms: 30_000 };
  return { ...rules, limits: Object.assign(later, rules.limits) };
}

/** What followed from the failure of a task. A request of a person was not repeated by itself. */
export function afterFailure(v: View, task: string, kind: FailureKind): TaskFailureConsequence {
  const kept = v.step === "closing" || kind === "budget";
  const isRecord = task.startsWith("minutes:") || task.startsWith("artifact:");
  return isRecord && !kept ? "withdrawn" : "given_up";
}

/** Remembers what an artifact will cover: the messages that can be read when it is asked for. */
export function noteCovers(v: View, task: string): void {
  v.kept = { ...v.kept, covers: { ...v.kept.covers, [task]: visibleMessages(v) } };
}

/** The number of messages that an artifact covered. */
export function artifactCovers(v: View, task: string, author: Actor): number {
  const asked = v.kept.covers[task];
  if (author.kind === "system") return visibleMessages(v);
  if (asked === null) v.kept = { ...v.kept, stale: true };
  return asked ?? visibleMessages(v);
}

/** The number of messages that all participants could read: those of a running blind or parallel round were not. */
function visibleMessages(v: View): number {
  const round = v.round;
  const hidden = round && round.kind !== "serial" && v.step === "discussion" && round.ended_seq == null;
  if (!hidden) return v.messages_total;
  const said = round.turns.flatMap(({ state }) =>
    typeof state === "object" && "said" in state ? [Number(state.said.slice(1)) - 1] : [],
  );
  return Math.min(v.messages_total, ...said);
}

/** Whoever left or went offline waited for no turn any more. Before version 5. */
export function leaveQueue(v: View, id: ParticipantId): void {
  withRound(v, (round) => ({ ...round, queue: round.queue.filter(([queued]) => queued !== id) }));
}

/** The strides of this length that were complete when a pause was requested; null when unknown. Before version 5. */
export function strides(v: View, stride: PlannedPause["after"]): number | null {
  const counted = v.ballots.filter((ballot) => isCounted(ballot.state)).length;
  switch (stride) {
    case "turn": {
      const done = v.round?.turns.filter((turn) => isDone(turn.state)).length ?? 0;
      return v.kept.turns_done === null ? null : v.kept.turns_done + done + counted;
    }
    case "round":
      return v.rounds.filter((round) => round.ended_seq !== null).length;
    case "ballot":
      return counted;
  }
}
