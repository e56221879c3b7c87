// Why access was refused, with a remedy for a person without a terminal.

import { ProblemError } from "../../api/client";
import { useTranslation } from "../../i18n";
import { ErrorNotice } from "../../ui/surface";

/** The refusal; `hint` says what to do about a wrong password. */
export function AccessRefused({ error, hint }: { error: unknown; hint?: string }) {
  const { t } = useTranslation();
  if (!(error instanceof ProblemError)) {
    return <ErrorNotice error={error} compact />;
  }
  const wrong = error.sort === "wrong-password" ? hint : undefined;
  const better = error.status === 429 ? t("signin.wait_hint") : wrong;
  return (
    <ErrorNotice error={better ? new ProblemError({ ...error.problem, hint: better }) : error} compact />
  );
}
