// A failure in the reader's language: what to do about it, and what was reported of it.

import type { FailureKind, Phrase } from "../../api/schema";
import { useTranslation } from "../../i18n";
import { usePhrase } from "../../i18n/phrases";

/** What to do about a failure; nothing where a hint in the reader's language says it of this very case. */
export function WhatToDo({ kind, hint }: { kind: FailureKind; hint?: Phrase | undefined }) {
  const { t } = useTranslation();
  return hint && "code" in hint ? null : t(`table.failure_do.${kind}`);
}

/** What was reported of a failure, and what helps in this case. */
export function Reported({ detail, hint }: { detail?: Phrase | undefined; hint?: Phrase | undefined }) {
  const say = usePhrase();
  return [detail, hint].map(say).filter(Boolean).join(" · ") || null;
}
