// The side panel: deliberation, votes, and results. One tab at a time.

import { CatchBoundary, Link } from "@tanstack/react-router";
import { Suspense } from "react";
import { usePermission } from "../../api/permissions";
import { useTable } from "../../components/meeting-page/context";
import { usePhone } from "../../components/meeting-page/layout";
import { type PanelTab, TABS, useTab } from "../../components/meeting-page/tab";
import { Referring } from "../../components/record/references";
import { useTranslation } from "../../i18n";
import { Markdown } from "../../markdown";
import { lazily } from "../../ui/lazily";
import { ErrorNotice, Waiting } from "../../ui/surface";
import { Tabs } from "../../ui/tabs";
import { PanelPlace } from "./place";
import { Part } from "./section";

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

/** The conclusion, and the way to the whole result. */
function Concluded({ text }: { text: string }) {
  const { t } = useTranslation();
  const { view } = useTable();
  return (
    <Part
      title={t("talk.conclusion")}
      actions={
        <Link to="/m/$id/result" params={{ id: view.id }} className="rounded text-dense text-calm underline">
          {t("table.next.result")}
        </Link>
      }
    >
      <div data-testid="phone-conclusion" className="rounded-2xl border border-line bg-raised px-4 py-3">
        <Markdown text={text} lang={view.language} />
      </div>
    </Part>
  );
}

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
  const Tab = PARTS[now];
  // On a phone the button that leads here promises the conclusion.
  const concludes = usePhone() && (now === "votes" || now === "draft");
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
                {concludes && view.conclusion && <Concluded text={view.conclusion.text} />}
                <Tab />
              </Referring>
            </PanelPlace>
          </CatchBoundary>
        </div>
      </Suspense>
    </Tabs>
  );
}
