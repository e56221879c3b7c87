// The verdict first: how the meeting ended in a sentence, and each thing the rules asked for.

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import CircleCheck from "lucide-react/icons/circle-check";
import CircleDot from "lucide-react/icons/circle-dot";
import CirclePause from "lucide-react/icons/circle-pause";
import { useMe } from "../../api/permissions";
import type { Report } from "../../api/schema";
import { ClauseList } from "../../components/ballot/clauses";
import { healthOf } from "../../components/export/result-queries";
import { ballotNumber, outcomeWords } from "../../components/outcome";
import { EventLink } from "../../components/record/place";
import { type Translate, useTranslation } from "../../i18n";
import { usePhrase } from "../../i18n/phrases";
import type { ServerView } from "../../meeting/view";
import { moment, money, span } from "../../shell/formatting";
import { cx } from "../../ui/classes";
import type { Tone } from "../../ui/surface";
import { outcomeTone } from "./labels";

const INK: Record<Tone, string> = {
  plain: "text-ink",
  good: "text-good",
  warn: "text-warn",
  bad: "text-bad",
  calm: "text-calm",
  accent: "text-accent",
};

/** The outcome, or the present state. */
export function Verdict({ report, view }: { report: Report; view: ServerView | undefined }) {
  const { t } = useTranslation();
  const me = useMe()?.person;
  const doubtful = report.outcome?.outcome === "converged" && lacksMajority(report);
  const tone = report.incomplete || doubtful ? "warn" : outcomeTone(report.outcome);
  const Icon = tone === "good" ? CircleCheck : tone === "calm" || report.outcome ? CircleDot : CirclePause;
  const decided = report.outcome?.outcome === "accepted" ? report.outcome.ballot : undefined;
  const ballot = decided
    ? report.ballots.find((one) => one.id === decided)
    : report.ballots.findLast((one) => one.verdict);
  return (
    <div className="pb-8">
      {report.incomplete && (
        <p role="alert" className="mb-3 rounded-2xl bg-bad-soft px-4 py-3 text-body font-medium text-bad">
          {t("result.incomplete", { n: report.incomplete.failed, all: report.incomplete.seats })}
        </p>
      )}
      <p className={cx("flex items-start gap-2.5 text-h1 font-semibold", INK[tone])}>
        <Icon size={26} className="mt-1 shrink-0" aria-hidden />
        <span className="min-w-0 break-words">
          {doubtful
            ? t("result.support.no_agreement")
            : outcomeWords(t, report.outcome, report.ended_by, me, report.rounds)}
        </span>
      </p>
      <p className="mt-1.5 text-body text-ink-2">{summaryWords(t, report, view)}</p>
      <Suspicion report={report} />
      {ballot?.verdict && (
        <div className="mt-4">
          <p className="mb-1 flex flex-wrap gap-x-2 text-meta text-ink-3">
            {!decided && t("result.last_ballot", { n: ballotNumber(ballot.id), round: ballot.round })}
            {ballot.seq != null && (
              <span className="print:hidden">
                <EventLink seq={ballot.seq}>{t("result.see_there")}</EventLink>
              </span>
            )}
          </p>
          <ClauseList clauses={ballot.verdict.clauses} />
        </div>
      )}
      {report.why_no_consensus.length > 0 && (
        <div className="mt-4">
          <p className="text-dense font-medium">{t("result.why_not")}</p>
          <ul lang={report.language} className="mt-1 list-disc pl-5 text-dense text-ink-2">
            {report.why_no_consensus.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

/** That the agreement is suspicious, with the way to what makes it so. */
function Suspicion({ report }: { report: Report }) {
  const { t } = useTranslation();
  const phrase = usePhrase();
  const id = report.meeting_id;
  const verdict = useQuery(healthOf(id, report.outcome != null)).data?.verdict;
  if (verdict?.standing !== "suspicious") {
    return null;
  }
  return (
    <p data-testid="suspicion" className="mt-3 rounded-2xl bg-warn-soft px-4 py-3 text-dense text-ink">
      {phrase(verdict.text)}{" "}
      <Link
        to="/m/$id"
        params={{ id }}
        search={{ tab: "health" }}
        className="text-accent underline underline-offset-2 print:hidden"
      >
        {t("result.see_health")}
      </Link>
    </p>
  );
}

function summaryWords(t: Translate, report: Report, view: ServerView | undefined): string {
  const seats = view?.participants.filter((one) => one.present !== false).length ?? report.shifts.length;
  const talked = t("result.talked", {
    seats: t("result.seats", { count: seats }),
    rounds: t("result.rounds", { count: report.rounds }),
    messages: t("result.messages", { count: report.messages }),
  });
  const support = supportWords(t, report).filter(Boolean).join(t("result.and"));
  const joint = t("result.joint");
  return [talked, support].filter(Boolean).join(joint) + joint.trimEnd();
}

/** The support, as the report counts it; nothing is counted here. */
function supportWords(t: Translate, { agreement, outcome, collects_ideas }: Report): string[] {
  const { basis, supports, reserved, dissents, abstained, failed, divided } = agreement;
  const all = agreement.seats.length;
  // Before its end a meeting may still be asked, and ideas need no agreement.
  if (basis === "nothing" && (!outcome || collects_ideas)) return [];
  if (divided) return [t("result.support.divided")];
  const voted = basis === "ballot";
  return [
    basis === "nothing"
      ? t("result.support.unasked")
      : t(voted ? "result.support.voted" : "result.support.held", { n: supports, all }),
    reserved > 0 ? t("result.reserved", { count: reserved }) : "",
    dissents > 0 ? t(voted ? "result.support.against" : "result.support.elsewhere", { count: dissents }) : "",
    abstained > 0 ? t("result.support.abstained", { count: abstained }) : "",
    failed > 0 ? t("result.support.failed", { count: failed }) : "",
  ];
}

/** Whether it is known that supporters are not more than dissenters. */
function lacksMajority({ agreement }: Report): boolean {
  const known = agreement.basis !== "nothing" && agreement.passed !== true;
  return known && (agreement.divided || agreement.supports <= agreement.dissents + agreement.undecided);
}

/** The date, the duration, and the cost. */
export function Facts({ report }: { report: Report }) {
  const { t } = useTranslation();
  const { total, started_at: started } = report;
  const facts = [
    started ? moment(started) : t("result.not_started"),
    ...(started && report.outcome
      ? [t("result.took", { span: span(Date.parse(report.updated_at) - Date.parse(started)) })]
      : []),
    total.cost_micros == null
      ? t("result.cost_unknown")
      : total.cost_micros === 0 && report.simulated
        ? t("result.no_cost")
        : t("result.cost_short", {
            cost: `${total.estimated ? t("result.about") : ""}${money(total.cost_micros)}`,
          }),
  ];
  return (
    <p className="flex flex-wrap gap-x-3 text-meta text-ink-3">
      {facts.map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
    </p>
  );
}
