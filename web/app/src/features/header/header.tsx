// The head of a meeting: its question, where it is on its way, what it has used, and what can be done now.

import CircleHelp from "lucide-react/icons/circle-question-mark";
import FileCheck from "lucide-react/icons/file-check";
import PanelRight from "lucide-react/icons/panel-right";
import Pause from "lucide-react/icons/pause";
import Play from "lucide-react/icons/play";
import Users from "lucide-react/icons/users";
import { useState } from "react";
import { useTable } from "../../components/meeting-page/context";
import {
  togglePanel,
  toggleParticipants,
  useLayout,
  usePhone,
  useWide,
} from "../../components/meeting-page/layout";
import {
  type NextAction,
  useMeetingActions,
  useNextAction,
} from "../../components/meeting-page/start-pause-resume";
import { useTranslation } from "../../i18n";
import { useTimesOf } from "../../shell/formatting";
import { useShortcuts } from "../../shell/keys";
import { MenuButton } from "../../shell/menu-button";
import { useTitle } from "../../shell/title";
import { Button, IconButton } from "../../ui/button";
import { cx } from "../../ui/classes";
import { Badge } from "../../ui/surface";
import { BudgetMeter } from "./budget";
import { DensityButton } from "./density";
import { TableMenu } from "./menu";
import { PhaseBar } from "./phase-bar";
import { RoundNav } from "./round-navigation";

const ICONS = {
  start: Play,
  pause: Pause,
  unpause: Play,
  resume: Play,
  answer: CircleHelp,
  result: FileCheck,
};

/** The head of the meeting. */
export function TableHeader() {
  const { t } = useTranslation();
  const { view, past } = useTable();
  const next = useNextAction();
  const meetingActions = useMeetingActions();
  const [whole, setWhole] = useState(false);
  const [ending, setEnding] = useState(false);
  const { participants, panel } = useLayout();
  const wide = useWide();
  // On a phone the notice of the end leads to the result, and the title needs the room.
  const phone = usePhone();
  useTitle(view.title);
  useTimesOf(view.display);
  const paused = next === "pause" || next === "unpause" || next === "resume" || next === "answer";
  useShortcuts(t("table.keys"), [
    ...(paused ? [{ keys: "p", label: t("table.key_pause"), run: () => meetingActions.go(next) }] : []),
    ...(next === "start" ? [{ label: t("table.next.start"), run: () => meetingActions.go(next) }] : []),
  ]);
  return (
    <header data-edge="top" className="shrink-0 border-b border-line bg-paper px-3 pt-2 pb-1.5 sm:px-4">
      <div className="flex items-start gap-2">
        <MenuButton />
        <IconButton
          size="small"
          label={t("table.rail.title")}
          pressed={wide ? participants : undefined}
          className="max-md:hidden"
          onClick={toggleParticipants}
        >
          <Users size={16} aria-hidden />
        </IconButton>
        <h1 className="min-w-0 flex-1 text-dense font-semibold sm:text-h3">
          <button
            type="button"
            aria-expanded={whole}
            title={view.title}
            onClick={() => setWhole(!whole)}
            className={cx("w-full text-left", !whole && "line-clamp-2 sm:line-clamp-1")}
          >
            {view.title}
          </button>
        </h1>
        {!(phone && next === "result") && (
          <MainButton next={next} busy={meetingActions.busy} onPress={() => meetingActions.go(next)} />
        )}
        <TableMenu meetingActions={meetingActions} ending={ending} onEnding={setEnding} />
        <IconButton
          size="small"
          label={t("table.panel.title")}
          pressed={wide ? panel : undefined}
          className="max-md:hidden"
          onClick={togglePanel}
        >
          <PanelRight size={16} aria-hidden />
        </IconButton>
      </div>
      {whole && view.title !== view.topic && (
        <p className="measure px-9 pt-1 text-dense text-ink">{view.topic}</p>
      )}
      {whole && view.description && (
        <p className="measure px-9 pt-1 text-dense text-ink-2">{view.description}</p>
      )}
      {whole && view.background && (
        <p className="measure px-9 py-1 text-dense text-ink-2">{view.background}</p>
      )}
      <div className="mt-0.5 flex min-w-0 items-center gap-2 max-md:keyboard:hidden">
        <div className="flex min-w-0 flex-1 items-center gap-1.5 overflow-hidden">
          {view.simulated && (
            <Badge tone="warn">
              <span title={t("table.simulated_note")}>{t("table.simulated")}</span>
            </Badge>
          )}
          {view.off_record && <Badge>{t("table.off_record")}</Badge>}
          {past && <Badge tone="accent">{t("table.past")}</Badge>}
          {view.pause && <Badge tone="warn">{t("table.paused")}</Badge>}
          {!view.pause && (view.pause_requested_by || view.planned_pause) && (
            <Badge tone="warn">{t("table.will_pause")}</Badge>
          )}
          <PhaseBar />
        </div>
        <RoundNav />
        <DensityButton />
        <BudgetMeter />
      </div>
    </header>
  );
}

function MainButton({ next, busy, onPress }: { next: NextAction; busy: boolean; onPress: () => void }) {
  const { t } = useTranslation();
  if (next === null) {
    return null;
  }
  const Icon = ICONS[next];
  return (
    <Button size="small" look={next === "pause" ? "plain" : "primary"} busy={busy} onClick={onPress}>
      <Icon size={14} aria-hidden />
      {t(`table.next.${next}`)}
    </Button>
  );
}
