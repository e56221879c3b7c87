// Participants whose calls failed, with the reason and the remedy.

import type { ReportFailedParticipant } from "../../api/schema";
import { FailureWords } from "../../components/ballot/failure";
import { Speaker, usePlace } from "../../components/record/place";
import { Lines } from "../../components/record/section";
import { useTranslation } from "../../i18n";

/** All participants whose turns or votes failed. */
export function Failures({ rows }: { rows: readonly ReportFailedParticipant[] }) {
  const { t } = useTranslation();
  const { lang } = usePlace();
  return (
    <Lines>
      {rows.map((row) => (
        <li key={row.name} className="text-body">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Speaker name={row.name} />
            <span className="text-meta text-ink-3">
              {[
                !row.spoke && row.failed_turns > 0 ? t("result.never_spoke") : "",
                row.failed_turns > 0 ? t("result.turns_failed", { n: row.failed_turns, of: row.turns }) : "",
                row.failed_votes > 0 ? t("result.votes_failed", { count: row.failed_votes }) : "",
              ]
                .filter(Boolean)
                .join(" · ")}
            </span>
          </p>
          {row.last && (
            <p lang={lang} className="measure mt-1 pl-7.5 text-dense">
              <FailureWords failure={row.last} />
            </p>
          )}
        </li>
      ))}
    </Lines>
  );
}
