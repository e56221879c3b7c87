// The density of the transcript.

import Rows from "lucide-react/icons/rows-3";
import { useTranslation } from "../../i18n";
import { setDensity, useDensity } from "../../shell/density";
import { useShortcuts } from "../../shell/keys";
import { IconButton } from "../../ui/button";

/** Sets the transcript closely, or with air. A phone has no room to spare for it. */
export function DensityButton() {
  const { t } = useTranslation();
  const compact = useDensity() === "compact";
  const change = () => setDensity(compact ? "comfortable" : "compact");
  useShortcuts(t("table.keys"), [{ label: t("talk.compact"), run: change }]);
  return (
    <span className="hidden sm:block">
      <IconButton size="small" label={t("talk.compact")} pressed={compact} onClick={change}>
        <Rows size={15} aria-hidden />
      </IconButton>
    </span>
  );
}
