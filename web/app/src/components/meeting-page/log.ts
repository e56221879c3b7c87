// Events of some types out of a meeting's log: what the view holds no longer, such as earlier versions.

import { queryOptions } from "@tanstack/react-query";
import type { Event } from "../../api/schema";
import { eventsOf, lastEventsOf, type Of } from "../../meeting/log-pages";
import { pageApi } from "../../meeting/page-api";

export type { Of };

/** All events of these types up to `until`, in their order. They are asked for again when `until` has moved on. */
export function logOf<K extends Event["type"]>(id: string, types: readonly K[], until: number | string) {
  return queryOptions({
    queryKey: ["meeting", id, "log", types.join(","), until],
    queryFn: () => eventsOf(pageApi, id, types),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before: Of<K>[] | undefined) => before,
  });
}

/** The last events of these types, at most a page of them, in their order. */
export function lastOfLog<K extends Event["type"]>(id: string, types: readonly K[], until: number | string) {
  return queryOptions({
    queryKey: ["meeting", id, "log", "last", types.join(","), until],
    queryFn: () => lastEventsOf(pageApi, id, types),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before: Of<K>[] | undefined) => before,
  });
}
