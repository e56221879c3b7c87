// The dialog after an agent was changed by another user in the meantime: which version holds?

import { useQuery } from "@tanstack/react-query";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import { useTranslation } from "../../i18n";
import { moment } from "../../shell/formatting";
import { Button } from "../../ui/button";
import { agent } from "./queries";

interface Props {
  /** The agent's id. */
  name: string;
  busy: boolean;
  /** Shows the newer version, and drops what was typed. */
  onLoad: () => void;
  /** Saves over it. */
  onOver: () => void;
}

/** Says what happened and lets one choose. */
export function Conflict({ name, busy, onLoad, onOver }: Props) {
  const { t } = useTranslation();
  const newer = useQuery({ ...agent(name), staleTime: 0 });
  return (
    <div role="alert" className="flex gap-2.5 rounded-xl border border-warn/40 bg-warn-soft p-4 text-dense">
      <TriangleAlert size={18} className="mt-0.5 shrink-0 text-warn" aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="font-medium text-ink">{t("agents.conflict_title")}</p>
        <p className="text-ink-2">
          {newer.data
            ? t("agents.conflict_when", { when: moment(newer.data.agent.updated_at) })
            : t("agents.conflict_text")}
        </p>
        <div className="mt-2 flex flex-wrap gap-2">
          <Button size="small" look="primary" onClick={onLoad}>
            {t("agents.load_newer")}
          </Button>
          <Button size="small" busy={busy} onClick={onOver}>
            {t("agents.save_over")}
          </Button>
        </div>
      </div>
    </div>
  );
}
