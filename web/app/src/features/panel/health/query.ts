// Loads the health of the meeting, again after each event, with a limited frequency.

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { askHealth } from "../../../api/health";
import { useTable } from "../../../components/meeting-page/context";

const EVERY_MS = 500;

/** The health of the meeting, and what to do when it cannot be loaded. */
export function useHealth() {
  const { view, past } = useTable();
  const then = useThrottled(view.last_seq);
  return useQuery({
    queryKey: ["meeting", view.id, "health", then],
    queryFn: () => askHealth(view.id, past ? then : undefined),
    placeholderData: (before) => before,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The value, which follows at once, and while it changes all the time at most so often. */
function useThrottled(value: number): number {
  const [shown, setShown] = useState({ value, at: 0 });
  useEffect(() => {
    if (shown.value === value) return;
    const wait = Math.max(0, shown.at + EVERY_MS - performance.now());
    const timer = setTimeout(() => setShown({ value, at: performance.now() }), wait);
    return () => clearTimeout(timer);
  }, [value, shown]);
  return shown.value;
}
