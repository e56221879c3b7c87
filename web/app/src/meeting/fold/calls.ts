// Calls in flight and their usage.
import type { ParticipantId, Spending as Spent, Usage } from "../../api/schema";
import { type View, wholeUsage } from "../view";
import { afterFailure, noteCovers } from "./older";
import { withSeat } from "./participants";
import type { Payload } from "./payload";
import { removeMinutesRequest } from "./records";

/** A call begins. */
export function startCall(v: View, at: string, payload: Payload<"call_started">): void {
  const { task, attempt, reserved, fallback, covers } = payload;
  if (fallback != null) spend(v, task, (spent) => ({ ...spent, fallbacks: spent.fallbacks + 1 }));
  const caller = whoseTurn(v, task);
  if (caller !== undefined) v.kept = { ...v.kept, callers: { ...v.kept.callers, [task]: caller } };
  if (task.startsWith("artifact:") && covers == null) noteCovers(v, task);
  v.calls = { ...v.calls, [task]: { attempt, reserved, started_at: at } };
}

/** A request within a call brought nothing; another one follows. */
export function retryCall(
  v: View,
  started_at: string,
  next_try_at: string,
  payload: Payload<"call_retried">,
): void {
  const { task, usage, cost_micros, kind } = payload;
  const call = v.calls[task];
  if (call) v.calls = { ...v.calls, [task]: { ...call, retry: { kind, started_at, next_try_at } } };
  spend(v, task, (spent) => {
    const tried = { ...spent, retries: spent.retries + 1 };
    return usage.input_tokens + usage.output_tokens > 0 ? add(tried, usage, cost_micros) : tried;
  });
}

/** A call is over, and this is what it used. */
export function endCall(v: View, payload: Payload<"call_ended">): void {
  const { task, usage, cost_micros } = payload;
  const { [task]: _, ...calls } = v.calls;
  v.calls = calls;
  spend(v, task, (spent) => ({ ...add(spent, usage, cost_micros), calls: spent.calls + 1 }));
  const { [task]: __, ...callers } = v.kept.callers;
  v.kept = { ...v.kept, callers };
}

/** A task failed. Minutes whose request is withdrawn do not come. */
export function failTask(v: View, payload: Payload<"error">): void {
  const { task, kind } = payload;
  const then = payload.then ?? afterFailure(v, task, kind);
  if (then === "withdrawn" && task.startsWith("minutes:v")) removeMinutesRequest(v, Number(task.slice(9)));
}

/** Adds usage to the meeting, and to the participant behind the task. */
function spend(v: View, task: string, change: (spent: Spent) => Spent): void {
  v.spent = change(v.spent);
  const who = doer(v, task);
  if (who === undefined) v.kept = { ...v.kept, stale: true };
  if (who == null) v.facilitator_spent = change(v.facilitator_spent);
  else withSeat(v, who, (seat) => ({ ...seat, spent: change(seat.spent) }));
}

/** The participant behind a task: null is the facilitator, undefined is unknown. */
function doer(v: View, task: string): ParticipantId | null | undefined {
  const [verb, ...rest] = task.split(":");
  switch (verb) {
    case "speak": {
      const found = whoseTurn(v, task);
      if (found !== undefined) return found;
      return task in v.kept.callers ? v.kept.callers[task] : null;
    }
    case "vote":
      return rest[1] ?? null;
    case "minutes": {
      const version = Number(rest[0]?.slice(1));
      return version in v.kept.writers ? v.kept.writers[version] : null;
    }
    default:
      return null;
  }
}

function whoseTurn(v: View, task: string): ParticipantId | undefined {
  if (!task.startsWith("speak:")) return undefined;
  const id = task.slice(6);
  return v.round?.turns.find((turn) => turn.id === id)?.participant;
}

function add(spent: Spent, used: Usage, cost: number | null | undefined): Spent {
  const total = wholeUsage(spent.usage);
  const usage = wholeUsage(used);
  return {
    ...spent,
    usage: {
      input_tokens: total.input_tokens + usage.input_tokens,
      output_tokens: total.output_tokens + usage.output_tokens,
      reasoning_tokens: total.reasoning_tokens + usage.reasoning_tokens,
      cached_tokens: total.cached_tokens + usage.cached_tokens,
      cache_write_tokens: total.cache_write_tokens + usage.cache_write_tokens,
      searches: total.searches + usage.searches,
      estimated: total.estimated || usage.estimated,
    },
    cost_micros: spent.cost_micros + (cost ?? 0),
    unpriced_calls: spent.unpriced_calls + (cost == null ? 1 : 0),
  };
}
