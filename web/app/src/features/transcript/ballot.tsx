// Ballots between the messages. An open one shows who has voted; the votes show when it is closed.

import Check from "lucide-react/icons/check";
import X from "lucide-react/icons/x";
import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import type {
  BallotChoice as Cast,
  ClauseResult as Clause,
  MeetingBallot,
  SeatFailure,
  Verdict,
} from "../../api/schema";
import { usePhrase } from "../../i18n/phrases";
import { useMeeting } from "../../meeting/hooks";
import type { Snapshot } from "../../meeting/snapshot";
import { Button } from "../../ui/button";
import { cx } from "../../ui/classes";
import { thresholdOf, VoteBar, VoteWord } from "../charts/vote-bar";
import { amounts } from "../meeting-page/clause-amounts";
import { contradicts } from "../meeting-page/score";
import { Avatar, Name } from "./avatar";
import { useTalk } from "./context";
import type { Of } from "./event-types";
import { Sheet } from "./notice";
import { guest, type Person } from "./people";
import { PanelLink } from "./records";

function useBallot(id: string): MeetingBallot | undefined {
  return useMeeting(
    useCallback((shown: Snapshot) => shown.view?.ballots.find((ballot) => ballot.id === id), [id]),
  );
}

function useVoters(ids: readonly string[]): Person[] {
  const { people } = useTalk();
  return ids.map((id) => people.byId.get(id) ?? guest(id));
}

/** A ballot was opened: while it is open, who has voted. */
export function BallotOpened({ event }: { event: Of<"ballot_opened"> }) {
  const { t } = useTranslation();
  const { ballot: id, draft_version: version, voters } = event.payload;
  const ballot = useBallot(id);
  const seats = useVoters(voters);
  const title = t("talk.ballot_opened", { version });
  if (ballot?.state !== "open") {
    return <p className="text-center text-meta text-ink-3">{title}</p>;
  }
  const hidden = ballot.withheld && Object.keys(ballot.cast).length < ballot.cast_count;
  return (
    <Sheet
      title={title}
      by={t("talk.votes_in", { cast: ballot.cast_count, all: voters.length })}
      label={title}
    >
      {!hidden && (
        <ul className="flex flex-wrap gap-x-4 gap-y-1">
          {seats.map((person) => (
            <Seat key={person.name} person={person} cast={ballot.cast[person.id ?? ""]} />
          ))}
        </ul>
      )}
      <p className="mt-1 text-meta text-ink-3">{t("talk.votes_hidden")}</p>
    </Sheet>
  );
}

function Seat({ person, cast }: { person: Person; cast: Cast | undefined }) {
  const { t } = useTranslation();
  const state = !cast ? "waiting" : "vote" in cast ? "voted" : "failed" in cast ? "failed" : "abstained";
  return (
    <li
      className={cx("flex items-center gap-1.5 text-meta", state === "waiting" ? "text-ink-3" : "text-ink-2")}
    >
      <Avatar person={person} small />
      <Name person={person} />
      {t(`talk.seat_${state}`)}
    </li>
  );
}

/** A ballot is counted: the verdict, each clause, each vote. */
export function BallotClosed({ event }: { event: Of<"ballot_closed"> }) {
  const { t } = useTranslation();
  const { ballot: id, verdict } = event.payload;
  const ballot = useBallot(id);
  const [table, setTable] = useState(false);
  const title = verdict.passed ? t("talk.passed") : t("talk.failed");
  const voters = ballot?.voters ?? [];
  const cast = ballot && !ballot.withheld ? ballot.cast : {};
  return (
    <Sheet
      title={<span className={verdict.passed ? "text-good" : "text-warn"}>{title}</span>}
      by={<Count verdict={verdict} />}
      label={title}
    >
      <ul className="flex flex-wrap gap-x-4 gap-y-0.5 text-meta">
        {verdict.clauses.map((clause) => (
          <ClauseLine key={clause.clause} clause={clause} />
        ))}
      </ul>
      {Object.keys(cast).length > 0 && (
        <>
          {table ? (
            <VoteTable voters={voters} cast={cast} />
          ) : (
            <VoteBars voters={voters} cast={cast} threshold={thresholdOf(verdict, NO_RULES)} />
          )}
          <div className="mt-2 flex items-center gap-3">
            <Button look="quiet" size="small" className="-ml-2" onClick={() => setTable(!table)}>
              {table ? t("ui.chart") : t("ui.table")}
            </Button>
            <PanelLink tab="votes">{t("talk.see_votes")}</PanelLink>
          </div>
        </>
      )}
    </Sheet>
  );
}

function Count({ verdict }: { verdict: Verdict }) {
  const { t } = useTranslation();
  const votes = t("talk.votes_count", { count: verdict.votes });
  return verdict.abstentions > 0
    ? `${votes} · ${t("talk.abstentions_count", { count: verdict.abstentions })}`
    : votes;
}

