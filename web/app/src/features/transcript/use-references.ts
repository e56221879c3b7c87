// The known claims and messages of a meeting, updated with the loaded lines.

import { useEffect, useMemo } from "react";
import { useMeetingStore } from "../../meeting/hooks";
import { References } from "../../meeting/references";
import { referenceLookup } from "./reference-lookup";

/** Everything that texts of this meeting refer to. */
export function useReferences(meeting: string): References {
  const store = useMeetingStore();
  const known = useMemo(() => {
    const made = new References(referenceLookup(meeting));
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
