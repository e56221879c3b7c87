// Allowed values of fields with a fixed set of choices; the compiler checks them against the interface.

import type { Effort, Temperament } from "./schema";

/** The temperaments of simulated participants. */
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

/** The thinking efforts of a model. */
export const EFFORTS = ["none", "low", "medium", "high"] as const satisfies readonly Effort[];
