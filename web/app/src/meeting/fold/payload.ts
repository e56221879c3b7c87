// The payload types of events.
import type { Event, WithheldPayload } from "../../api/schema";

/** The payload of the events of one type, where it may be seen. */
export type Payload<T extends Event["type"]> = Exclude<MaskedPayload<T>, WithheldPayload>;

/** The payload, or its replacement where it is hidden. */
export type MaskedPayload<T extends Event["type"]> = Extract<Event, { type: T }>["payload"];

/** Whether the payload is hidden from the user. */
export function isWithheld(payload: object): payload is WithheldPayload {
  return "withheld" in payload && payload.withheld === true;
}

/** The number in an id: 12 of `m12`, 3 of `p3`. */
export function numberOf(id: string): number {
  return Number(id.slice(1));
}

/** Whether an event is an answer whose words are withheld until its blind round is over. */
export function isBlindAnswer(event: Event): boolean {
  return event.type === "agent_message" && event.payload.withheld === true;
}
