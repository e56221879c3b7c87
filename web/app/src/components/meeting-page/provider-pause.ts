// What a failure tells of a time in which its provider is not asked. Whoever resumes the meeting has one that Quorate left
// alone tried at once; what the provider itself asked for is waited for.

import type { CallRetry, Phrase, RunnerSpec } from "../../api/schema";
import type { View } from "../../meeting/view";

/** The provider has asked for the time. */
const ASKS_TO_WAIT = "failure-asks-to-wait";
const CLOSED = "failure-closed";
/** Quorate leaves it alone for a time, after several failures in a row. */
const RESTING = "failure-resting";

/** A time in which a provider is not asked: who wants it, and how long it is. */
interface ProviderPause {
  by: "provider" | "quorate";
  seconds: number;
}

/** The time in which the provider is not asked after this failure; nothing where it may be tried at once. */
export function pauseAfter(detail: Phrase | undefined): ProviderPause | undefined {
  if (!detail || !("code" in detail)) {
    return undefined;
  }
  const seconds = Number(detail.args?.seconds ?? 0);
  switch (detail.code) {
    case ASKS_TO_WAIT:
    case CLOSED:
      return { by: "provider", seconds };
    case RESTING:
      return { by: "quorate", seconds };
    default:
      return pauseAfter(within(detail));
  }
}

/** The provider or model for which a meeting waits, if it is that of this runner. */
export function awaitedBy(
  runner: RunnerSpec | null,
  { provider_wait: wait, pause }: Pick<View, "provider_wait" | "pause">,
): string | undefined {
  if (runner?.kind !== "model" || pause) {
    return undefined;
  }
  const names = [runner.provider, `${runner.provider}/${runner.model}`];
  return wait?.waiting_for.find((name) => names.includes(name));
}

/** A wait between two requests that is too short to be told of. */
const SHORT_MS = 2_000;

/** What a call in flight waits for before its next request, unless that is over in a moment. */
export function noticeableRetry({ calls }: Pick<View, "calls">, task: string): CallRetry | undefined {
  const retry = calls[task]?.retry;
  const waits = retry ? Date.parse(retry.next_try_at) - Date.parse(retry.started_at) : 0;
  return retry && waits >= SHORT_MS ? retry : undefined;
}

/** The failure without that time, which the bar of the wait says. */
export function withoutWait(detail: Phrase | undefined): Phrase | undefined {
  if (!detail || !("code" in detail)) {
    return detail;
  }
  if (detail.code === CLOSED || detail.code === RESTING) {
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
