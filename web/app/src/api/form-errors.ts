// A refused request, spread over the form that sent it.

import { ProblemError } from "./client";

interface Placed {
  /** The errors, by field. */
  at: Record<string, string | undefined>;
  /** The error, when it says something that no field shows. */
  rest: unknown;
}

/** Which of the form's fields a refusal is about: `/name` belongs to `name`, `/limits/uploads` to `limits/uploads`. */
export function formErrors(error: unknown, fields: readonly string[]): Placed {
  const { errors = [], hint } = error instanceof ProblemError ? error.problem : {};
  const at: Record<string, string | undefined> = {};
  let lost = errors.length === 0;
  for (const { pointer, detail } of errors) {
    const field = pointer.replace(/^\//, "");
    if (fields.includes(field)) {
      // What helps belongs to the only fault; of several it is not said which one it helps.
      at[field] ??= hint && errors.length === 1 ? `${detail} — ${hint}` : detail;
    } else {
      lost = true;
    }
  }
  return { at, rest: lost ? error : null };
}
