// The running time of a meeting: the time between its events while it was neither paused nor interrupted.
import type { Event } from "../../api/schema";
import type { View } from "../view";

/** The last millisecond that RFC 3339 can write. */
const LAST_MS = 253_402_300_799_999;

/** A moment as the server writes it in a view: RFC 3339 in UTC. Moments after the year 9999 become its last. */
export function rfc3339(ms: number | undefined): string {
  return new Date(Math.min(ms ?? 0, LAST_MS)).toISOString();
}

/** Counts the time between the event before and this one, when the meeting ran during it. */
export function addRunningTime(before: View, v: View, event: Event): void {
  const idle = idleMs(event);
  if (idle === null || before.pause || before.step === null) return;
  const last = Date.parse(before.updated_at);
  const step = (event.ts_ms ?? last) - last - idle;
  if (step > 0) v.kept = { ...v.kept, ran_ms: v.kept.ran_ms + Math.min(step, before.silence_max_ms) };
}

/** The part of the time before an event in which the meeting did not run; null when it is all of it. */
function idleMs(event: Event): number | null {
  switch (event.type) {
    case "meeting_forked":
      return null;
    case "recovered":
      return event.payload.idle_ms ?? null;
    default:
      return 0;
  }
}
