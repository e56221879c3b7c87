// A meeting in the list: the question first, then the state.

import { Link } from "@tanstack/react-router";
import Archive from "lucide-react/icons/archive";
import CircleCheck from "lucide-react/icons/circle-check";
import CircleDashed from "lucide-react/icons/circle-dashed";
import CirclePause from "lucide-react/icons/circle-pause";
import CircleStop from "lucide-react/icons/circle-stop";
import Ellipsis from "lucide-react/icons/ellipsis";
import GitFork from "lucide-react/icons/git-fork";
import Hourglass from "lucide-react/icons/hourglass";
import MessagesSquare from "lucide-react/icons/messages-square";
import Pin from "lucide-react/icons/pin";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import Vote from "lucide-react/icons/vote";
import type { ReactNode } from "react";
import { FORMATS } from "../../api/choices";
import type { MeetingListItem } from "../../api/schema";
import { rowOutcome } from "../../components/outcome";
import { PauseReason } from "../../components/pause-reason";
import { useSeatCount } from "../../components/seat-count";
import { WaitsFor } from "../../components/waits-for";
import { useTranslation } from "../../i18n";
import { ago, moment } from "../../shell/formatting";
import { usePins } from "../../shell/pins";
import { IconButton } from "../../ui/button";
import { cx } from "../../ui/classes";
import { Menu, type MenuItem } from "../../ui/menu";
import { Badge, type Tone } from "../../ui/surface";
import { Tags } from "./tags";

const STATES = ["draft", "preparation", "discussion", "ballot", "closing", "paused", "ended"] as const;

const INK: Record<Tone, string> = {
  plain: "text-ink-2",
  good: "text-good",
  warn: "text-warn",
  bad: "text-bad",
  calm: "text-calm",
  accent: "text-accent",
};

/** The state or the outcome of a meeting: an icon and words. */
export function MeetingStatus({ row }: { row: MeetingListItem }) {
  const { t } = useTranslation();
  const state = STATES.find((one) => one === row.state) ?? "ended";
  if (state === "ended" && row.outcome) {
    const { text, tone } = rowOutcome(t, row.outcome);
    const Icon = tone === "good" ? CircleCheck : tone === "warn" ? CircleStop : Archive;
    return <Said tone={tone} icon={<Icon size={14} aria-hidden />} text={text} />;
  }
  if (row.fault) {
    const text = t("history.stopped");
    return <Said tone="bad" icon={<TriangleAlert size={14} aria-hidden />} text={text} />;
  }
  if (row.provider_wait) {
    const text = t("history.waits_for", { names: row.provider_wait.waiting_for.join(t("ui.comma")) });
    return <Said tone="warn" icon={<Hourglass size={14} aria-hidden />} text={text} />;
  }
  const [tone, Icon] = {
    draft: ["plain", CircleDashed] as const,
    preparation: ["calm", MessagesSquare] as const,
    discussion: ["calm", MessagesSquare] as const,
    ballot: ["accent", Vote] as const,
    closing: ["calm", MessagesSquare] as const,
    paused: ["warn", CirclePause] as const,
    ended: ["plain", Archive] as const,
  }[state];
  return <Said tone={tone} icon={<Icon size={14} aria-hidden />} text={t(`home.state.${state}`)} />;
}

function Said({ tone, icon, text }: { tone: Tone; icon: ReactNode; text: string }) {
  return (
    <span className={cx("inline-flex items-center gap-1", INK[tone])}>
      {icon}
      {text}
    </span>
  );
}

/** One line of the list. An ended meeting links to its result, every other to the meeting itself. */
export function MeetingRow({
  row,
  origin,
  actions,
}: {
  row: MeetingListItem;
  /** The title of the meeting that it was forked from, where that is known. */
  origin?: string;
  actions: (MenuItem | null)[];
}) {
  const { t } = useTranslation();
  const count = useSeatCount(row);
  const format = FORMATS.find((one) => one === row.format);
  const pinned = usePins().includes(row.id);
  return (
    <li className="group relative -mx-3 flex items-start gap-2 rounded-xl px-3 py-2.5 focus-within:bg-sunken hover:bg-sunken">
      <div className="min-w-0 flex-1">
        <Link
          to={row.state === "ended" ? "/m/$id/result" : "/m/$id"}
          params={{ id: row.id }}
          data-row
          lang={row.language}
          className="text-body font-medium text-ink after:absolute after:inset-0 after:rounded-xl"
        >
          {row.title}
        </Link>
        {pinned && (
          <>
            <Pin size={13} aria-hidden className="ml-1.5 inline-block align-[-1px] text-ink-3" />
            <span className="sr-only">{t("shell.pinned")}</span>
          </>
        )}
        {row.state === "paused" && <PauseReason row={row} />}
        <WaitsFor row={row} />
        {row.conclusion_line && (
          <p className="line-clamp-1 text-dense text-ink" lang={row.language} data-testid="conclusion-line">
            {row.conclusion_line}
          </p>
        )}
        {row.description && !row.conclusion_line && (
          <p className="line-clamp-1 text-dense text-ink-2">{row.description}</p>
        )}
        <p className="flex flex-wrap items-center gap-x-3 gap-y-0.5 text-meta text-ink-3">
          <MeetingStatus row={row} />
          {format && <span>{t(`shell.format.${format}`)}</span>}
          <span>{count}</span>
          <time dateTime={row.created_at} title={moment(row.created_at)}>
            {t("history.created", { when: ago(row.created_at) })}
          </time>
          {row.forked_from && (
            <Link
              to="/m/$id"
              params={{ id: row.forked_from.meeting }}
              search={{ at: row.forked_from.seq }}
              className="relative z-10 inline-flex items-center gap-1 rounded underline underline-offset-2 hover:text-ink"
            >
              <GitFork size={12} aria-hidden />
              {origin === undefined ? t("history.fork") : t("history.fork_of", { title: origin })}
            </Link>
          )}
          {row.simulated && <span>{t("history.simulated")}</span>}
          {row.damaged && <Badge tone="warn">{t("history.damaged")}</Badge>}
          {row.off_record && <Badge tone="warn">{t("history.off_record")}</Badge>}
        </p>
        <Tags tags={row.tags} />
      </div>
      <span className="relative z-10 opacity-60 group-focus-within:opacity-100 group-hover:opacity-100">
        <Menu
          trigger={
            <IconButton label={t("history.menu", { topic: row.title })} size="small">
              <Ellipsis size={16} aria-hidden />
            </IconButton>
          }
          items={actions}
        />
      </span>
    </li>
  );
}
