// Events by their type, for those who draw them.

import type { Event } from "../api/schema";

/** The type of an event. */
export type Kind = Event["type"];

/** An event of one type. */
export type Of<K extends Kind> = Event & { type: K };

/** Whether an event is of a type. */
export function is<K extends Kind>(event: Event, kind: K): event is Of<K> {
  return event.type === kind;
}
