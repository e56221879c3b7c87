// The list of messages that mention the user, at all meetings; one opens the message.

import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import AtSign from "lucide-react/icons/at-sign";
import Bell from "lucide-react/icons/bell";
import CheckCheck from "lucide-react/icons/check-check";
import { useState } from "react";
import { api, done } from "../../api/client";
import { mentions, readAllMentions, readable } from "../../api/mentions";
import type { MentionEntry } from "../../api/schema";
import { useTranslation } from "../../i18n";
import { ago, moment } from "../../shell/formatting";
import { askToNotify, notifying } from "../../shell/notifications";
import { Button } from "../../ui/button";
import { cx } from "../../ui/classes";
import { Drawer } from "../../ui/dialog";
import { Empty, ErrorNotice, Waiting } from "../../ui/surface";
import { notifyError } from "../../ui/toast";

const PAGE = 20;

interface Props {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** The list in a window at the side. */
export default function Mentions({ open, onOpenChange }: Props) {
  const { t } = useTranslation();
  return (
    <Drawer side="right" open={open} onOpenChange={onOpenChange} title={t("dialog.mentions.title")}>
      <Listed onOpened={() => onOpenChange(false)} />
    </Drawer>
  );
}

function Listed({ onOpened }: { onOpened: () => void }) {
  const { t } = useTranslation();
  const [notify, setNotify] = useState(notifying);
  const asked = useInfiniteQuery({
    queryKey: [...mentions.queryKey, "all"],
    queryFn: ({ pageParam: cursor }) =>
      done(api.GET("/api/v1/me/mentions", { params: { query: { limit: PAGE, cursor } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
  });
  const reading = useMutation({ mutationFn: readAllMentions, onError: notifyError });
  if (asked.isPending) {
    return <Waiting />;
  }
  if (!asked.data) {
    return <ErrorNotice error={asked.error} onRetry={() => void asked.refetch()} />;
  }
  const all = asked.data.pages.flatMap((page) => page.items);
  const unread = asked.data.pages[0]?.unread ?? 0;
  return (
    <div className="flex flex-col gap-3">
      {(unread > 0 || notify === "ask") && (
        <div className="flex flex-wrap gap-2">
          {unread > 0 && (
            <Button size="small" busy={reading.isPending} onClick={() => reading.mutate()}>
              <CheckCheck size={14} aria-hidden />
              {t("dialog.mentions.read_all")}
            </Button>
          )}
          {notify === "ask" && (
            <Button size="small" look="quiet" onClick={() => void askToNotify().then(setNotify)}>
              <Bell size={14} aria-hidden />
              {t("dialog.mentions.notify_me")}
            </Button>
          )}
        </div>
      )}
      {all.length === 0 ? (
        <Empty icon={<AtSign size={26} aria-hidden />} title={t("dialog.mentions.none")}>
          {t("dialog.mentions.none_text")}
        </Empty>
      ) : (
        <ul className="-mx-2 flex flex-col gap-0.5">
          {all.map((one) => (
            <Row key={`${one.meeting} ${one.seq}`} mention={one} onOpened={onOpened} />
          ))}
        </ul>
      )}
      {asked.hasNextPage && (
        <Button
          size="small"
          className="self-start"
          busy={asked.isFetchingNextPage}
          onClick={() => void asked.fetchNextPage()}
        >
          {t("dialog.mentions.more")}
        </Button>
      )}
    </div>
  );
}

function Row({ mention, onOpened }: { mention: MentionEntry; onOpened: () => void }) {
  const { t } = useTranslation();
  const { meeting, seq, by, topic, excerpt, said_at, is_unread } = mention;
  return (
    <li className="relative rounded-xl px-2 py-2 focus-within:bg-sunken hover:bg-sunken">
      <p className="flex items-baseline gap-1.5 text-dense">
        <span
          aria-hidden
          className={cx("size-2 shrink-0 self-center rounded-full", is_unread ? "bg-accent" : "invisible")}
        />
        {is_unread && <span className="sr-only">{t("dialog.mentions.unread")}</span>}
        <bdi className={cx("min-w-0 truncate text-ink", is_unread && "font-medium")}>{by}</bdi>
        <time
          dateTime={said_at}
          title={moment(said_at)}
          className="ml-auto shrink-0 text-meta whitespace-nowrap text-ink-3"
        >
          {ago(said_at)}
        </time>
      </p>
      <p className="mt-0.5 line-clamp-3 pl-3.5 text-dense [overflow-wrap:anywhere] text-ink-2">
        {readable(excerpt)}
      </p>
      <Link
        to="/m/$id"
        params={{ id: meeting }}
        search={{ at: seq }}
        onClick={onOpened}
        className="mt-0.5 block truncate pl-3.5 text-meta text-ink-3 after:absolute after:inset-0 after:rounded-xl"
      >
        {topic}
      </Link>
    </li>
  );
}
