// A meeting begins with the past of another.
import type { View } from "../view";
import type { Payload } from "./payload";

const NOTHING = { tokens: 0, cost_micros: null, ran_ms: 0, calls: 0 };

/** The start of a fork's own events. Tasks that were in flight are open again, and no call is made yet. */
export function startFork(v: View, at: string, payload: Payload<"meeting_forked">): void {
  const { from, at: seq, title, carried } = payload;
  v.title = title || v.topic;
  v.forked_from = { meeting: from, seq, forked_at: at, carried: carried ?? NOTHING };
  if (!carried) return; // an older version: what was under way was declared lost
  v.created_at = at;
  v.calls = {};
  v.kept = { ...v.kept, callers: {} };
}
