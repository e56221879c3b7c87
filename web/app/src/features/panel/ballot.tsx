// One ballot of the panel: its result, clause by clause, and the votes with their reasons.

import Check from "lucide-react/icons/check";
import EyeOff from "lucide-react/icons/eye-off";
import X from "lucide-react/icons/x";
import type { MeetingBallot, MessageId } from "../../api/schema";
import { ClauseList } from "../../components/ballot/clauses";
import { useFailure } from "../../components/ballot/failure";
import { voteLine } from "../../components/ballot/vote";
import { thresholdOf } from "../../components/ballot/vote-bar";
import { VoteBars } from "../../components/ballot/vote-bars";
import { useTable } from "../../components/meeting-page/context";
import { EventLink } from "../../components/record/place";
import { speakerOf } from "../../components/speaker/avatar";
import { useTranslation } from "../../i18n";
import { Badge, Card } from "../../ui/surface";
import { useJumpToMessage, useSaid } from "./sources";

/** A ballot. */
export function BallotCard({ ballot, open }: { ballot: MeetingBallot; open: boolean }) {
  const { t } = useTranslation();
  const { state } = ballot;
  const verdict = typeof state === "object" && "closed" in state ? state.closed : null;
  const interrupted = typeof state === "object" && "interrupted" in state ? state.interrupted : null;
  const { view } = useTable();
  const say = useFailure();
  const threshold = thresholdOf(verdict, view.rules.decision);
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
          {interrupted && <Interrupted by={interrupted} />}
          {ballot.withheld ? (
            <p className="flex items-start gap-2 text-dense text-ink-2">
              <EyeOff size={15} className="mt-1 shrink-0" aria-hidden />
              {t("panel.votes.withheld", { cast, all: ballot.voters.length })}
            </p>
          ) : (
            <VoteBars
              roomy
              threshold={threshold}
              votes={ballot.voters.map((id) =>
                voteLine(speakerOf(view, id), ballot.cast[id], say, `vote:${ballot.id}:${id}` in view.calls),
              )}
            />
          )}
          {/* Under the votes, so that these stay where they are when they are counted. */}
          {verdict && <ClauseList clauses={verdict.clauses} />}
          {ballot.closed_seq != null && (
            <EventLink seq={ballot.closed_seq}>{t("panel.votes.show")}</EventLink>
          )}
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
