// A value that has come to rest.

import { useEffect, useState } from "react";

/** The value once it has not changed for so long; what follows from it is not asked for at every step of a hand. */
export function useDebounced<T>(value: T, rest_ms: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), rest_ms);
    return () => clearTimeout(timer);
  }, [value, rest_ms]);
  return settled;
}
