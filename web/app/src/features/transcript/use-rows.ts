// The rows of the meeting in its present state.

import { useMemo } from "react";
import { useMeeting } from "../../meeting/hooks";
import type { Snapshot } from "../../meeting/snapshot";
import { type Row, rowsOf, type WorkInProgress } from "./rows";
import { isOwnTask } from "./tasks";

const NOTHING: WorkInProgress = { floor: [], tasks: [] };

function underWayOf({ view }: Snapshot): WorkInProgress {
  if (!view || view.state === "ended") {
    return NOTHING;
  }
  // Who had the floor was stopped when the meeting began to close, and is not asked again.
  const floor =
    view.step === "closing" ? [] : view.floor.map(({ turn, participant }) => ({ turn, participant }));
  return { floor, tasks: Object.keys(view.calls).filter(isOwnTask) };
}

function same(a: WorkInProgress, b: WorkInProgress): boolean {
  const turns = (one: WorkInProgress) => one.floor.map((entry) => entry.turn).join();
  return turns(a) === turns(b) && a.tasks.join() === b.tasks.join();
}

/** All rows of the window, and the work in progress when it reaches the end. */
export function useRows(): Row[] {
  const lines = useMeeting((shown) => shown.lines);
  const underWay = useMeeting(underWayOf, same);
  const skips = useMeeting((shown) => shown.view?.rules.turns.show_skips ?? true);
  const fromStart = useMeeting((shown) => shown.status === "ready" && !shown.hasOlder);
  const toEnd = useMeeting((shown) => !shown.hasNewer);
  return useMemo(
    () => rowsOf(lines, underWay, { skips, fromStart, toEnd }),
    [lines, underWay, skips, fromStart, toEnd],
  );
}
