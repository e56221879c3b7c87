// The health of the deliberation: the verdict in words, dissent first, then the evidence. There is no progress
// bar: agreement is no goal in itself.

import { Pairs } from "../../../components/charts/bar-pairs";
import { useTable } from "../../../components/meeting-page/context";
import { useTranslation } from "../../../i18n";
import { percent } from "../../../shell/formatting";
import { Empty, ErrorNotice, Waiting } from "../../../ui/surface";
import { Part } from "../section";
import { Claims } from "./claims";
import { Dissent } from "./dissent";
import { Findings } from "./findings";
import { Holders } from "./holders";
import { Participation } from "./participation";
import { Flips } from "./position-changes";
import { useHealth } from "./query";
import { Value } from "./round-value";
import { VerdictCard } from "./verdict";

/** The tab of health. */
export default function HealthTab() {
  const { t } = useTranslation();
  const { view } = useTable();
  const health = useHealth();
  if (view.messages_total === 0) {
    return view.state === "ended" ? (
      <Empty title={t("panel.health.silent")}>{t("panel.health.silent_text")}</Empty>
    ) : (
      <Empty title={t("panel.health.none")}>{t("panel.health.none_text")}</Empty>
    );
  }
  if (health.isPending) {
    return <Waiting />;
  }
  if (!health.data) {
    return <ErrorNotice error={health.error} onRetry={() => void health.refetch()} />;
  }
  const { verdict, dissent, positions, unshared, unanswered, alarms } = health.data;
  const { coverage } = unanswered;
  // Ideas stand against nothing, and need no answer.
  const ideas = verdict.standing === "ideas";
  const blind = view.rounds.some((round) => round.kind === "blind");
  const most = Math.max(1, ...positions.flatMap((one) => [one.now.count, one.blind.count]));
  return (
    <>
      <VerdictCard health={health.data} />
      {!(ideas && dissent.objections.length === 0) && <Dissent health={health.data} />}
      <div className="flex min-h-29 flex-col gap-5">
        {positions.length > 0 ? (
          <Pairs
            title={t(blind ? "panel.health.positions" : "panel.health.positions_first")}
            what={t("table.rail.position")}
            before={t(blind ? "panel.health.blind" : "panel.health.first")}
            now={t("panel.health.now")}
            most={most}
            pairs={positions.map((one) => ({ name: one.text, before: one.blind.count, now: one.now.count }))}
          />
        ) : (
          <Part title={t("table.rail.position")}>
            <p className="text-dense text-ink-3">{t("table.rail.no_stance")}</p>
          </Part>
        )}
        <Holders positions={positions} />
      </div>
      <Flips flips={health.data.flips} />
      <Part title={t("panel.health.unshared")}>
        <Claims
          claims={unshared.items.map((one) => ({ ...one, by: one.owner }))}
          none={t("panel.health.no_unshared")}
        />
      </Part>
      {!(ideas && coverage === null) && (
        <Part
          title={
            coverage === null
              ? t("panel.health.unanswered_none")
              : t("panel.health.unanswered", { share: percent(coverage) })
          }
        >
          <Claims
            claims={unanswered.items.map((one) => ({ ...one, by: one.owner }))}
            none={t(coverage === null ? "panel.health.nothing_raised" : "panel.health.no_unanswered")}
          />
        </Part>
      )}
      <Participation health={health.data} />
      <Value health={health.data} />
      {alarms.length > 0 && (
        <Part title={t("panel.health.alarms")}>
          <Findings findings={alarms} />
        </Part>
      )}
    </>
  );
}
