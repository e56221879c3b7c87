// The place of the side panel: beside the transcript, or in a drawer.

import { type PointerEvent, Suspense } from "react";
import {
  changeLayout,
  layout,
  PANEL,
  showPanel,
  togglePanel,
  useLayout,
  usePhone,
  useWide,
} from "../../components/meeting-page/layout";
import { PhoneView } from "../../components/meeting-page/phone-view";
import { type PanelTab, useTab } from "../../components/meeting-page/tab";
import { useTranslation } from "../../i18n";
import { useShortcuts } from "../../shell/keys";
import { Drawer } from "../../ui/dialog";
import { lazily } from "../../ui/lazily";
import { Waiting } from "../../ui/surface";

// The transcript does not wait for the panel.
const PanelBody = lazily(() => import("./panel-body"));

/** The panel at the right; a drawer on narrow pages. */
export function SidePanel() {
  const { t } = useTranslation();
  const { panel, drawer, width } = useLayout();
  const wide = useWide();
  const [, go] = useTab();
  const open = (tab: PanelTab) => () => {
    go(tab);
    showPanel();
  };
  useShortcuts(t("table.keys"), [
    { keys: "s", label: t("table.key_panel"), run: togglePanel },
    { keys: "h", label: t("table.key_health"), run: open("health") },
    { keys: "v", label: t("table.key_votes"), run: open("votes") },
    { keys: "d", label: t("table.key_draft"), run: open("draft") },
    { keys: "a", label: t("table.key_agenda"), run: open("agenda") },
    { keys: "m", label: t("table.key_minutes"), run: open("minutes") },
    { label: t("table.panel.artifacts"), run: open("artifacts") },
    { label: t("table.panel.cost"), run: open("cost") },
  ]);
  const phone = usePhone();
  if (phone) {
    return (
      drawer === "panel" && (
        <PhoneView label={t("table.panel.title")}>
          <Suspense fallback={<Waiting />}>
            <PanelBody />
          </Suspense>
        </PhoneView>
      )
    );
  }
  if (!wide) {
    return (
      <Drawer
        open={drawer === "panel"}
        onOpenChange={(next) => changeLayout({ drawer: next ? "panel" : null })}
        title={t("table.panel.title")}
      >
        <div className="-mx-5">
          <Suspense fallback={<Waiting />}>
            <PanelBody />
          </Suspense>
        </div>
      </Drawer>
    );
  }
  return (
    panel && (
      <aside
        aria-label={t("table.panel.title")}
        style={{ width }}
        className="relative flex min-h-0 shrink-0 flex-col border-l border-line"
      >
        <Edge />
        <Suspense fallback={<Waiting />}>
          <PanelBody />
        </Suspense>
      </aside>
    )
  );
}

/** The edge by which the panel is made wider or narrower, by hand or by arrow keys. */
function Edge() {
  const { t } = useTranslation();
  const { width } = useLayout();
  const drag = (event: PointerEvent<HTMLHRElement>) => {
    const edge = event.currentTarget;
    const [from, before] = [event.clientX, layout().width];
    edge.setPointerCapture(event.pointerId);
    edge.onpointermove = (moved) => changeLayout({ width: before + from - moved.clientX });
    edge.onpointerup = () => {
      edge.onpointermove = null;
      edge.onpointerup = null;
    };
  };
  return (
    <hr
      aria-orientation="vertical"
      aria-label={t("table.panel.edge")}
      aria-valuenow={width}
      aria-valuemin={PANEL.least}
      aria-valuemax={PANEL.most}
      tabIndex={0}
      onPointerDown={drag}
      onKeyDown={(event) => {
        const step = event.key === "ArrowLeft" ? 16 : event.key === "ArrowRight" ? -16 : 0;
        if (step !== 0) {
          event.preventDefault();
          changeLayout({ width: width + step });
        }
      }}
      className="absolute inset-y-0 -left-1 z-10 m-0 h-full w-2 cursor-col-resize touch-none border-0 hover:bg-line focus-visible:bg-line"
    />
  );
}
