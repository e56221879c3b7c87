// The head of a result: the question, where it was talked about, and what can be done with it.

import { Link, useNavigate } from "@tanstack/react-router";
import ArrowLeft from "lucide-react/icons/arrow-left";
import Copy from "lucide-react/icons/copy";
import Download from "lucide-react/icons/download";
import Ellipsis from "lucide-react/icons/ellipsis";
import GitFork from "lucide-react/icons/git-fork";
import ListRestart from "lucide-react/icons/list-restart";
import Play from "lucide-react/icons/play";
import Printer from "lucide-react/icons/printer";
import Share from "lucide-react/icons/share-2";
import { Suspense, useState } from "react";
import { useCanCreateMeetings, usePermission } from "../../api/permissions";
import type { Report } from "../../api/schema";
import { copyResult, ExportDialog } from "../../components/export/export";
import { ForkDialog } from "../../components/fork/fork";
import { useTranslation, withSettingsTexts } from "../../i18n";
import type { ServerView } from "../../meeting/view";
import { useShortcuts } from "../../shell/keys";
import { Button, ButtonLink, IconButton } from "../../ui/button";
import { lazily } from "../../ui/lazily";
import { Menu, type MenuItem } from "../../ui/menu";
import { Badge } from "../../ui/surface";
import { Facts } from "./verdict";

const ShareDialog = lazily(() => withSettingsTexts(import("../../components/sharing/share-dialog")));

/** The question and what can be done. */
export function Head({ report, view }: { report: Report; view: ServerView | undefined }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const mayHold = useCanCreateMeetings();
  const [exporting, setExporting] = useState(false);
  const [forking, setForking] = useState(false);
  const [sharing, setSharing] = useState(false);
  const id = report.meeting_id;
  const over = report.outcome != null;
  const mayShare = usePermission("manage") && view?.state === "ended" && !view.off_record;
  const held: (MenuItem | null)[] = [
    null,
    {
      label: t("result.fork.title"),
      icon: <GitFork size={15} aria-hidden />,
      onSelect: () => setForking(true),
      disabled: !view,
    },
    {
      label: t("result.whatif.again"),
      icon: <ListRestart size={15} aria-hidden />,
      onSelect: () => void navigate({ to: "/new", search: { like: id } }),
    },
  ];
  const items: (MenuItem | null)[] = [
    {
      label: t("result.copy_markdown"),
      icon: <Copy size={15} aria-hidden />,
      onSelect: () => void copyResult(id, t("result.copied_result")),
    },
    {
      label: t("result.print"),
      icon: <Printer size={15} aria-hidden />,
      onSelect: () => window.print(),
    },
    ...(mayHold ? held : []),
  ];
  useShortcuts(t("result.title"), [
    { keys: "o", label: t("result.to_meeting"), run: () => void navigate({ to: "/m/$id", params: { id } }) },
    { keys: "e", label: t("result.export.title"), run: () => setExporting(true) },
    {
      keys: "r",
      label: t("result.replay"),
      run: () => void navigate({ to: "/m/$id/replay", params: { id } }),
    },
    ...(mayShare ? [{ label: t("result.to_share"), run: () => setSharing(true) }] : []),
    ...items.flatMap((item) =>
      item === null || item.disabled ? [] : [{ label: item.label, run: item.onSelect }],
    ),
  ]);
  return (
    <header className="flex flex-col pb-7">
      {!over && (
        <p
          role="status"
          className="mb-4 rounded-xl bg-calm-soft px-3.5 py-2.5 text-dense text-calm print:border"
        >
          {t(soFar(view?.state))}{" "}
          <Link to="/m/$id" params={{ id }} className="font-medium underline underline-offset-2 print:hidden">
            {t("result.go_there")}
          </Link>
        </p>
      )}
      <p className="mb-1 flex flex-wrap items-center gap-2 text-meta text-ink-3">
        {t(`shell.format.${report.format}`)}
        {report.forked_from && <Badge>{t("shell.fork")}</Badge>}
        {report.simulated && <Badge tone="warn">{t("table.simulated")}</Badge>}
        {view?.damage && <Badge tone="warn">{t("result.damaged", { event: view.damage.event })}</Badge>}
        {view?.off_record && <Badge tone="warn">{t("table.off_record")}</Badge>}
      </p>
      <h1 lang={report.language} className="text-h2 font-medium text-ink-2">
        {report.title}
      </h1>
      {report.title !== report.topic && <p className="text-dense text-ink-2">{report.topic}</p>}
      {report.description && <p className="text-dense text-ink-3">{report.description}</p>}
      <div className="mt-1.5">
        <Facts report={report} />
      </div>
      {report.fork_text && <p className="mt-1.5 text-meta text-ink-3">{report.fork_text}</p>}
      {report.simulated && <p className="mt-1.5 text-meta text-ink-3">{t("result.simulated_note")}</p>}
      <div className="mt-4 flex flex-wrap items-center justify-between gap-2 print:hidden">
        <ButtonLink look="quiet" size="small" className="-ml-2" to="/m/$id" params={{ id }}>
          <ArrowLeft size={15} aria-hidden />
          {t(over ? "result.to_meeting" : "result.to_live")}
        </ButtonLink>
        <div className="flex flex-wrap items-center gap-2">
          <ButtonLink size="small" to="/m/$id/replay" params={{ id }}>
            <Play size={14} aria-hidden />
            {t("result.replay")}
          </ButtonLink>
          <Button size="small" onClick={() => setExporting(true)}>
            <Download size={14} aria-hidden />
            {t("result.export.title")}
          </Button>
          {mayShare && (
            <Button size="small" onClick={() => setSharing(true)}>
              <Share size={14} aria-hidden />
              {t("result.to_share")}
            </Button>
          )}
          <Menu
            trigger={
              <IconButton label={t("ui.more")} size="small">
                <Ellipsis size={16} aria-hidden />
              </IconButton>
            }
            items={items}
          />
        </div>
      </div>
      <ExportDialog id={id} topic={report.title} open={exporting} onOpenChange={setExporting} />
      {sharing && (
        <Suspense>
          <ShareDialog id={id} open onOpenChange={setSharing} />
        </Suspense>
      )}
      {view && forking && <ForkDialog id={id} view={view} open onOpenChange={setForking} />}
    </header>
  );
}

function soFar(state: ServerView["state"] | undefined) {
  switch (state) {
    case "draft":
      return "result.so_far_draft";
    case "paused":
      return "result.so_far_paused";
    default:
      return "result.so_far";
  }
}
