// The remaining wait before another attempt.

import { useEffect, useState } from "react";
import { ProblemError } from "../../api/client";

/** The seconds left until the refused request may be sent again; 0 when it may be now. */
export function useCountdown(error: unknown): number {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    const wait = error instanceof ProblemError ? (error.problem.retry_after ?? 0) : 0;
    const until = Date.now() + wait * 1_000;
    const tell = () => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1_000)));
    tell();
    if (wait === 0) {
      return;
    }
    const clock = setInterval(tell, 500);
    return () => clearInterval(clock);
  }, [error]);
  return left;
}
