// The layout of a part of the settings.

import type { ReactNode } from "react";
import { useMe, usePermission } from "../../api/permissions";
import type { Scope } from "../../api/schema";
import { useTranslation } from "../../i18n";
import { Waiting } from "../../ui/surface";

interface Props {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  /** The scope that is needed to see it. */
  need?: Scope;
  children: ReactNode;
}

/** A part with its heading; users without permission are told why. */
export function Part({ title, lead, actions, need, children }: Props) {
  const { t } = useTranslation();
  const known = useMe() !== undefined;
  const may = usePermission(need ?? "read");
  const shown = need === undefined || may;
  return (
    <section aria-labelledby="settings-part" className="min-w-0">
      <div className="mb-4 flex flex-wrap items-end justify-between gap-3">
        <div className="min-w-0">
          <h2 id="settings-part" className="text-h2 font-semibold">
            {title}
          </h2>
          {lead && <p className="measure mt-1 text-dense text-ink-2">{lead}</p>}
        </div>
        {shown && actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
      {shown ? (
        children
      ) : known ? (
        <p className="text-dense text-ink-2">
          {t("settings.may_not", { scope: t(`join.scope.${need ?? "read"}`) })}
        </p>
      ) : (
        <Waiting />
      )}
    </section>
  );
}

/** Rows of a list of settings. */
export const LIST = "divide-y divide-line rounded-2xl border border-line bg-raised";
/** The style of a row. */
export const ROW = "flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3";
