// The cost so far, the rest of the budget, and the value of one more round.

import type { DeliberationHealth } from "../../../api/schema";
import { NumbersTable } from "../../../components/charts/chart-with-table";
import { useTable } from "../../../components/meeting-page/context";
import { EventLink } from "../../../components/record/place";
import { useTranslation } from "../../../i18n";
import { usePhrase } from "../../../i18n/phrases";
import { isOpen } from "../../../meeting/view";
import { money, percent, rounded } from "../../../shell/formatting";
import { Part } from "../section";

/** The value of another round. */
export function Value({ health }: { health: DeliberationHealth }) {
  const { t } = useTranslation();
  const { view } = useTable();
  const { value, rounds } = health;
  const phrase = usePhrase();
  const novelty = value.novelty.at(-1);
  const [seq] = value.seqs;
  const facts: [string, string | null][] = [
    [t("panel.health.cost"), value.cost_micros === null ? t("table.cost.unknown") : money(value.cost_micros)],
    [
      t("panel.health.left"),
      isOpen(view) && view.budget.rounds.limit != null ? String(value.rounds_left) : null,
    ],
    [t("panel.health.novelty"), novelty === undefined ? null : novelty.toFixed(1)],
    [
      t("panel.health.change"),
      value.ballot_change === null
        ? null
        : `${value.ballot_change > 0 ? "+" : ""}${(value.ballot_change * 100).toFixed(1)}`,
    ],
  ];
  return (
    <Part title={t("panel.health.value")}>
      <p className="text-dense">
        {phrase(value.text)} {seq !== undefined && <EventLink seq={seq}>{t("table.jump")}</EventLink>}
      </p>
      <dl className="grid grid-cols-1 gap-1 text-dense">
        {facts.map(
          ([name, told]) =>
            told !== null && (
              <div key={name} className="flex justify-between gap-3 border-b border-line py-1">
                <dt className="text-ink-2">{name}</dt>
                <dd className="m-0">{told}</dd>
              </div>
            ),
        )}
      </dl>
      {rounds.length > 1 && (
        <details>
          <summary className="text-meta text-ink-2">{t("panel.health.trajectory")}</summary>
          <NumbersTable
            title={t("panel.health.trajectory")}
            numbers={{
              columns: [t("panel.health.round"), t("panel.health.agreement"), t("panel.health.mean")],
              rows: rounds.map((one) => {
                const mean = one.ballots.at(-1)?.mean ?? null;
                return [
                  String(one.round),
                  one.leading_share === null ? "–" : percent(one.leading_share),
                  mean === null ? "–" : rounded(mean),
                ];
              }),
            }}
          />
        </details>
      )}
    </Part>
  );
}
