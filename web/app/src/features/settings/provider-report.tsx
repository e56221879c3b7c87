// The result of a provider test, line by line.

import type { ProviderTestReport as TrialReport } from "../../api/schema";
import { TestLine } from "../../components/providers/test-line";
import { useTranslation } from "../../i18n";
import { Button } from "../../ui/button";

/** The report, until it is put away. */
export function Report({ report, onDone }: { report: TrialReport; onDone: () => void }) {
  const { t } = useTranslation();
  return (
    <div role="status" className="mt-3 rounded-xl bg-sunken px-4 py-3">
      <div className="flex items-start justify-between gap-3">
        <p className="text-dense font-medium">
          {report.ok
            ? t("settings.providers.all_well", { model: report.model ?? report.provider })
            : t("settings.providers.not_well")}
        </p>
        <Button size="small" look="quiet" onClick={onDone}>
          {t("shell.close")}
        </Button>
      </div>
      <ul className="divide-y divide-line">
        {report.tried.map((one) => (
          <TestLine key={one.what} tried={one} />
        ))}
      </ul>
    </div>
  );
}
