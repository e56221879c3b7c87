// Pausing, resuming and closing of a meeting.
import type { MeetingOutcome } from "../../api/schema";
import type { View } from "../view";
import { strides } from "./older";
import type { Payload } from "./payload";
import { outcomeOf } from "./records";

/** A pause was requested, at once or after a stride. */
export function requestPause(v: View, payload: Payload<"pause_requested">): void {
  const { by, after, completed: stated } = payload;
  if (after == null) {
    v.pause = null;
    v.pause_requested_by = by;
    return;
  }
  const completed = stated ?? strides(v, after);
  if (completed === null) v.kept = { ...v.kept, stale: true };
  v.planned_pause = { by, after, completed: completed ?? 0 };
}

/** The meeting paused. */
export function pause(v: View, at: string, payload: Payload<"pause">): void {
  const { pause_reason: reason, resume_token, questions, suggested_next } = payload;
  v.planned_pause = null;
  v.pause_requested_by = null;
  endProviderWait(v);
  v.pause = {
    reason,
    questions: questions ?? [],
    resume_token,
    suggested_next: suggested_next ?? "resume",
    paused_at: at,
    ...(reason === "need_approval" && v.kept.proposal ? { proposal: v.kept.proposal } : {}),
  };
  if (reason === "need_approval" && !v.kept.proposal) v.kept = { ...v.kept, stale: true };
}

/** The meeting was resumed. */
export function resume(v: View): void {
  v.planned_pause = null;
  v.pause = null;
  v.pause_requested_by = null;
}

/** No provider that could go on is reachable; the calls are retried. */
export function startProviderWait(v: View, at: string, payload: Payload<"provider_wait_started">): void {
  const { waiting_for, kind, tries, next_try_at } = payload;
  v.provider_wait = {
    waiting_for,
    kind,
    started_at: v.provider_wait?.started_at ?? at,
    tried_at: at,
    tries,
    next_try_at,
  };
}

/** The wait for providers ended. */
export function endProviderWait(v: View): void {
  delete v.provider_wait;
}

/** The end begins. */
export function startClosing(v: View, outcome: MeetingOutcome): void {
  endProviderWait(v);
  v.pause = null;
  v.pause_requested_by = null;
  v.step = "closing";
  v.outcome = outcomeOf(outcome);
}
