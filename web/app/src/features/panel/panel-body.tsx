// The side panel: deliberation, votes, and results. One tab at a time.

import { CatchBoundary } from "@tanstack/react-router";
import { Suspense } from "react";
import { usePermission } from "../../api/permissions";
import { useTable } from "../../components/meeting-page/context";
import { type PanelTab, TABS, useTab } from "../../components/meeting-page/tab";
import { Referring } from "../../components/record/references";
import { useTranslation } from "../../i18n";
import { lazily } from "../../ui/lazily";
import { ErrorNotice, Waiting } from "../../ui/surface";
import { Tabs } from "../../ui/tabs";
import { PanelPlace } from "./place";

const PARTS = {
  health: lazily(() => import("./health")),
  votes: lazily(() => import("./votes")),
  draft: lazily(() => import("./draft")),
  agenda: lazily(() => import("./agenda")),
  minutes: lazily(() => import("./minutes")),
  artifacts: lazily(() => import("./artifacts")),
  cost: lazily(() => import("./cost")),
  hidden: lazily(() => import("./hidden")),
};

/** The tabs and what the chosen one shows; for wherever they are shown. */
export default function PanelBody() {
  const { t } = useTranslation();
  const { view } = useTable();
  const manages = usePermission("manage");
  const [tab, go] = useTab();
  const counts: Partial<Record<PanelTab, number>> = {
    votes: view.ballots.length,
    agenda: view.agenda.filter((item) => !item.completed).length,
    artifacts: view.artifacts.length,
  };
  // Users who may not see marks have no tab for them.
  const shown = TABS.filter((one) => one !== "hidden" || manages);
  const now = shown.includes(tab) ? tab : "health";
  const Part = PARTS[now];
  return (
    <Tabs
      label={t("table.panel.title")}
      className="h-full"
      most={5}
      value={now}
      onChange={go}
      tabs={shown.map((value) => ({ value, label: t(`table.panel.${value}`), count: counts[value] }))}
    >
      <Suspense fallback={<Waiting />}>
        <div className="flex flex-col gap-5 px-4 py-4">
          {/* What one tab cannot show takes nothing else away. */}
          <CatchBoundary
            getResetKey={() => now}
            errorComponent={({ error, reset }) => <ErrorNotice error={error} onRetry={reset} />}
          >
            <PanelPlace>
              <Referring messages={view.messages_total}>
                <Part />
              </Referring>
            </PanelPlace>
          </CatchBoundary>
        </div>
      </Suspense>
    </Tabs>
  );
}
