// How long a turn still waits.

import { useEffect, useState } from "react";

/** Milliseconds until then, in whole seconds; 0 when it is past. */
export function useTimeLeft(until: number): number {
  const [left, setLeft] = useState(() => leftOf(until));
  useEffect(() => {
    setLeft(leftOf(until));
    const clock = setInterval(() => setLeft(leftOf(until)), 500);
    return () => clearInterval(clock);
  }, [until]);
  return left;
}

function leftOf(until: number): number {
  return Math.max(0, Math.ceil((until - Date.now()) / 1_000) * 1_000);
}
