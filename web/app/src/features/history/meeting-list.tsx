// The meetings that fit, by day, with what can be done with each.

import { useInfiniteQuery, useMutation, useQueries, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import Download from "lucide-react/icons/download";
import FileText from "lucide-react/icons/file-text";
import ListRestart from "lucide-react/icons/list-restart";
import MessagesSquare from "lucide-react/icons/messages-square";
import Pencil from "lucide-react/icons/pencil";
import Pin from "lucide-react/icons/pin";
import Play from "lucide-react/icons/play";
import Tag from "lucide-react/icons/tag";
import Trash from "lucide-react/icons/trash-2";
import { Suspense, useState } from "react";
import { api, done } from "../../api/client";
import { usePermission } from "../../api/permissions";
import type { MeetingListItem } from "../../api/schema";
import { useTranslation } from "../../i18n";
import { useStartNow } from "../../meeting-form/use-start-now";
import { day } from "../../shell/formatting";
import { pin, usePins } from "../../shell/pins";
import { Button, ButtonLink } from "../../ui/button";
import { Confirm } from "../../ui/dialog";
import { lazily } from "../../ui/lazily";
import type { MenuItem } from "../../ui/menu";
import { Empty, ErrorNotice, Waiting } from "../../ui/surface";
import { notify, notifyError } from "../../ui/toast";
import { MeetingRow } from "./meeting-row";
import { isRunning, type MeetingFilters, meetingsQuery, rowQuery } from "./queries";
import { Hits } from "./search-hits";

const RenameDialog = lazily(() => import("./rename-dialog"));
const TagsDialog = lazily(() => import("../../components/tags/tags-dialog"));
const ExportDialog = lazily(() =>
  import("../../components/export/export").then((room) => ({ default: room.ExportDialog })),
);

/** The rows of some days, each day with its own. */
export function byDay(rows: readonly MeetingListItem[]): [string, MeetingListItem[]][] {
  const days = new Map<string, MeetingListItem[]>();
  for (const row of rows) {
    const own = day(row.created_at);
    days.set(own, [...(days.get(own) ?? []), row]);
  }
  return [...days];
}

/** The list, its end, and its empty state. */
export function MeetingList({ narrowed, onClear }: { narrowed: MeetingFilters; onClear: () => void }) {
  const { t } = useTranslation();
  const list = useInfiniteQuery(meetingsQuery(narrowed));
  const rows = list.data?.pages.flatMap((page) => page.items) ?? [];
  const filtered = Object.values(narrowed).some(Boolean);
  const pinned = usePinnedRows(rows, list.isSuccess && !filtered);
  const actions = useRowActions();
  if (list.isPending) {
    return <Waiting />;
  }
  if (!list.data) {
    return <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />;
  }
  const titles = new Map([...pinned, ...rows].map(({ id, title }) => [id, title]));
  const others = rows.filter(({ id }) => pinned.every((row) => row.id !== id));
  const groups: [string, MeetingListItem[]][] = [
    ...(pinned.length > 0 ? [[t("shell.pinned"), pinned] satisfies [string, MeetingListItem[]]] : []),
    ...byDay(others),
  ];
  const { q, tag, ...filters } = narrowed;
  if (rows.length === 0 && q && !tag) {
    return (
      <>
        <p className="mb-3 text-dense text-ink-2">{t("history.in_texts")}</p>
        <Hits q={q} narrowed={filters} onClear={onClear} />
      </>
    );
  }
  if (rows.length === 0) {
    return filtered ? (
      <Empty
        title={t("history.no_match_title")}
        action={<Button onClick={onClear}>{t("history.clear_filters")}</Button>}
      >
        {t("history.no_match_text")}
      </Empty>
    ) : (
      <NoneYet />
    );
  }
  return (
    <div>
      {list.error && <ErrorNotice compact error={list.error} onRetry={() => void list.refetch()} />}
      {groups.map(([name, own]) => (
        <section key={name} aria-label={name} className="mb-5">
          <h2 className="mb-1 text-meta font-normal text-ink-3">{name}</h2>
          <ul className="flex flex-col">
            {own.map((row) => (
              <MeetingRow
                key={row.id}
                row={row}
                origin={titles.get(row.forked_from?.meeting ?? "")}
                actions={actions.of(row)}
              />
            ))}
          </ul>
        </section>
      ))}
      {list.hasNextPage ? (
        <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t("history.more")}
        </Button>
      ) : (
        <p className="text-meta text-ink-3">{t("history.all_shown", { count: rows.length })}</p>
      )}
      {actions.windows}
    </div>
  );
}

/** The pinned meetings, the last one that was pinned first: those of the list, and with `all` of them those that it has not come to. */
function usePinnedRows(rows: readonly MeetingListItem[], all: boolean): MeetingListItem[] {
  const pins = usePins();
  const listed = new Map(rows.map((row) => [row.id, row]));
  const asked = useQueries({
    queries: pins.map((id) => ({ ...rowQuery(id), enabled: all && !listed.has(id) })),
  });
  return pins.flatMap((id, at) => listed.get(id) ?? (all ? (asked[at]?.data ?? []) : []));
}

