// Why a vote or a turn failed, and the remedy.

import type { FailureKind, SeatFailure } from "../../api/schema";
import { useTranslation } from "../../i18n";
import { usePhrase } from "../../i18n/phrases";

/** A failure, in the words of the page or of the server. */
export interface Failure {
  kind?: FailureKind | null;
  /** What happened, where there is no kind. */
  text: string;
  detail: string;
  hint: string;
}

/** Puts the failure of a participant into words. */
export function useFailure(): (failed: SeatFailure) => Failure {
  const phrase = usePhrase();
  return ({ kind, detail, hint }) => ({
    kind: kind ?? null,
    text: "",
    detail: phrase(detail),
    hint: phrase(hint),
  });
}

/** The reason, and what helps. */
export function FailureWords({ failure: { kind, text, detail, hint } }: { failure: Failure }) {
  const { t } = useTranslation();
  const what = [kind ? t(`table.failure.${kind}`) : text, kind === "timed_out" ? "" : detail];
  const helps = hint || (kind ? t(`table.failure_do.${kind}`) : "");
  return (
    <>
      <span className="text-bad">{what.filter(Boolean).join(t("ui.colon"))}</span>
      {helps && <span className="block text-meta text-ink-3">{helps}</span>}
    </>
  );
}
