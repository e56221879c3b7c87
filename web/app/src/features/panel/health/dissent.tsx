// Dissent: the strongest open objections, and the lowest scores.

import type { DeliberationHealth } from "../../../api/schema";
import { nameOf, useTable } from "../../../components/meeting-page/context";
import { DissentList } from "../../../components/record/dissent";
import { EventLink } from "../../../components/record/place";
import { useTranslation } from "../../../i18n";
import { useGrowOnly } from "../grow-only";
import { Part } from "../section";
import { Claims } from "./claims";

/** Dissent, before anything that speaks of agreement. */
export function Dissent({ health }: { health: DeliberationHealth }) {
  const { t } = useTranslation();
  const { view } = useTable();
  const round = view.state === "ended" ? null : (view.round?.number ?? 0);
  const box = useGrowOnly<HTMLDivElement>(round, view.participants.filter((seat) => seat.present).length);
  return (
    <Part title={t("panel.health.dissent")}>
      {/* All of it is seen, and the room that it took stays for the round when objections are taken back. */}
      <div ref={box} className="flex flex-col gap-2" data-testid="dissent">
        {health.dissent.blocking > 0 && (
          <p className="text-dense text-bad">{t("panel.health.blocking", { n: health.dissent.blocking })}</p>
        )}
        {health.dissent.overruled > 0 && (
          <p className="text-dense text-ink-2">
            {t("panel.health.overruled", { n: health.dissent.overruled })}
          </p>
        )}
        <Claims
          claims={health.dissent.objections.map((one) => ({
            ...one,
            by: one.holder,
            answered: one.answered_by,
          }))}
          none={t("panel.health.no_dissent")}
        />
        {health.dissent.lowest.length > 0 && (
          <>
            <p className="text-meta text-ink-3">
              {t(
                health.dissent.lowest.every((one) => one.pass)
                  ? "panel.health.lowest_passed"
                  : "panel.health.lowest",
              )}
            </p>
            <DissentList
              lines={health.dissent.lowest.map(({ participant, pass, score, seq }) => ({
                name: nameOf(view, participant),
                score: t(pass ? "panel.health.low_passed" : "panel.health.low_failed", { count: score }),
                source: seq !== null && <EventLink seq={seq}>{t("table.jump")}</EventLink>,
              }))}
            />
          </>
        )}
      </div>
    </Part>
  );
}
