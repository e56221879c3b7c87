// All other actions on a meeting, behind one button. Actions that the user may not take are not in it.

import { useNavigate } from "@tanstack/react-router";
import Ellipsis from "lucide-react/icons/ellipsis";
import { Suspense, useState } from "react";
import { useCanCreateMeetings } from "../../api/permissions";
import { useTable } from "../../components/meeting-page/context";
import type { useMeetingActions } from "../../components/meeting-page/start-pause-resume";
import { useTranslation, withSettingsTexts } from "../../i18n";
import { isOpen } from "../../meeting/view";
import { useShortcuts } from "../../shell/keys";
import { IconButton } from "../../ui/button";
import { lazily } from "../../ui/lazily";
import { Menu, type MenuItem } from "../../ui/menu";

// What is opened now and then is fetched when it is.
const EndConfirm = lazily(() => import("./end-confirmation"));
const DeleteConfirm = lazily(() => import("./delete-confirmation"));
const TopicDialog = lazily(() => import("./text-dialogs").then((texts) => ({ default: texts.TopicDialog })));
const DetailsDialog = lazily(() => import("./details-dialog"));
const TagsDialog = lazily(() => import("../../components/tags/tags-dialog"));
const AnnounceDialog = lazily(() =>
  import("./text-dialogs").then((texts) => ({ default: texts.AnnounceDialog })),
);
const RulesDialog = lazily(() => withSettingsTexts(import("./rules")));
const InviteDialog = lazily(() => withSettingsTexts(import("../../components/people/invite")));
const ExportDialog = lazily(() =>
  import("../../components/export/export").then((room) => ({ default: room.ExportDialog })),
);

type Window = "topic" | "details" | "tags" | "announce" | "rules" | "invite" | "export" | "delete" | null;

/** An action of the menu, which the palette lists, too. */
type Action = MenuItem & { keys?: string; listed?: false };

interface Props {
  meetingActions: ReturnType<typeof useMeetingActions>;
  ending: boolean;
  onEnding: (ending: boolean) => void;
}

/** The menu of a meeting, and the windows that it opens. */
export function TableMenu({ meetingActions, ending, onEnding }: Props) {
  const { t } = useTranslation();
  const { view, may, past } = useTable();
  const mayHold = useCanCreateMeetings();
  const navigate = useNavigate();
  const [shown, setShown] = useState<Window>(null);
  const close = (open: boolean) => !open && setShown(null);
  const steers = may.manage && isOpen(view);
  const runs = view.step !== null && !view.pause;
  const begun = view.state !== "draft";
  const asks = (view.pause?.questions.length ?? 0) > 0;
  const to = { params: { id: view.id } };
  const actions: (Action | null | false)[] = [
    may.manage &&
      runs && {
        label: t("table.menu.pause_now"),
        note: t("table.menu.pause_now_note"),
        onSelect: () => void meetingActions.pause(true),
      },
    may.manage &&
      runs && {
        label: t("table.menu.pause_after"),
        note: t("table.menu.pause_after_note"),
        // The header has it under the key `p`.
        listed: false,
        onSelect: () => void meetingActions.pause(false),
      },
    steers && !asks && { label: t("table.menu.turn"), onSelect: () => void meetingActions.advance("turn") },
    steers && !asks && { label: t("table.menu.round"), onSelect: () => void meetingActions.advance("round") },
    steers &&
      !asks &&
      view.rules.decision.ballots && {
        label: t("table.menu.ballot"),
        onSelect: () => void meetingActions.advance("ballot"),
      },
    steers && null,
    steers && { label: t("table.menu.topic"), onSelect: () => setShown("topic") },
    may.manage && { label: t("table.menu.details"), onSelect: () => setShown("details") },
    may.manage && !view.off_record && { label: t("history.edit_tags"), onSelect: () => setShown("tags") },
    steers && { label: t("table.menu.announce"), onSelect: () => setShown("announce") },
    { label: t("table.menu.rules"), onSelect: () => setShown("rules") },
    may.manage && { label: t("table.menu.invite"), onSelect: () => setShown("invite") },
    null,
    begun &&
      !past && {
        label: t("table.menu.replay"),
        onSelect: () => void navigate({ to: "/m/$id/replay", ...to }),
      },
    past && { label: t("table.menu.live"), onSelect: () => void navigate({ to: "/m/$id", ...to }) },
    begun && { label: t("table.menu.result"), onSelect: () => void navigate({ to: "/m/$id/result", ...to }) },
    mayHold === true && {
      label: t("table.menu.like"),
      onSelect: () => void navigate({ to: "/new", search: { like: view.id } }),
    },
    { label: t("table.menu.export"), onSelect: () => setShown("export") },
    may.manage && null,
    steers &&
      begun && {
        label: t("table.menu.end"),
        keys: ".",
        danger: true,
        onSelect: () => onEnding(true),
      },
    may.manage && { label: t("table.menu.delete"), danger: true, onSelect: () => setShown("delete") },
  ];
  const offered = actions.filter((action) => action !== false);
  useShortcuts(
    t("table.keys"),
    offered.flatMap((action) =>
      action === null || action.listed === false
        ? []
        : [{ keys: action.keys, label: action.label, run: action.onSelect }],
    ),
  );
  return (
    <>
      <Menu
        trigger={
          <IconButton size="small" label={t("table.menu.title")}>
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        }
        items={offered}
      />
      <Suspense>
        {ending && <EndConfirm open onOpenChange={onEnding} meetingActions={meetingActions} />}
        {shown === "topic" && <TopicDialog open onOpenChange={close} />}
        {shown === "details" && <DetailsDialog open onOpenChange={close} />}
        {shown === "tags" && (
          <TagsDialog meeting={{ id: view.id, title: view.title }} onClose={() => close(false)} />
        )}
        {shown === "announce" && <AnnounceDialog open onOpenChange={close} />}
        {shown === "delete" && <DeleteConfirm open onOpenChange={close} />}
        {shown === "rules" && <RulesDialog onOpenChange={close} />}
        {shown === "invite" && <InviteDialog id={view.id} open onOpenChange={close} />}
        {shown === "export" && <ExportDialog id={view.id} topic={view.title} open onOpenChange={close} />}
      </Suspense>
    </>
  );
}
