// The votes of all participants in all ballots, as a table.

import Check from "lucide-react/icons/check";
import Minus from "lucide-react/icons/minus";
import X from "lucide-react/icons/x";
import type { MeetingBallot, ParticipantId } from "../../api/schema";
import { passOf, scoreOf } from "../../components/ballot/vote";
import { useTable } from "../../components/meeting-page/context";
import { Named } from "../../components/speaker/avatar";
import { useTranslation } from "../../i18n";
import { cx } from "../../ui/classes";

/** A row for each seat, a column for each ballot. */
export function VoteMatrix({ ballots, voters }: { ballots: MeetingBallot[]; voters: ParticipantId[] }) {
  const { t } = useTranslation();
  const { view, jump } = useTable();
  return (
    <div className="overflow-x-auto">
      <table className="w-full border-separate border-spacing-0.5 text-meta tabular-nums">
        <caption className="pb-1 text-left text-meta font-medium text-ink-2">
          {t("panel.votes.matrix")}
        </caption>
        <thead>
          <tr>
            <th scope="col" className="text-left font-normal text-ink-3">
              {t("panel.votes.seat")}
            </th>
            {ballots.map((ballot) => (
              <th key={ballot.id} scope="col" className="px-1 font-normal text-ink-3">
                {ballot.closed_seq == null ? (
                  <Nth ballot={ballot} />
                ) : (
                  <button
                    type="button"
                    className="hover:text-accent hover:underline"
                    onClick={() => jump(ballot.closed_seq ?? 0)}
                  >
                    <Nth ballot={ballot} />
                  </button>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {voters.map((id) => (
            <tr key={id}>
              <th scope="row" className="text-left font-normal">
                <Named view={view} id={id} />
              </th>
              {ballots.map((ballot) => (
                <Cell key={ballot.id} ballot={ballot} id={id} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Which ballot a column is: in short for the eye, whole for the ear. */
function Nth({ ballot }: { ballot: MeetingBallot }) {
  const { t } = useTranslation();
  const n = ballot.id.slice(1);
  return (
    <>
      <span aria-hidden title={t("panel.votes.on", { round: ballot.round, version: ballot.draft_version })}>
        {t("panel.votes.nth", { n })}
      </span>
      <span className="sr-only">{t("panel.votes.number", { n })}</span>
    </>
  );
}

function Cell({ ballot, id }: { ballot: MeetingBallot; id: ParticipantId }) {
  const { t } = useTranslation();
  const cast = ballot.withheld ? undefined : ballot.cast[id];
  const [score, pass] = [scoreOf(cast), passOf(cast)];
  const asked = ballot.voters.includes(id);
  const waits = asked && cast === undefined && ballot.state === "open";
  const Icon = pass === null ? Minus : pass ? Check : X;
  const word =
    pass === null
      ? t(waits ? "panel.votes.not_yet" : asked ? "panel.votes.no_vote" : "panel.votes.not_asked")
      : t(pass ? "table.vote.pass" : "table.vote.fail");
  return (
    <td
      className={cx(
        "rounded px-1 py-0.5 text-center",
        pass === null ? "text-ink-3" : pass ? "bg-good-soft text-good" : "bg-sunken text-ink-2",
      )}
    >
      <span className="inline-flex items-center gap-0.5">
        <Icon size={11} aria-hidden />
        <span className="sr-only">{word}</span>
        {score ?? ""}
      </span>
    </td>
  );
}
