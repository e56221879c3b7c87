// The usage of the meeting: by participant, number of calls, and unknown parts.

import { useQuery } from "@tanstack/react-query";
import { api, done } from "../../api/client";
import { NumbersTable } from "../../components/charts/chart-with-table";
import { useTable } from "../../components/meeting-page/context";
import { useTranslation } from "../../i18n";
import { count, money, short } from "../../shell/formatting";
import { Empty, ErrorNotice, Waiting } from "../../ui/surface";
import { Part } from "./section";

/** The tab of cost. */
export default function Cost() {
  const { t } = useTranslation();
  const { view, past } = useTable();
  const used = useQuery({
    queryKey: ["meeting", view.id, "usage", view.spent.calls],
    queryFn: () => done(api.GET("/api/v1/meetings/{id}/usage", { params: { path: { id: view.id } } })),
    placeholderData: (before) => before,
  });
  if (used.isPending) {
    return <Waiting />;
  }
  if (used.error) {
    return <ErrorNotice error={used.error} onRetry={() => void used.refetch()} />;
  }
  const { total, by, lost_calls } = used.data;
  if (total.calls === 0) {
    return <Empty title={t("table.cost.none")}>{t("table.cost.none_text")}</Empty>;
  }
  const price = (micros: number | null | undefined) =>
    micros == null ? t("table.cost.unknown") : money(micros);
  const facts: [string, string][] = [
    [t("table.cost.calls"), count(total.calls)],
    [t("table.cost.retries"), count(total.retries)],
    [t("table.cost.again"), count(total.asked_again)],
    [t("table.cost.fallback"), count(total.by_fallback)],
    [t("table.cost.shortened"), count(total.shortened)],
    [t("table.cost.mended"), count(total.mended)],
    [t("table.cost.lost"), count(lost_calls)],
    [t("table.cost.unpriced"), count(view.spent.unpriced_calls)],
  ];
  return (
    <>
      {past && <p className="text-meta text-ink-3">{t("table.cost.whole")}</p>}
      <div className="flex items-baseline gap-3">
        <span className="text-h1 font-semibold">{price(total.cost_micros)}</span>
        <span className="text-dense text-ink-2">
          {t("table.cost.tokens", { read: short(total.input_tokens), written: short(total.output_tokens) })}
        </span>
      </div>
      {total.cost_micros == null && <p className="text-dense text-ink-2">{t("table.cost.unknown_text")}</p>}
      {total.estimated && <p className="text-meta text-ink-3">{t("table.budget.estimated")}</p>}
      <Part title={t("table.cost.by")}>
        <div className="overflow-x-auto">
          <NumbersTable
            title={t("table.cost.by")}
            numbers={{
              columns: [
                t("table.cost.who"),
                t("table.cost.calls"),
                t("table.cost.read"),
                t("table.cost.written"),
                t("table.cost.money"),
              ],
              rows: by.map((row) => [
                row.name,
                count(row.calls),
                short(row.input_tokens),
                short(row.output_tokens),
                price(row.cost_micros),
              ]),
            }}
          />
        </div>
      </Part>
      <Part title={t("table.cost.course")}>
        <dl className="grid grid-cols-2 gap-x-4 gap-y-1 text-dense">
          {facts.map(([name, value]) => (
            <div key={name} className="flex justify-between gap-2 border-b border-line py-1">
              <dt className="text-ink-2">{name}</dt>
              <dd className="m-0">{value}</dd>
            </div>
          ))}
        </dl>
      </Part>
    </>
  );
}
