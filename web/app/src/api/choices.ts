// What may stand in a field, where it is one of a few; checked by the compiler against the interface.

import type { Effort, Temperament } from "./schema";

/** How simulated participants can behave. */
export const TEMPERAMENTS = [
  "balanced",
  "agreeable",
  "stubborn",
  "copycat",
  "verbose",
  "silent",
  "slow",
  "flaky",
  "malformed",
  "injecting",
] as const satisfies readonly Temperament[];

/** How much a model can be told to think first. */
export const EFFORTS = ["none", "low", "medium", "high"] as const satisfies readonly Effort[];
