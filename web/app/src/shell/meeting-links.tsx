// The meetings of the side bar: those that wait for the user first, then the pinned ones, those that run, and the last ones.

import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import Archive from "lucide-react/icons/archive";
import CircleDashed from "lucide-react/icons/circle-dashed";
import CirclePause from "lucide-react/icons/circle-pause";
import CircleHelp from "lucide-react/icons/circle-question-mark";
import GitFork from "lucide-react/icons/git-fork";
import MessagesSquare from "lucide-react/icons/messages-square";
import type { ReactNode } from "react";
import { api, done } from "../api/client";
import type { MeetingListItem } from "../api/schema";
import { useTranslation } from "../i18n";
import { unpinDeleted, usePins } from "./pins";
import { type MeetingsNow, useMeetingsNow } from "./waiting";

/** How many there is room for beside the pages. */
const ROOM = 10;

/** The meetings under their headings; a heading without meetings is left out. */
export default function MeetingLinks({ now }: { now: MeetingsNow }) {
  const { t } = useTranslation();
  const pinned = usePinned(now);
  const other = (row: MeetingListItem) => pinned.every(({ id }) => id !== row.id);
  const running = [...now.running, ...now.paused].filter(other);
  const shown = now.waiting.length + pinned.length + running.length;
  const recent = now.recent.filter(other).slice(0, Math.max(3, ROOM - shown));
  return (
    <div className="-mx-2 mt-3 flex min-h-0 shrink flex-col gap-3 overflow-y-auto px-2 pb-2">
      <Rows title={t("home.need_you")} rows={now.waiting} waits />
      <Rows title={t("shell.pinned")} rows={pinned} />
      <Rows title={t("home.running")} rows={running} />
      <Rows title={t("shell.recent")} rows={recent} />
    </div>
  );
}

const NONE: MeetingsNow = { waiting: [], paused: [], running: [], recent: [] };

/** The pinned meetings for the home page, which has lists of the others. */
export function PinnedLinks() {
  const { t } = useTranslation();
  const pinned = usePinned(useMeetingsNow(true) ?? NONE);
  return <Rows title={t("shell.pinned")} rows={pinned} />;
}

type Row = Pick<MeetingListItem, "id" | "title" | "language"> & {
  forked_from?: MeetingListItem["forked_from"];
  /** Null while it is unknown. */
  state: MeetingListItem["state"] | null;
  tags?: string[];
};

/** The pinned meetings: as the lists have them, else as the server tells them one by one. */
function usePinned(now: MeetingsNow): Row[] {
  const pins = usePins();
  const listed = [...now.waiting, ...now.running, ...now.paused, ...now.recent];
  const asked = useQueries({
    queries: pins.map((id) => ({
      queryKey: ["meetings", id, "pinned"],
      queryFn: async (): Promise<Row> => {
        const params = { path: { id }, query: { messages: 0 } };
        return done(api.GET("/api/v1/meetings/{id}", { params })).catch(unpinDeleted(id));
      },
      enabled: listed.every((row) => row.id !== id),
      staleTime: 60_000,
      retry: false,
    })),
  });
  return pins.flatMap((id, at) => {
    if (now.waiting.some((row) => row.id === id)) return [];
    // Room for one that is still asked for, so that nothing moves when it comes.
    const pending = asked[at]?.isPending ? ({ id, title: "", language: "en", state: null } as const) : [];
    return listed.find((row) => row.id === id) ?? asked[at]?.data ?? pending;
  });
}

function Rows({ title, rows, waits }: { title: string; rows: Row[]; waits?: boolean }) {
  const { t } = useTranslation();
  if (rows.length === 0) {
    return null;
  }
  return (
    <section aria-label={title}>
      <h2 className="px-2.5 pb-0.5 text-meta text-ink-3">{title}</h2>
      <ul className="flex flex-col">
        {rows.map((row) => (
          <li key={row.id}>
            <Link
              to={row.state === "ended" ? "/m/$id/result" : "/m/$id"}
              params={{ id: row.id }}
              title={row.title}
              className="flex min-h-8 items-center gap-2 rounded-lg px-2.5 py-1.5 text-dense leading-5 text-ink-2 hover:bg-line/60 hover:text-ink aria-[current=page]:bg-line/70 aria-[current=page]:text-ink coarse:min-h-11"
            >
              <State row={row} waits={waits} />
              <span lang={row.language} className="line-clamp-2 min-w-0 flex-1 break-words">
                {row.title}
              </span>
              {row.forked_from && row.state !== "ended" && (
                <>
                  <GitFork size={14} aria-hidden className="shrink-0 text-ink-3" />
                  <span className="sr-only">{t("shell.fork")}</span>
                </>
              )}
              {row.tags?.[0] !== undefined && (
                <span className="max-w-20 shrink-0 truncate text-meta text-ink-3">{row.tags[0]}</span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The state: a sign, and the word for those who do not see it. */
function State({ row, waits }: { row: Row; waits?: boolean }) {
  const { t } = useTranslation();
  const sign = (icon: ReactNode, word: string) => (
    <>
      {icon}
      <span className="sr-only">{word}</span>
    </>
  );
  const size = { size: 14, "aria-hidden": true };
  if (waits) {
    return sign(<CircleHelp {...size} className="shrink-0 text-warn" />, t("home.need_you"));
  }
  switch (row.state) {
    case null:
      return null;
    case "paused":
      return sign(<CirclePause {...size} className="shrink-0 text-warn" />, t("home.state.paused"));
    case "draft":
      return sign(<CircleDashed {...size} className="shrink-0 text-ink-3" />, t("home.state.draft"));
    case "ended":
      return row.forked_from
        ? sign(<GitFork {...size} className="shrink-0 text-ink-3" />, t("shell.fork"))
        : sign(<Archive {...size} className="shrink-0 text-ink-3" />, t("home.state.ended"));
    default:
      return sign(
        <MessagesSquare {...size} className="shrink-0 text-calm motion-safe:animate-pulse" />,
        t(`home.state.${row.state}`),
      );
  }
}
