// The time since a moment: by the page's clock while the meeting is live, by the meeting's own in a replay.

import { useEffect, useState } from "react";
import { clockAhead, serverNow } from "../../api/clock";
import { useMeeting, useReplay } from "../../meeting/hooks";
import type { Snapshot } from "../../meeting/snapshot";

/** Milliseconds since a moment of the meeting. It stops in a replay between events, and while the connection is down. */
export function useElapsed(at: string | undefined): number {
  const since = at === undefined ? undefined : Date.parse(at);
  const past = useReplay((shown) => (shown.view ? Date.parse(shown.view.updated_at) : 0))?.value;
  const down = useMeeting(downSince);
  const runs = past === undefined && down === null && since !== undefined;
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    if (!runs) {
      return;
    }
    setNow(serverNow());
    const timer = setInterval(() => setNow(serverNow()), 1_000);
    return () => clearInterval(timer);
  }, [runs]);
  return since === undefined ? 0 : Math.max(0, (past ?? (down === null ? now : down - clockAhead())) - since);
}

function downSince({ connection, since }: Snapshot): number | null {
  return connection === "lost" || connection === "paused" ? since : null;
}
