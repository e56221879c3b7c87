// One line of a provider test: the check, its time and cost, the remedy.

import Check from "lucide-react/icons/check";
import X from "lucide-react/icons/x";
import type { ProviderTestResult as Tried } from "../../api/schema";
import { useTranslation } from "../../i18n";
import { money, span } from "../../shell/formatting";

const WHAT = ["models", "answer", "stream", "schema"] as const;

/** One check and its result. */
export function TestLine({ tried }: { tried: Tried }) {
  const { t } = useTranslation();
  const what = WHAT.find((one) => one === tried.what);
  const cost = tried.cost_micros ? ` · ${money(tried.cost_micros)}` : "";
  return (
    <li className="flex gap-2.5 py-2">
      {tried.ok ? (
        <Check size={16} className="mt-1 shrink-0 text-good" aria-label={t("home.setup.went_well")} />
      ) : (
        <X size={16} className="mt-1 shrink-0 text-bad" aria-label={t("home.setup.went_wrong")} />
      )}
      <div className="min-w-0 flex-1">
        <p className="flex justify-between gap-3 text-dense">
          <span className="font-medium">{what ? t(`home.setup.tried_${what}`) : tried.what}</span>
          <span className="shrink-0 text-meta text-ink-3">
            {span(tried.latency_ms)}
            {cost}
          </span>
        </p>
        <p className="text-meta break-words text-ink-2">{tried.detail}</p>
        {tried.hint && (
          <p className="text-meta break-words text-ink-2 first-letter:uppercase">{tried.hint}</p>
        )}
      </div>
    </li>
  );
}
