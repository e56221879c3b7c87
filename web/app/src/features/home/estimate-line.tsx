// What a meeting would use that is started from the first page, in a line.

import { useTranslation } from "../../i18n";
import { type EstimateScenario, useEstimate } from "../../meeting-form/estimate";
import type { MeetingFile } from "../../meeting-form/write-meeting-file";
import { money, short } from "../../shell/formatting";

/** The line. Why there is no estimate, the start says. */
export function EstimateLine({ file }: { file: MeetingFile }) {
  const { t } = useTranslation();
  // A meeting without a topic has no estimate, and a topic weighs little.
  const { data } = useEstimate({ ...file, topic: file.topic || "?" }, true);
  if (!data) {
    return null;
  }
  const { least, likely, most, open } = data;
  const range = (of: (one: EstimateScenario) => string) => ({
    likely: of(likely),
    least: of(least),
    most: of(most),
  });
  const priced = [least, likely, most].every((one) => one.priced && one.cost !== undefined);
  return (
    <p data-testid="estimate">
      {t(
        "home.estimate.tokens",
        range((one) => short(one.tokens)),
      )}
      {t("ui.semicolon")}
      {!priced
        ? t("result.cost_unknown")
        : most.cost === 0
          ? t("home.estimate.free")
          : t(
              "home.estimate.cost",
              range((one) => money(one.cost ?? 0)),
            )}
      {t("ui.semicolon")}
      {t(open ? "home.estimate.endless" : "home.estimate.no_budget")}
    </p>
  );
}
