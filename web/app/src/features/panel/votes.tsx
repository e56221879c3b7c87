// Votes: the scores over all ballots, and each ballot with its verdict and reasons.

import type { ParticipantId } from "../../api/schema";
import { scoreOf } from "../../components/ballot/vote";
import { Trend } from "../../components/charts/trend";
import { nameOf, useTable } from "../../components/meeting-page/context";
import { usePhone } from "../../components/meeting-page/layout";
import { useTranslation } from "../../i18n";
import { hueOf } from "../../meeting/speaker-colours";
import { Empty } from "../../ui/surface";
import { BallotCard } from "./ballot";
import { VoteMatrix } from "./vote-matrix";

/** The tab of votes. */
export default function Votes() {
  const { t } = useTranslation();
  const { view } = useTable();
  const phone = usePhone();
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
  const voters: ParticipantId[] = [...new Set(ballots.flatMap((ballot) => ballot.voters))];
  // It is there from the first ballot on, and each later ballot comes after those before it: so nothing moves.
  const trend = (
    <Trend
      title={t("panel.votes.trend")}
      labels={ballots.map((ballot) => t("panel.votes.nth", { n: ballot.id.slice(1) }))}
      threshold={rules.decision.mean_score}
      series={voters.map((id) => ({
        id,
        name: nameOf(view, id),
        hue: hueOf(id),
        values: ballots.map((ballot) => (ballot.withheld ? null : scoreOf(ballot.cast[id]))),
      }))}
    />
  );
  const cards = ballots.map((ballot, at) => (
    <BallotCard key={ballot.id} ballot={ballot} open={at === ballots.length - 1} />
  ));
  return (
    <>
      {!phone && trend}
      {cards}
      {phone && trend}
      {ballots.length > 1 && <VoteMatrix ballots={ballots} voters={voters} />}
    </>
  );
}
