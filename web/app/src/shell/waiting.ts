// The meetings of the moment, for every page: which wait for the user, which run, which were last. Those that wait are counted
// in the title, and notified once each.

import { queryOptions, useQueries, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { RUNNING } from "../api/choices";
import { api, done } from "../api/client";
import { useMe, usePermission } from "../api/permissions";
import type { CurrentUser, MeetingListItem, MeetingState } from "../api/schema";
import { isHostOf } from "../meeting/host";
import type { ServerView } from "../meeting/view";
import { notifyWaiting } from "./notifications";
import { setTitleCount } from "./title";

/** How often they are looked for, also by a tab in the background. */
const LOOK_MS = 15_000;
const PAUSED = 20;
const RUNS = 8;
const RECENT = 8;

async function inStates(state: readonly MeetingState[], limit: number): Promise<MeetingListItem[]> {
  return (await done(api.GET("/api/v1/meetings", { params: { query: { state: [...state], limit } } }))).items;
}

/** Paused, running and other meetings. */
export const meetingsNow = queryOptions({
  queryKey: ["meetings", "now"],
  queryFn: async () => {
    const [paused, running, recent] = await Promise.all([
      inStates(["paused"], PAUSED),
      inStates(RUNNING, RUNS),
      inStates(["draft", "ended"], RECENT),
    ]);
    return { paused, running, recent };
  },
  staleTime: 5_000,
});

/** Why a meeting is paused and whom it waits for. Asked for once for each pause. */
export const pauseOf = ({ id, last_seq }: Pick<MeetingListItem, "id" | "last_seq">) =>
  queryOptions({
    queryKey: ["meetings", id, "pause", last_seq],
    queryFn: async () => {
      const params = { path: { id }, query: { messages: 0 } };
      const { pause, host_person } = await done(api.GET("/api/v1/meetings/{id}", { params }));
      return { pause, host_person };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Whether a paused meeting waits for this user; not when it was paused by hand and asks nothing. */
export function waitsFor(
  meeting: Pick<ServerView, "pause" | "host_person">,
  me: CurrentUser | undefined,
): boolean {
  const { pause } = meeting;
  if (!pause || !me) {
    return false;
  }
  if (pause.reason === "awaiting_host") {
    return isHostOf(meeting, me.person);
  }
  return pause.reason !== "user_request" || pause.questions.length > 0;
}

/** The meetings of the moment; undefined while unknown. */
export interface MeetingsNow {
  waiting: MeetingListItem[];
  /** Paused, and not for the user. */
  paused: MeetingListItem[];
  running: MeetingListItem[];
  recent: MeetingListItem[];
  /** Whether it is known of every paused meeting whom it waits for. */
  settled: boolean;
}

/** The same as the last query had them. `active`: whether the page is one that has them. */
export function useMeetingsNow(active: boolean): MeetingsNow | undefined {
  const me = useMe();
  const speaks = usePermission("speak");
  const member = me !== undefined && me.meeting == null;
  const { data } = useQuery({
    ...meetingsNow,
    enabled: active && member,
    refetchInterval: LOOK_MS,
    refetchIntervalInBackground: true,
  });
  const pauses = useQueries({ queries: (speaks ? (data?.paused ?? []) : []).map(pauseOf) });
  if (!data) {
    return undefined;
  }
  const waits = (_: MeetingListItem, at: number) => {
    const known = pauses[at]?.data;
    return known !== undefined && waitsFor(known, me);
  };
  return {
    ...data,
    waiting: data.paused.filter(waits),
    paused: data.paused.filter((row, at) => !waits(row, at)),
    settled: pauses.every(({ isPending }) => !isPending),
  };
}

/** Counts meetings that wait in the title, and notifies of each that begins to wait while the user looks elsewhere. */
export function useWaitingWatch(meetings: MeetingsNow | undefined): void {
  const waiting = meetings?.settled ? meetings.waiting : undefined;
  const { t } = useTranslation();
  const navigate = useNavigate();
  const known = useRef<Map<string, () => void>>(null);
  useEffect(() => {
    if (waiting === undefined) {
      return;
    }
    setTitleCount("waiting", waiting.length);
    const before = known.current;
    const now = new Map<string, () => void>();
    for (const { id, last_seq, title } of waiting) {
      const key = `${id} ${last_seq}`;
      const open = () => void navigate({ to: "/m/$id", params: { id } });
      // What waited before the page was opened stands in the side bar.
      const close =
        before && !before.has(key)
          ? notifyWaiting(t("shell.waiting_notice", { title }), key, open)
          : undefined;
      now.set(key, before?.get(key) ?? close ?? (() => {}));
    }
    for (const [key, close] of before ?? []) {
      if (!now.has(key)) {
        close();
      }
    }
    known.current = now;
  }, [waiting, navigate, t]);
  useEffect(() => () => setTitleCount("waiting", 0), []);
}
