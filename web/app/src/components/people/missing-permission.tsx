// A missing permission, and who can grant it.

import Info from "lucide-react/icons/info";
import { useTranslation } from "../../i18n";

/** The placeholder for an action without permission: creating meetings, connecting a model. */
export function MissingPermission({ what }: { what: "hold" | "connect" }) {
  const { t } = useTranslation();
  return (
    <p className="flex items-start gap-2 rounded-xl bg-sunken px-3.5 py-2.5 text-dense text-ink-2">
      <Info size={16} aria-hidden className="mt-1 shrink-0" />
      {t(`shell.may_not_${what}`)}
    </p>
  );
}
