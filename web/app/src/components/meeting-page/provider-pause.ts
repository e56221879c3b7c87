// What a failure tells of a time in which its provider takes no requests: trying earlier is refused here already.

import type { Phrase } from "../../api/schema";

const CLOSED = ["failure-closed", "failure-resting"];
const ASKS_TO_WAIT = "failure-asks-to-wait";

/** Whether the provider is not asked before a time. */
export function takesNoRequests(detail: Phrase | undefined): boolean {
  if (!detail || !("code" in detail)) {
    return false;
  }
  return [...CLOSED, ASKS_TO_WAIT].includes(detail.code) || takesNoRequests(within(detail));
}

/** The failure without that time, which the bar of the wait says. */
export function withoutWait(detail: Phrase | undefined): Phrase | undefined {
  if (!detail || !("code" in detail)) {
    return detail;
  }
  if (CLOSED.includes(detail.code)) {
    return undefined;
  }
  const inner = within(detail);
  if (detail.code === ASKS_TO_WAIT) {
    return withoutWait(inner);
  }
  return inner ? { ...detail, args: { ...detail.args, failure: withoutWait(inner) } } : detail;
}

/** The failure that another one is about. */
function within(detail: Phrase): Phrase | undefined {
  const failure = "code" in detail ? detail.args?.failure : undefined;
  return typeof failure === "object" && failure !== null ? (failure as Phrase) : undefined;
}
