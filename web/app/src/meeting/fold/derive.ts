// Derived parts of the view: state, floor, and the use of each budget.
import type {
  Budget,
  CostBudgetUse as CostGauge,
  CurrentFloor,
  BudgetUse as Gauge,
  MeetingState as State,
} from "../../api/schema";
import type { View } from "../view";

/** Brings up to date what is computed from other fields; what comes out the same keeps its identity. */
export function derive(before: View, v: View): void {
  v.state = stateOf(v);
  if (v.step !== null && v.step !== "closing") v.outcome = null;
  if (v.round !== before.round || v.participants !== before.participants) v.floor = floor(before, v);
  if (v.participants.length !== before.participants.length || v.facilitator !== before.facilitator) {
    v.simulated = v.participants.some((seat) => seat.simulated) || v.facilitator?.runner.kind === "simulated";
  }
  v.budget = budget(before.budget, v);
}

function stateOf(v: View): State {
  if (v.state === "ended") return "ended";
  if (v.pause) return "paused";
  switch (v.step) {
    case null:
      return "draft";
    case "preparation":
      return "preparation";
    case "discussion":
    case "summary":
      return "discussion";
    case "ballot":
    case "facilitation":
      return "ballot";
    case "closing":
      return "closing";
  }
}

function floor(before: View, v: View): CurrentFloor[] {
  const open = v.round?.turns.filter((turn) => turn.state === "open") ?? [];
  const now = open.map(({ id: turn, participant }) => {
    const seat = v.participants[Number(participant.slice(1)) - 1];
    return { turn, participant, name: seat?.participant.name ?? participant };
  });
  const same = (one: CurrentFloor, place: number) =>
    one.turn === before.floor[place]?.turn && one.name === before.floor[place]?.name;
  return now.length === before.floor.length && now.every(same) ? before.floor : now;
}

function budget(before: Budget, v: View): Budget {
  const { tokens, cost_micros, wall_ms, max_rounds } = v.rules.limits;
  const { input_tokens, output_tokens } = v.spent.usage;
  const next = {
    tokens: gauge(before.tokens, input_tokens + output_tokens, tokens),
    cost_micros: costGauge(before.cost_micros, v, cost_micros),
    wall_ms: gauge(before.wall_ms, v.kept.ran_ms, wall_ms),
    rounds: gauge(before.rounds, v.budget.rounds.used, max_rounds),
  };
  const same =
    next.tokens === before.tokens &&
    next.cost_micros === before.cost_micros &&
    next.wall_ms === before.wall_ms &&
    next.rounds === before.rounds;
  return same ? before : next;
}

function gauge(before: Gauge, used: number, limit: number | null): Gauge {
  return before.used === used && before.limit === limit ? before : { used, limit };
}

/** A cost is unknown as soon as a part of it is unknown. */
function costGauge(before: CostGauge, v: View, limit: number | null): CostGauge {
  const used = v.spent.unpriced_calls > 0 ? null : v.spent.cost_micros;
  return before.used === used && before.limit === limit ? before : { used, limit };
}
