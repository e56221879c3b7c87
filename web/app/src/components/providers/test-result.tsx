// The result of a provider test: its models, an answer, a stream, a structured answer.

import { useMutation } from "@tanstack/react-query";
import type { ProviderTestReport as TrialReport } from "../../api/schema";
import { useTranslation } from "../../i18n";
import { Button } from "../../ui/button";
import { notify, notifyError } from "../../ui/toast";
import { forgetProvider } from "./requests";
import { TestLine } from "./test-line";

interface Props {
  report: TrialReport;
  /** Whether it has stored settings to remove, beyond the preset of a server on this machine. */
  stored: boolean;
  onDone: (provider: string) => void;
  onForgotten: () => void;
}

/** The report of a trial, and the way on. */
export function TrialResult({ report, stored, onDone, onForgotten }: Props) {
  const { t } = useTranslation();
  const forget = useMutation({
    mutationFn: () => forgetProvider(report.provider),
    onSuccess: () => {
      notify({ text: t("home.setup.forgotten", { name: report.provider }) });
      onForgotten();
    },
    onError: notifyError,
  });
  const answers = report.tried.some((one) => one.what === "answer" && one.ok);
  return (
    <div role="status" className="flex flex-col gap-3">
      <ul className="divide-y divide-line">
        {report.tried.map((one) => (
          <TestLine key={one.what} tried={one} />
        ))}
      </ul>
      <p className="text-dense">
        {report.ok
          ? t("home.setup.all_well", { model: report.model ?? report.provider })
          : answers
            ? t("home.setup.partly_well", { model: report.model ?? report.provider })
            : t("home.setup.not_well")}
      </p>
      <div className="flex flex-wrap gap-2">
        {answers && (
          <Button look="primary" onClick={() => onDone(report.provider)}>
            {t("home.setup.done")}
          </Button>
        )}
        {!report.ok && stored && (
          <Button look="quiet" busy={forget.isPending} onClick={() => forget.mutate()}>
            {t("home.setup.forget", { name: report.provider })}
          </Button>
        )}
      </div>
    </div>
  );
}
