// One ballot: its result, clause by clause, and the votes with their reasons.

import Check from "lucide-react/icons/check";
import EyeOff from "lucide-react/icons/eye-off";
import X from "lucide-react/icons/x";
import { useTranslation } from "react-i18next";
import type { MeetingBallot, MessageId, ParticipantId, Verdict } from "../../api/schema";
import { Badge, Card } from "../../ui/surface";
import { thresholdOf, VoteBar, VoteWord } from "../charts/vote-bar";
import { amounts } from "../meeting-page/clause-amounts";
import { useTable } from "../meeting-page/context";
import { contradicts, passOf, scoreOf } from "../meeting-page/score";
import { Named } from "../participants/avatar";
import { Why } from "../transcript/ballot";
import { JumpTo, useJumpToMessage, useSaid } from "./sources";

/** A ballot. */
export function BallotCard({ ballot, open }: { ballot: MeetingBallot; open: boolean }) {
  const { t } = useTranslation();
  const { state } = ballot;
  const verdict = typeof state === "object" && "closed" in state ? state.closed : null;
  const interrupted = typeof state === "object" && "interrupted" in state ? state.interrupted : null;
  const threshold = thresholdOf(verdict, useTable().view.rules.decision);
  const cast = ballot.withheld ? ballot.cast_count : Object.keys(ballot.cast).length;
  return (
    <Card className="overflow-hidden" aria-label={t("panel.votes.number", { n: ballot.id.slice(1) })}>
      <details open={open}>
        <summary className="flex flex-wrap items-center gap-x-2 gap-y-1 px-3 py-2 text-dense hover:bg-sunken">
          <span className="font-medium">{t("panel.votes.number", { n: ballot.id.slice(1) })}</span>
          <span className="text-meta text-ink-3">
            {t("panel.votes.on", { round: ballot.round, version: ballot.draft_version })}
          </span>
          <span className="ml-auto">
            {verdict ? (
              <Badge
                tone={verdict.passed ? "good" : "bad"}
                icon={verdict.passed ? <Check size={12} aria-hidden /> : <X size={12} aria-hidden />}
              >
                {t(verdict.passed ? "panel.votes.passed" : "panel.votes.not_passed")}
              </Badge>
            ) : (
              <Badge tone={interrupted ? "warn" : "calm"}>
                {t(interrupted ? "panel.votes.interrupted" : "panel.votes.open", {
                  cast,
                  all: ballot.voters.length,
                })}
              </Badge>
            )}
          </span>
        </summary>
        <div className="flex flex-col gap-3 border-t border-line px-3 py-3">
          {verdict && <Clauses verdict={verdict} />}
          {interrupted && <Interrupted by={interrupted} />}
          {ballot.withheld ? (
            <p className="flex items-start gap-2 text-dense text-ink-2">
              <EyeOff size={15} className="mt-1 shrink-0" aria-hidden />
              {t("panel.votes.withheld", { cast, all: ballot.voters.length })}
            </p>
          ) : (
            <ul className="flex flex-col gap-2.5">
              {threshold !== null && (
                <li className="text-right text-meta text-ink-3">
                  {t("table.vote.threshold", { score: threshold })}
                </li>
              )}
              {ballot.voters.map((id) => (
                <VoteRow key={id} ballot={ballot} id={id} threshold={threshold} />
              ))}
            </ul>
          )}
          {ballot.closed_seq != null && <JumpTo seq={ballot.closed_seq}>{t("panel.votes.show")}</JumpTo>}
        </div>
      </details>
    </Card>
  );
}

function Interrupted({ by }: { by: MessageId }) {
  const { t } = useTranslation();
  const jump = useJumpToMessage();
  const said = useSaid(by);
  return (
    <button type="button" className="text-left text-meta text-ink-2 hover:underline" onClick={() => jump(by)}>
      {said ? t("panel.votes.interrupted_by", said) : t("panel.votes.interrupted_by_words")}
    </button>
  );
}

function Clauses({ verdict }: { verdict: Verdict }) {
  const { t } = useTranslation();
  return (
    <ul className="flex flex-col gap-1">
      {verdict.clauses.map((clause) => (
        <li key={clause.clause} className="flex items-center gap-2 text-dense">
          {clause.met ? (
            <Check size={14} className="text-good" aria-hidden />
          ) : (
            <X size={14} className="text-bad" aria-hidden />
          )}
          <span className="sr-only">{t(clause.met ? "panel.votes.met" : "panel.votes.unmet")}</span>
          <span>{t(`table.clause.${clause.clause}`)}</span>
          <span className="ml-auto text-ink-2">{t("panel.votes.got", amounts(clause))}</span>
        </li>
      ))}
    </ul>
  );
}

function VoteRow({
  ballot,
  id,
  threshold,
}: {
  ballot: MeetingBallot;
  id: ParticipantId;
  threshold: number | null;
}) {
  const { t } = useTranslation();
  const { view } = useTable();
  const cast = ballot.cast[id];
  const [score, pass] = [scoreOf(cast), passOf(cast)];
  const vote = cast && "vote" in cast ? cast.vote : null;
  const voting = `vote:${ballot.id}:${id}` in view.calls;
  return (
    <li className="text-dense">
      <div className="flex items-center gap-2">
        <Named view={view} id={id} />
        <span className="ml-auto flex items-center gap-1.5">
          {score !== null && (
            <>
              <VoteBar score={score} pass={pass === true} threshold={threshold} className="w-16" />
              <span className="w-7 text-right font-medium">{score}</span>
            </>
          )}
          {pass !== null && (
            <span className="text-meta">
              <VoteWord pass={pass} />
            </span>
          )}
          {vote && contradicts(vote) && <Badge tone="warn">{t("talk.contradicts")}</Badge>}
          {cast && "abstained" in cast && <Badge>{t("table.abstained.chosen")}</Badge>}
          {cast && "failed" in cast && <Badge tone="bad">{t("table.abstained.failed")}</Badge>}
          {!cast && (
            <span className="text-meta text-ink-3">
              {t(voting ? "table.rail.is.voting" : "panel.votes.not_yet")}
            </span>
          )}
        </span>
      </div>
      {cast && "failed" in cast && (
        <p className="pl-6.5">
          <Why failed={cast.failed} />
        </p>
      )}
      {vote?.reason && <p className="pl-6.5 text-ink-2">{vote.reason}</p>}
      {vote?.missing && vote.missing.length > 0 && (
        <ul className="list-disc pl-10 text-meta text-ink-2">
          {vote.missing.map((what) => (
            <li key={what}>{t("panel.votes.missing", { what })}</li>
          ))}
        </ul>
      )}
    </li>
  );
}