function ClauseLine({ clause }: { clause: Clause }) {
  const { t } = useTranslation();
  const { met } = clause;
  const { needed, got } = amounts(clause);
  return (
    <li className={cx("flex items-center gap-1", met ? "text-good" : "text-warn")}>
      {met ? <Check size={13} aria-hidden /> : <X size={13} aria-hidden />}
      <span>
        {t(`talk.clause_${clause.clause}`, { needed, got: clause.got == null ? t("talk.no_votes") : got })}
        <span className="sr-only">{met ? t("talk.met") : t("talk.not_met")}</span>
      </span>
    </li>
  );
}

/** Why a vote failed, and the remedy. */
export function Why({ failed }: { failed: SeatFailure }) {
  const { t } = useTranslation();
  const phrase = usePhrase();
  const { kind, detail, hint } = failed;
  return (
    <span className="col-start-2 text-bad">
      {[
        kind && t(`table.failure.${kind}`),
        kind !== "timed_out" && phrase(detail),
        phrase(hint) || (kind && t(`table.failure_do.${kind}`)),
      ]
        .filter(Boolean)
        .join(" · ")}
    </span>
  );
}

interface VotesProps {
  voters: readonly string[];
  cast: Record<string, Cast>;
}

/** A closed ballot says itself what was needed. */
const NO_RULES = { mean_score: null };

function VoteBars({ voters, cast, threshold }: VotesProps & { threshold: number | null }) {
  const { t } = useTranslation();
  const seats = useVoters(voters);
  return (
    <ul className="mt-2 flex flex-col gap-1.5">
      {threshold !== null && (
        <li aria-hidden className="grid grid-cols-[5.5rem_1fr] gap-x-2 text-meta text-ink-3">
          <span className="col-start-2 flex gap-2">
            <span className="relative h-4 flex-1">
              <span
                className={cx(
                  "absolute leading-4 whitespace-nowrap",
                  threshold > 50 ? "-translate-x-full pr-1" : "pl-1",
                )}
                style={{ left: `${threshold}%` }}
              >
                {t("table.vote.threshold", { score: threshold })}
              </span>
            </span>
            <span className="w-24 shrink-0" />
          </span>
        </li>
      )}
      {seats.map((person) => {
        const one = cast[person.id ?? ""];
        const vote = one && "vote" in one ? one.vote : undefined;
        const failed = one && "failed" in one ? one.failed : undefined;
        return (
          <li key={person.name} className="grid grid-cols-[5.5rem_1fr] items-center gap-x-2 text-meta">
            <Name person={person} className="break-words" />
            <span className="flex items-center gap-2">
              {vote ? (
                <VoteBar score={vote.score} pass={vote.pass} threshold={threshold} className="flex-1" />
              ) : (
                <span className="flex-1" />
              )}
              <span className="flex w-24 shrink-0 gap-1.5 text-ink-2">
                {vote ? (
                  <>
                    <span className="w-6 text-right font-medium">{vote.score}</span>
                    <VoteWord pass={vote.pass} />
                  </>
                ) : (
                  t(failed ? "talk.seat_failed" : "talk.seat_abstained")
                )}
              </span>
            </span>
            {failed && <Why failed={failed} />}
            {vote && contradicts(vote) && (
              <span className="col-start-2 text-warn">{t("talk.contradicts")}</span>
            )}
            {vote?.reason && <span className="col-start-2 text-ink-3">{vote.reason}</span>}
          </li>
        );
      })}
    </ul>
  );
}

function VoteTable({ voters, cast }: VotesProps) {
  const { t } = useTranslation();
  const seats = useVoters(voters);
  const head = "border-b border-line px-2 py-1 text-left font-medium";
  return (
    <div className="mt-2 overflow-x-auto" tabIndex={0}>
      <table className="w-full text-meta">
        <thead>
          <tr>
            <th className={head}>{t("talk.voter")}</th>
            <th className={head}>{t("talk.score")}</th>
            <th className={head}>{t("talk.pass")}</th>
            <th className={head}>{t("talk.reason")}</th>
          </tr>
        </thead>
        <tbody>
          {seats.map((person) => {
            const one = cast[person.id ?? ""];
            const vote = one && "vote" in one ? one.vote : undefined;
            const failed = one && "failed" in one ? one.failed : undefined;
            return (
              <tr key={person.name} className="align-top">
                <th scope="row" className="px-2 py-1 text-left font-normal whitespace-nowrap">
                  {person.name}
                </th>
                <td className="px-2 py-1">{vote ? vote.score : "—"}</td>
                <td className="px-2 py-1 whitespace-nowrap">
                  {vote
                    ? t(vote.pass ? "table.vote.pass" : "table.vote.fail")
                    : t(failed ? "talk.seat_failed" : "talk.seat_abstained")}
                  {vote && contradicts(vote) && (
                    <span className="block text-warn">{t("talk.contradicts")}</span>
                  )}
                </td>
                <td className="px-2 py-1">{failed ? <Why failed={failed} /> : (vote?.reason ?? "")}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
