// The used part of a meeting's budgets.

import Coins from "lucide-react/icons/coins";
import { useEffect, useMemo, useState } from "react";
import type { CostBudgetUse as CostGauge, BudgetUse as Gauge } from "../../api/schema";
import { useTable } from "../../components/meeting-page/context";
import { useTranslation } from "../../i18n";
import { money, percent, short, span } from "../../shell/formatting";
import { Button } from "../../ui/button";
import { cx } from "../../ui/classes";
import { Popover } from "../../ui/popover";
import { Meter } from "../../ui/surface";

type Name = "rounds" | "tokens" | "cost" | "time";

/** Spent so far in short; pressed, each budget with its limit. */
export function BudgetMeter() {
  const { t } = useTranslation();
  const { view } = useTable();
  const { budget, spent } = view;
  const wall = useWall();
  const unpriced = spent.unpriced_calls;
  const cost = budget.cost_micros.used == null ? t("table.cost.unknown") : money(budget.cost_micros.used);
  const gauges: [Name, Gauge | CostGauge, (n: number) => string][] = [
    ["rounds", budget.rounds, String],
    ["tokens", budget.tokens, short],
    ["cost", budget.cost_micros, money],
    ["time", { ...budget.wall_ms, used: wall }, span],
  ];
  const shares = gauges.map(([, gauge]) => (gauge.limit ? (gauge.used ?? 0) / gauge.limit : 0));
  const fullest = Math.max(...shares.slice(1));
  return (
    <Popover
      label={t("table.budget.title")}
      align="end"
      trigger={
        <Button look="quiet" size="small" className="tabular-nums">
          <span className="sr-only">{t("table.budget.open")}</span>
          <Coins
            size={14}
            aria-hidden
            className={cx(fullest >= 0.9 && "text-bad", fullest >= 0.75 && fullest < 0.9 && "text-warn")}
          />
          {short(budget.tokens.used)}
          <span className="hidden text-ink-3 xl:inline">· {cost}</span>
          {fullest >= 0.75 && <span className="text-warn">{percent(fullest)}</span>}
        </Button>
      }
    >
      <h2 className="mb-2 text-h3 font-semibold">{t("table.budget.title")}</h2>
      <div className="flex flex-col gap-3">
        {gauges.map(([name, gauge, say], at) =>
          gauge.limit == null || gauge.used == null ? (
            <div key={name} className="flex justify-between gap-3 text-meta text-ink-2">
              <span>{t(`table.budget.${name}`)}</span>
              <span>
                {gauge.used == null ? cost : say(gauge.used)} ·{" "}
                {gauge.limit == null ? t("table.budget.no_limit") : say(gauge.limit)}
              </span>
            </div>
          ) : (
            <Meter
              key={name}
              label={t(`table.budget.${name}`)}
              value={gauge.used}
              max={gauge.limit}
              say={t("table.budget.of", { used: say(gauge.used), limit: say(gauge.limit) })}
              tone={name === "rounds" ? "accent" : tone(shares[at] ?? 0)}
            />
          ),
        )}
      </div>
      {unpriced > 0 && (
        <p className="mt-3 text-meta text-ink-2">{t("table.budget.unpriced", { count: unpriced })}</p>
      )}
      {spent.usage.estimated && <p className="mt-3 text-meta text-ink-3">{t("table.budget.estimated")}</p>}
      {view.simulated && <p className="mt-3 text-meta text-ink-3">{t("table.budget.simulated")}</p>}
      <p className="mt-3 text-meta text-ink-3">
        {t(view.rules.limits.when_reached === "pause" ? "table.budget.then_pause" : "table.budget.then_end")}
      </p>
    </Popover>
  );
}

function tone(share: number): "accent" | "warn" | "bad" {
  return share >= 0.9 ? "bad" : share >= 0.75 ? "warn" : "accent";
}

/** The running time so far: that in the view, and the time since while the meeting runs. */
function useWall(): number {
  const { view, past } = useTable();
  const runs = !past && view.started_at != null && !view.pause && view.state !== "ended";
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!runs) {
      return;
    }
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [runs]);
  // Counted from when the page received the last event: the server's clock may be another.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new event is a new beginning
  const receivedAt = useMemo(Date.now, [view.updated_at]);
  const since = runs ? Math.max(0, now - receivedAt) : 0;
  return view.budget.wall_ms.used + since;
}
