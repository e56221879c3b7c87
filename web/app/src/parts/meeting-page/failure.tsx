// A failure in the reader's language: what to do about it, and what was reported in its own words.

import { useTranslation } from "react-i18next";
import type { FailureKind } from "../../api/schema";

/** What to do about a failure. */
export function WhatToDo({ kind }: { kind: FailureKind }) {
  const { t } = useTranslation();
  return t(`table.failure_do.${kind}`);
}

/** The original error text: a provider writes in its own language. */
export function OwnWords({ detail, hint }: { detail?: string | undefined; hint?: string | undefined }) {
  const { t } = useTranslation();
  const words = [detail, hint].filter(Boolean).join(" · ");
  return words ? t("table.failure_said", { words }) : null;
}
