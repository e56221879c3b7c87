// The known claims and messages of a meeting, updated with the loaded lines.

import { useEffect, useMemo } from "react";
import { useMeetingStore } from "../../meeting/hooks";
import { finderOf } from "./reference-lookup";
import { Known } from "./references";

/** Everything that texts of this meeting refer to. */
export function useKnown(meeting: string): Known {
  const store = useMeetingStore();
  const known = useMemo(() => {
    const made = new Known(finderOf(meeting));
    made.learn(store.snapshot().lines);
    return made;
  }, [meeting, store]);
  useEffect(() => {
    let lines = store.snapshot().lines;
    known.learn(lines);
    return store.subscribe(() => {
      const now = store.snapshot().lines;
      if (now !== lines) {
        lines = now;
        known.learn(now);
      }
    });
  }, [known, store]);
  return known;
}
