// A failure in the reader's language: what to do about it, and what was reported of it.

import { useTranslation } from "react-i18next";
import type { FailureKind, Phrase } from "../../api/schema";
import { usePhrase } from "../../i18n/phrases";

/** What to do about a failure. */
export function WhatToDo({ kind }: { kind: FailureKind }) {
  const { t } = useTranslation();
  return t(`table.failure_do.${kind}`);
}

/** What was reported of a failure, and what helps in this case. */
export function Reported({ detail, hint }: { detail?: Phrase | undefined; hint?: Phrase | undefined }) {
  const say = usePhrase();
  return [detail, hint].map(say).filter(Boolean).join(" · ") || null;
}
