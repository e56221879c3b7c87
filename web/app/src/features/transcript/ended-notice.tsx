// A meeting that is over: how it ended, and the way to its result.

import ArrowRight from "lucide-react/icons/arrow-right";
import { useMe } from "../../api/permissions";
import { outcomeWords } from "../../components/outcome";
import { useTranslation } from "../../i18n";
import { useMeeting } from "../../meeting/hooks";
import { ButtonLink } from "../../ui/button";

/** The notice in place of the composer after the end. */
export function EndedNotice() {
  const { t } = useTranslation();
  const id = useMeeting((shown) => shown.view?.id ?? "");
  const ended = useMeeting((shown) => shown.view?.state === "ended");
  const outcome = useMeeting((shown) => shown.view?.outcome ?? null);
  const endedBy = useMeeting((shown) => shown.view?.ended_by ?? null);
  const rounds = useMeeting((shown) => shown.view?.round?.number ?? 0);
  const me = useMe()?.person;
  if (!ended) {
    return null;
  }
  return (
    <div className="flex shrink-0 flex-wrap items-center justify-center gap-x-4 gap-y-1 border-t border-line bg-raised px-4 py-2.5 text-dense">
      <span className="text-ink-2">
        {outcome
          ? t("talk.finished", { outcome: outcomeWords(t, outcome, endedBy, me, rounds) })
          : t("talk.over")}
      </span>
      <ButtonLink look="primary" size="small" to="/m/$id/result" params={{ id }}>
        {t("talk.to_result")}
        <ArrowRight size={14} aria-hidden />
      </ButtonLink>
    </div>
  );
}
