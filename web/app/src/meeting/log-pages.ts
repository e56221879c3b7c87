// Every event of some kinds out of a meeting's log, a page after another.
import type { Event } from "../api/schema";
import type { MeetingApi } from "./source";

/** An event of one of these types. */
export type Of<K extends Event["type"]> = Extract<Event, { type: K }>;

/** The number of events that are requested at a time. */
export const LOG_PAGE = 1_000;

/** All events of these types, in their order. */
export async function eventsOf<K extends Event["type"]>(
  api: MeetingApi,
  id: string,
  types: readonly K[],
): Promise<Of<K>[]> {
  const all: Of<K>[] = [];
  for (let after = 0; ; ) {
    const { events, more } = await api.log(id, { after, types, limit: LOG_PAGE });
    all.push(...ofTypes(events, types));
    const last = events.at(-1);
    if (!more || !last || last.seq <= after) return all;
    after = last.seq;
  }
}

/** The last events of these types, at most a page of them, in their order. */
export async function lastEventsOf<K extends Event["type"]>(
  api: MeetingApi,
  id: string,
  types: readonly K[],
): Promise<Of<K>[]> {
  const { events } = await api.log(id, { order: "desc", types, limit: LOG_PAGE });
  return ofTypes(events.toReversed(), types);
}

function ofTypes<K extends Event["type"]>(events: readonly Event[], types: readonly K[]): Of<K>[] {
  const wanted: readonly string[] = types;
  return events.filter((event): event is Of<K> => wanted.includes(event.type));
}
