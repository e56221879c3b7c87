// What an event of a type carries.
import type { Event } from "../../api/schema";

/** The payload of the events of one type. */
export type Payload<T extends Event["type"]> = Extract<Event, { type: T }>["payload"];

/** Whether what it says is hidden from whoever looks. */
export function isWithheld(payload: object): boolean {
  return "withheld" in payload && payload.withheld === true;
}

/** The number in an id: 12 of `m12`, 3 of `p3`. */
export function numberOf(id: string): number {
  return Number(id.slice(1));
}
