// Ballots between the messages. An open one shows who has voted; the votes show when it is closed.

import { useCallback, useState } from "react";
import type { BallotChoice as Cast, MeetingBallot, Verdict } from "../../api/schema";
import { ClauseList } from "../../components/ballot/clauses";
import { useFailure } from "../../components/ballot/failure";
import { voteLine } from "../../components/ballot/vote";
import { thresholdOf } from "../../components/ballot/vote-bar";
import { VoteBars } from "../../components/ballot/vote-bars";
import { VoteTable } from "../../components/ballot/vote-table";
import { guest, type Person } from "../../components/speaker/people";
import { SpeakerTag } from "../../components/speaker/speaker";
import { useTranslation } from "../../i18n";
import type { Of } from "../../meeting/event-types";
import { useMeeting } from "../../meeting/hooks";
import type { Snapshot } from "../../meeting/snapshot";
import { Button } from "../../ui/button";
import { cx } from "../../ui/classes";
import { useTalk } from "./context";
import { Sheet } from "./notice";
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
      <SpeakerTag speaker={person} />
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
  const cast = ballot && !ballot.withheld ? ballot.cast : {};
  const failed = Object.values(cast).filter((one) => "failed" in one).length;
  const say = useFailure();
  const votes = useVoters(ballot?.voters ?? []).map((seat) => voteLine(seat, cast[seat.id ?? ""], say));
  return (
    <Sheet
      title={<span className={verdict.passed ? "text-good" : "text-warn"}>{title}</span>}
      by={<Count verdict={verdict} failed={failed} />}
      label={title}
    >
      <ClauseList clauses={verdict.clauses} />
      {Object.keys(cast).length > 0 && (
        <>
          <div className="mt-2">
            {table ? (
              <VoteTable votes={votes} caption={title} />
            ) : (
              <VoteBars votes={votes} threshold={thresholdOf(verdict)} />
            )}
          </div>
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

/** The number of votes, and of those who gave none: by choice, or because their calls failed. */
function Count({ verdict, failed }: { verdict: Verdict; failed: number }) {
  const { t } = useTranslation();
  const abstained = Math.max(0, verdict.abstentions - failed);
  return [
    t("talk.votes_count", { count: verdict.votes }),
    abstained > 0 && t("talk.abstentions_count", { count: abstained }),
    failed > 0 && t("talk.failed_votes_count", { count: failed }),
  ]
    .filter(Boolean)
    .join(" · ");
}
