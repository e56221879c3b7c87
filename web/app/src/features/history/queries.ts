// The list of meetings and what is found in them, a page after another.

import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { FORMATS, RUNNING } from "../../api/choices";
import { api, done } from "../../api/client";
import type {
  MeetingListItem,
  MeetingListItemPage as MeetingPage,
  MeetingState,
  SearchKind,
  SearchPage,
} from "../../api/schema";
import { unpinDeleted } from "../../shell/pins";

/** The filters of the list, as they stand in the address. */
export interface MeetingFilters {
  q?: string;
  state?: string;
  format?: string;
  kind?: string;
  since?: string;
  tag?: string;
}

/** The filters of the full-text search, as they stand in the address: of hits, and of the meetings that they are from. */
export interface TextFilters extends Pick<MeetingFilters, "state" | "format" | "kind"> {
  /** The kind of a hit. */
  hit?: string;
  /** The name of whoever said it. */
  by?: string;
  since?: string;
}

/** The kinds of hits. */
export const HIT_KINDS: readonly SearchKind[] = ["message", "minutes", "artifact", "conclusion", "topic"];

/** The states of the filter; `running` covers all in which the meeting makes progress. */
export const STATES = ["running", "paused", "ended", "draft"] as const;

const ALONE: readonly MeetingState[] = ["paused", "ended", "draft"];

/** The choices of the time filter. */
export const SINCE = ["today", "week", "month", "year"] as const;

const DAY_MS = 86_400_000;
const DAYS: Record<(typeof SINCE)[number], number> = { today: 1, week: 7, month: 30, year: 365 };

/** Whether a meeting makes progress by itself. */
export function isRunning(row: MeetingListItem): boolean {
  return RUNNING.includes(row.state);
}

const one = <T extends string>(all: readonly T[], value: string | undefined) =>
  all.find((it) => it === value);

/** The meetings that are looked for. */
const ofMeetings = ({ state, format, kind }: Pick<MeetingFilters, "state" | "format" | "kind">) => {
  const chosen = one(ALONE, state);
  return {
    state: state === "running" ? [...RUNNING] : chosen && [chosen],
    format: one(FORMATS, format),
    simulated: kind === "simulated" ? true : kind === "real" ? false : undefined,
  };
};

/** The start of a time filter, in whole hours, so that the same request is not repeated every moment. */
export function sinceStart(since: string | undefined, now = Date.now()): number | undefined {
  const stretch = one(SINCE, since);
  return stretch && Math.floor((now - DAYS[stretch] * DAY_MS) / 3_600_000) * 3_600_000;
}

const rfc3339 = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString());

/** How often the list is looked at again: for what changes by itself, and for what somebody changes elsewhere. */
const RUNNING_MS = 4_000;
const IDLE_POLL_MS = 30_000;
/** Each page is a request: a list that was scrolled further than this is looked at again when its window is turned to. */
const PAGES_POLLED = 3;

/** The latest meetings: what is found is shown under their titles, not under the topic. */
export const latestQuery = queryOptions({
  queryKey: ["meetings", "latest"],
  queryFn: async ({ signal }) => {
    const page = await done(api.GET("/api/v1/meetings", { params: { query: { limit: 100 } }, signal }));
    return new Map(page.items.map((row) => [row.id, row]));
  },
  staleTime: 60_000,
});

/** A meeting as the list has it, wherever in the list it is; null if it is not in the list. */
export const rowQuery = (id: string) =>
  queryOptions({
    queryKey: ["meetings", id, "row"],
    queryFn: async ({ signal }) => {
      const params = { path: { id }, query: { messages: 0 } };
      const asked = done(api.GET("/api/v1/meetings/{id}", { params, signal }));
      const { created_at } = await asked.catch(unpinDeleted(id));
      // The list is asked for the moment in which it was created.
      const at = Date.parse(created_at);
      const query = { created_after: rfc3339(at - 1), created_before: rfc3339(at + 1) };
      const page = await done(api.GET("/api/v1/meetings", { params: { query }, signal }));
      return page.items.find((row) => row.id === id) ?? null;
    },
    staleTime: 60_000,
    retry: false,
  });

/** The meetings, newest first. What is changed in another window is seen as soon as this one is turned to. */
export const meetingsQuery = (narrowed: MeetingFilters) =>
  infiniteQueryOptions({
    queryKey: ["meetings", "list", narrowed],
    queryFn: ({ pageParam, signal }): Promise<MeetingPage> => {
      const { q, since, tag } = narrowed;
      const query = {
        ...ofMeetings(narrowed),
        q: q?.slice(0, 200),
        tag: tag?.slice(0, 40),
        created_after: rfc3339(sinceStart(since)),
        limit: 40,
        cursor: pageParam,
      };
      return done(api.GET("/api/v1/meetings", { params: { query }, signal }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    refetchInterval: (query) => {
      const pages = query.state.data?.pages ?? [];
      if (pages.some((page) => page.items.some(isRunning))) {
        return RUNNING_MS;
      }
      return pages.length <= PAGES_POLLED && IDLE_POLL_MS;
    },
    refetchOnWindowFocus: "always",
  });

/** The search for words in all meetings. */
export const searchQuery = (q: string, narrowed: TextFilters) =>
  infiniteQueryOptions({
    queryKey: ["meetings", "found", q, narrowed],
    queryFn: ({ pageParam, signal }): Promise<SearchPage> => {
      const { hit, by, since } = narrowed;
      const kind = one(HIT_KINDS, hit);
      const query = {
        ...ofMeetings(narrowed),
        q,
        kind: kind && [kind],
        participant: by,
        happened_after: rfc3339(sinceStart(since)),
        limit: 20,
        cursor: pageParam,
      };
      return done(api.GET("/api/v1/search", { params: { query }, signal }));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    enabled: q !== "",
  });
