// Short notices that come and go: what was done, and how to take it back.

import { lazy, Suspense, useSyncExternalStore } from "react";
import { problemOf } from "../api/client";

/** A notice as it is shown. */
export interface Notice {
  text: string;
  more?: string;
  /** What can be done about it: taking it back, going there. */
  action?: { label: string; onSelect: () => void };
  /** It did not come about. */
  bad?: boolean;
}

let told: ((notice: Notice) => void) | undefined;
let waiting: Notice[] = [];
let wanted = false;
const listeners = new Set<() => void>();

function tell(notice: Notice): void {
  if (told) {
    told(notice);
    return;
  }
  waiting.push(notice);
  wanted = true;
  for (const listener of listeners) {
    listener();
  }
}

/** Takes the notices from now on, and those that came before. */
export function takeNotices(take: (notice: Notice) => void): () => void {
  told = take;
  waiting.forEach(take);
  waiting = [];
  return () => {
    told = undefined;
  };
}

/** Says that something was done, or was not. */
export function notify(notice: Notice): void {
  tell(notice);
}

/** Says that something could not be done, why, and what helps. */
export function notifyTrouble(error: unknown): void {
  const problem = problemOf(error);
  tell({ bad: true, text: problem.detail || problem.title, more: problem.hint });
}

const List = lazy(() => import("./toasts"));

/** Where notices are shown. Once on the page; fetched with the first notice. */
export function Toasts() {
  const needed = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => wanted,
  );
  return <Suspense>{needed && <List />}</Suspense>;
}
