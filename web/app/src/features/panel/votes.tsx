// Votes: the scores over all ballots, and each ballot with its verdict and reasons.

import type { ParticipantId } from "../../api/schema";
import { scoreOf } from "../../components/ballot/vote";
import { Trend } from "../../components/charts/trend";
import { nameOf, useTable } from "../../components/meeting-page/context";
import { useTranslation } from "../../i18n";
import { hueOf } from "../../meeting/speaker-colours";
import { Empty } from "../../ui/surface";
import { BallotCard } from "./ballot";
import { VoteMatrix } from "./vote-matrix";

/** The tab of votes. */
export default function Votes() {
  const { t } = useTranslation();
  const { view } = useTable();
  const { ballots, rules } = view;
  if (ballots.length === 0) {
    return rules.decision.ballots ? (
      <Empty title={t("panel.votes.none")}>
        {t(view.state === "ended" ? "panel.votes.none_over" : "panel.votes.none_text", {
          count: rules.decision.min_rounds,
        })}
      </Empty>
    ) : (
      <Empty title={t("panel.votes.never")}>{t("panel.votes.never_text")}</Empty>
    );
  }
  const seen = ballots.filter((ballot) => !ballot.withheld && Object.keys(ballot.cast).length > 0);
  const voters: ParticipantId[] = [...new Set(seen.flatMap((ballot) => ballot.voters))];
  return (
    <>
      {seen.length > 0 && (
        <Trend
          title={t("panel.votes.trend")}
          labels={seen.map((ballot) => t("panel.votes.nth", { n: ballot.id.slice(1) }))}
          threshold={rules.decision.mean_score}
          series={voters.map((id) => ({
            id,
            name: nameOf(view, id),
            hue: hueOf(id),
            values: seen.map((ballot) => scoreOf(ballot.cast[id])),
          }))}
        />
      )}
      {seen.length > 1 && <VoteMatrix ballots={seen} voters={voters} />}
      {ballots.toReversed().map((ballot, at) => (
        <BallotCard key={ballot.id} ballot={ballot} open={at === 0} />
      ))}
    </>
  );
}
