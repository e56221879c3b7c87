// Participation, and the independence of the seats.

import type { DeliberationHealth } from "../../../api/schema";
import { NumbersTable } from "../../../components/charts/chart-with-table";
import { nameOf, useTable } from "../../../components/meeting-page/context";
import { useTranslation } from "../../../i18n";
import { Part } from "../section";

/** The participation of each seat. */
export function Participation({ health }: { health: DeliberationHealth }) {
  const { t } = useTranslation();
  const { view } = useTable();
  const { seats: parts, gini } = health.participation;
  const { effective, simulated } = health.independence;
  // What is too uneven, or too few, the server says.
  const found = new Set([...health.alarms, ...health.verdict.because].map((one) => one.rule));
  return (
    <Part title={t("panel.health.participation")}>
      {gini !== null && (
        <p className="text-dense">
          {t(found.has("gini") ? "panel.health.uneven" : "panel.health.even", { gini: gini.toFixed(2) })}
        </p>
      )}
      <p className="text-dense">
        {t(found.has("effective_seats") ? "panel.health.dependent" : "panel.health.independent", {
          n: effective.toFixed(1),
        })}
      </p>
      {simulated && <p className="text-meta text-ink-3">{t("panel.health.simulated")}</p>}
      {parts.length > 0 && (
        <div className="overflow-x-auto">
          <NumbersTable
            title={t("panel.health.participation")}
            numbers={{
              columns: [
                t("panel.votes.seat"),
                t("panel.health.claims"),
                t("panel.health.turns"),
                t("panel.health.skips"),
                t("panel.health.failures"),
                t("panel.health.votes"),
              ],
              rows: parts.map((one) => [
                nameOf(view, one.participant),
                ...[one.claims, one.turns, one.skips, one.failures, one.votes].map(String),
              ]),
            }}
          />
        </div>
      )}
    </Part>
  );
}