/** The empty list: what to do first. */
function NoneYet() {
  const { t, i18n } = useTranslation();
  const may = usePermission("manage");
  const demo = useStartNow();
  const hold = () => {
    const lang = i18n.language === "en" ? "en" : "zh";
    demo.mutate({ topic: t("history.demo_topic"), lang, format: "consensus", simulate: true });
  };
  return (
    <Empty
      icon={<MessagesSquare size={28} aria-hidden />}
      title={t("history.none_title")}
      action={
        may && (
          <>
            <ButtonLink look="primary" to="/new">
              {t("history.new")}
            </ButtonLink>
            <Button busy={demo.isPending} onClick={hold}>
              {t("history.demo")}
            </Button>
          </>
        )
      }
    >
      {t(may ? "history.none_text" : "shell.may_not_hold")}
    </Empty>
  );
}

/** The actions on a row, and their dialogs. */
function useRowActions() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const store = useQueryClient();
  const may = usePermission("manage");
  const pins = usePins();
  const [handing, setHanding] = useState<MeetingListItem>();
  const [leaving, setLeaving] = useState<MeetingListItem>();
  const [renaming, setRenaming] = useState<MeetingListItem>();
  const [tagging, setTagging] = useState<MeetingListItem>();
  const remove = useMutation({
    mutationFn: (row: MeetingListItem) =>
      done(api.DELETE("/api/v1/meetings/{id}", { params: { path: { id: row.id } } })),
    onSuccess: async (_, row) => {
      pin(row.id, false);
      setLeaving(undefined);
      notify({ text: t("history.deleted") });
      await store.invalidateQueries({ queryKey: ["meetings"] });
    },
    onError: notifyError,
  });
  const of = (row: MeetingListItem): (MenuItem | null)[] => {
    const params = { id: row.id };
    const begun = row.state !== "draft";
    const all: (MenuItem | null | false)[] = [
      {
        label: t("history.open"),
        icon: <MessagesSquare size={15} aria-hidden />,
        onSelect: () => void navigate({ to: "/m/$id", params }),
      },
      begun && {
        label: t("history.result"),
        icon: <FileText size={15} aria-hidden />,
        onSelect: () => void navigate({ to: "/m/$id/result", params }),
      },
      begun && {
        label: t("history.replay"),
        icon: <Play size={15} aria-hidden />,
        onSelect: () => void navigate({ to: "/m/$id/replay", params }),
      },
      begun && {
        label: t("history.export"),
        icon: <Download size={15} aria-hidden />,
        onSelect: () => setHanding(row),
      },
      may && {
        label: t("history.again"),
        icon: <ListRestart size={15} aria-hidden />,
        onSelect: () => void navigate({ to: "/new", search: { like: row.id } }),
      },
      {
        label: t(pins.includes(row.id) ? "history.unpin" : "history.pin"),
        note: pins.includes(row.id) ? undefined : t("history.pin_note"),
        icon: <Pin size={15} aria-hidden />,
        onSelect: () => pin(row.id, !pins.includes(row.id)),
      },
      may &&
        !(row.state === "ended" && row.off_record) && {
          label: t("history.rename"),
          icon: <Pencil size={15} aria-hidden />,
          onSelect: () => setRenaming(row),
        },
      may &&
        !row.off_record && {
          label: t("history.edit_tags"),
          icon: <Tag size={15} aria-hidden />,
          onSelect: () => setTagging(row),
        },
      may && null,
      may && {
        label: t("history.delete"),
        icon: <Trash size={15} aria-hidden />,
        danger: true,
        onSelect: () => setLeaving(row),
      },
    ];
    return all.filter((action) => action !== false);
  };
  const windows = (
    <>
      <Suspense>
        {renaming && <RenameDialog row={renaming} onClose={() => setRenaming(undefined)} />}
        {tagging && <TagsDialog meeting={tagging} onClose={() => setTagging(undefined)} />}
      </Suspense>
      {handing && (
        <Suspense>
          <ExportDialog
            id={handing.id}
            topic={handing.title}
            open
            onOpenChange={() => setHanding(undefined)}
          />
        </Suspense>
      )}
      <Confirm
        open={leaving !== undefined}
        onOpenChange={(open) => !open && setLeaving(undefined)}
        title={t("history.delete_title")}
        text={
          leaving &&
          `${t("history.delete_text", { topic: leaving.title })}${isRunning(leaving) ? ` ${t("history.delete_running")}` : ""}`
        }
        action={t("history.delete_do")}
        danger
        busy={remove.isPending}
        onConfirm={() => leaving && remove.mutate(leaving)}
      />
    </>
  );
  return { of, windows };
}
