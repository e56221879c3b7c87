// The meetings of the moment, for every page: which wait for the user, which run, which were last.

import { queryOptions, useQuery } from "@tanstack/react-query";
import { RUNNING } from "../api/choices";
import { api, done } from "../api/client";
import { useMe, usePermission } from "../api/permissions";
import { queries } from "../api/queries";
import type { CurrentUser, MeetingListItem, MeetingState } from "../api/schema";
import { isHostOf } from "../meeting/host";
import type { ServerView } from "../meeting/view";

/** How often they are looked for, also by a tab in the background. */
const LOOK_MS = 15_000;
const PAUSED = 20;
const RUNS = 8;
const RECENT = 8;

/** The newest meetings in these states. */
export async function inStates(state: readonly MeetingState[], limit: number): Promise<MeetingListItem[]> {
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
    // One that cannot be asked waits for nobody, as far as is known.
    const pauses = paused.map((row) => queries.fetchQuery(pauseOf(row)).catch(() => null));
    return { paused, pauses: await Promise.all(pauses), running, recent };
  },
  staleTime: 5_000,
});

/** Why a meeting is paused and whom it waits for. Asked for once for each pause. */
export const pauseOf = ({ id, last_seq }: Pick<MeetingListItem, "id" | "last_seq">) =>
  queryOptions({
    queryKey: ["meetings", id, "pause", last_seq],
    queryFn: async () => {
      const params = { path: { id }, query: { messages: 0 } };
      const { pause, host_person, round } = await done(api.GET("/api/v1/meetings/{id}", { params }));
      return { pause, host_person, hasRound: round != null };
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
  if (!data || !active) {
    return undefined;
  }
  const waits = (_: MeetingListItem, at: number) => {
    const known = speaks && data.pauses[at];
    return known ? waitsFor(known, me) : false;
  };
  return {
    ...data,
    waiting: data.paused.filter(waits),
    paused: data.paused.filter((row, at) => !waits(row, at)),
  };
}
