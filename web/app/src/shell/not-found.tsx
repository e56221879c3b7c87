// The placeholder for a missing page, and for a page with an error.

import type { ErrorComponentProps } from "@tanstack/react-router";
import { useTranslation } from "../i18n";
import { Button, ButtonLink } from "../ui/button";
import { Empty, ErrorNotice } from "../ui/surface";

/** The placeholder for a missing page. */
export function Missing() {
  const { t } = useTranslation();
  return (
    <Empty
      as="h1"
      title={t("shell.missing_title")}
      action={<ButtonLink to="/">{t("shell.to_home")}</ButtonLink>}
    >
      {t("shell.missing_text")}
    </Empty>
  );
}

/** A page broke; the others did not. */
export function Broken({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation();
  return (
    <div className="mx-auto flex w-full max-w-2xl flex-col gap-3 p-6">
      <ErrorNotice error={error} onRetry={reset} />
      <div className="flex gap-2">
        <Button onClick={() => window.location.reload()}>{t("problem.reload")}</Button>
        <ButtonLink to="/">{t("shell.to_home")}</ButtonLink>
      </div>
    </div>
  );
}
