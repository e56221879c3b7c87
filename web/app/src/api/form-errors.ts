// A refused request, spread over the form that sent it.

import i18n from "../i18n";
import { ProblemError } from "./client";
import type { Problem } from "./schema";

interface Placed {
  /** The errors, by field. */
  at: Record<string, string | undefined>;
  /** The error, when it says something that no field shows. */
  rest: unknown;
}

/** An error of a field, with what helps. It belongs to the only fault; of several it is not said which one it helps. */
export function withHint(detail: string, { errors = [], hint }: Problem): string {
  return hint && errors.length === 1 ? detail + i18n.t("ui.semicolon") + hint : detail;
}

/** Which of the form's fields a refusal is about: `/name` belongs to `name`, `/limits/uploads` to `limits/uploads`. */
export function formErrors(error: unknown, fields: readonly string[]): Placed {
  const problem = error instanceof ProblemError ? error.problem : null;
  const errors = problem?.errors ?? [];
  const at: Record<string, string | undefined> = {};
  let lost = errors.length === 0;
  for (const { pointer, detail } of errors) {
    const field = pointer.replace(/^\//, "");
    if (problem && fields.includes(field)) {
      at[field] ??= withHint(detail, problem);
    } else {
      lost = true;
    }
  }
  return { at, rest: lost ? error : null };
}
