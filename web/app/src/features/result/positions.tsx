// Positions: reservations, disagreements, and changes of all participants.

import ArrowRight from "lucide-react/icons/arrow-right";
import type { MessageId, Report, ReportDissent, ReportPositionHistory } from "../../api/schema";
import { FailureWords } from "../../components/ballot/failure";
import { ballotNumber } from "../../components/outcome";
import { DissentList } from "../../components/record/dissent";
import { Speaker, usePlace } from "../../components/record/place";
import { Lines, Nothing } from "../../components/record/section";
import { useTranslation } from "../../i18n";
import { Badge } from "../../ui/surface";
import { PositionChanges } from "./position-changes";
import { SourceLink } from "./source-link";

/** Dissent. It is shown also when the draft was accepted. `asked`: whether a ballot was counted. */
export function Dissent({ report, over, asked }: { report: Report; over: boolean; asked: boolean }) {
  const { t } = useTranslation();
  if (report.dissent.length > 0) {
    return <Dissenters rows={report.dissent} />;
  }
  if (!over) {
    return <Nothing>{t("result.no_dissent_yet")}</Nothing>;
  }
  if (asked) {
    return <Nothing>{t("result.no_dissent")}</Nothing>;
  }
  return (
    <Nothing>
      {t(report.agreement.divided ? "result.divided" : "result.nobody_asked")}
      {report.disagreements.length > 0 && ` ${t("result.left_open")}`}
    </Nothing>
  );
}

/** Who does not agree, or not with all of it. */
export function Dissenters({ rows }: { rows: readonly ReportDissent[] }) {
  const { t } = useTranslation();
  const lines = rows.map(({ name, score, ballot, position, reason, source }) => ({
    name,
    score:
      score == null
        ? undefined
        : ballot
          ? t("result.scored_in", { count: score, n: ballotNumber(ballot) })
          : t("result.scored", { count: score }),
    position,
    reason,
    source: source && <SourceLink message={source} />,
  }));
  return <DissentList lines={lines} />;
}

/** The changes of all participants, from the blind answer to the end. */
export function Shifts({ report }: { report: Report }) {
  const moved = report.shifts.some((row) => row.moved_by_argument + row.moved_without > 0);
  return (
    <>
      <Lines>
        {report.shifts.map((row) => (
          <Shift key={row.name} row={row} />
        ))}
      </Lines>
      {moved && <PositionChanges />}
    </>
  );
}

function Shift({ row }: { row: ReportPositionHistory }) {
  const { t } = useTranslation();
  const { lang } = usePlace();
  if (row.failed) {
    return (
      <li className="grid gap-x-5 gap-y-1 text-dense sm:grid-cols-[11rem_1fr]">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1 sm:flex-col sm:items-start">
          <Speaker name={row.name} small />
          <Badge tone="bad">{t("result.seat_failed")}</Badge>
        </div>
        <p lang={lang}>
          <FailureWords failure={row.failed} />
        </p>
      </li>
    );
  }
  const same = row.first === row.last;
  return (
    <li className="grid gap-x-5 gap-y-1 text-dense sm:grid-cols-[11rem_1fr]">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 sm:flex-col sm:items-start">
        <Speaker name={row.name} small />
        <MoveBadge row={row} />
      </div>
      <div className="grid items-center gap-x-3 gap-y-1 sm:grid-cols-[1fr_auto_1fr]">
        <Held
          text={row.first}
          sure={row.first_confidence}
          source={row.first_source}
          when={t("result.at_first")}
          lang={lang}
          quiet
        />
        <ArrowRight size={15} className="text-ink-3 max-sm:rotate-90" aria-hidden />
        <Held
          text={same ? t(sameWords(row)) : row.last}
          sure={row.last_confidence}
          source={row.last_source === row.first_source ? null : row.last_source}
          when={t("result.at_last")}
          lang={same ? undefined : lang}
        />
      </div>
    </li>
  );
}

/** The remark about a participant whose last words equal the first. */
function sameWords(row: ReportPositionHistory) {
  if (row.returned) {
    return "result.returned";
  }
  return row.moved_by_argument + row.moved_without > 0 ? "result.same_words" : "result.the_same";
}

function Held({
  text,
  sure,
  source,
  when,
  lang,
  quiet,
}: {
  text: string;
  sure: number | null | undefined;
  /** The message that says it. */
  source: MessageId | null;
  when: string;
  lang: string | undefined;
  quiet?: boolean;
}) {
  const { t } = useTranslation();
  return (
    <p className="min-w-0">
      <span className="sr-only">
        {when}
        {t("ui.colon")}
      </span>
      <span lang={lang} className={quiet ? "text-ink-2" : "text-ink"}>
        {text || t("result.no_position")}
      </span>
      {sure != null && (
        <>
          {" "}
          <span className="text-meta whitespace-nowrap text-ink-3">{t("table.rail.sure", { n: sure })}</span>
        </>
      )}
      {source && (
        <>
          {" "}
          <SourceLink message={source} />
        </>
      )}
    </p>
  );
}

function MoveBadge({ row }: { row: ReportPositionHistory }) {
  const { t } = useTranslation();
  if (row.moved_by_argument + row.moved_without === 0) {
    return <span className="text-meta text-ink-3">{t("result.stayed")}</span>;
  }
  return (
    <span className="flex flex-wrap gap-1">
      {row.moved_by_argument > 0 && (
        <Badge tone="good">{t("result.moved_by", { count: row.moved_by_argument })}</Badge>
      )}
      {row.moved_without > 0 && (
        <Badge tone="warn">{t("result.moved_without", { count: row.moved_without })}</Badge>
      )}
    </span>
  );
}
