// The actual and the required value of a ballot's clause, in numbers that tell a miss from a hit.

import type { ClauseResult as Clause } from "../../api/schema";
import { rounded } from "../../shell/formatting";

/** A value of a clause for a reader: points, votes, or a share. */
function amount(clause: Clause, value: number, digits = 1): string {
  return clause.clause === "pass_ratio" ? `${rounded(value * 100, digits)}%` : rounded(value, digits);
}

/**
 * The actual and the required value, with as many digits as it takes to tell a miss from a hit (as in
 * `crates/contract/src/labels.rs`).
 */
export function amounts(clause: Clause): { got: string; needed: string } {
  const { got, needed } = clause;
  if (got == null) {
    return { got: "–", needed: amount(clause, needed) };
  }
  let digits = 1;
  while (!clause.met && digits < 6 && amount(clause, got, digits) === amount(clause, needed, digits)) {
    digits += 1;
  }
  return { got: amount(clause, got, digits), needed: amount(clause, needed, digits) };
}
