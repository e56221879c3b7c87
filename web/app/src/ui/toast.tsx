// Short notices that come and go: what was done, and how to take it back.

import { lazy, Suspense } from "react";
import { problemOf } from "../api/client";
import { retry } from "./retry";

/** A notice as it is shown. */
export interface Notice {
  text: string;
  more?: string;
  /** An action on it: undo, go there. */
  action?: { label: string; onSelect: () => void };
  /** Whether it reports a failure. */
  bad?: boolean;
}

let told: ((notice: Notice) => void) | undefined;
let waiting: Notice[] = [];
let want = () => {};
// Loaded in advance: a failure of the server can be reported only by code that is already there.
const wanted = new Promise<void>((is) => {
  want = is;
  setTimeout(is, 1_500);
});

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
  if (told) {
    told(notice);
  } else {
    waiting.push(notice);
    want();
  }
}

/** Says that something could not be done, why, and what helps. */
export function notifyError(error: unknown): void {
  const problem = problemOf(error);
  notify({ bad: true, text: problem.detail || problem.title, more: problem.hint });
}

const List = lazy(() => wanted.then(() => retry(() => import("./toasts"))));

/** The place of notices. Once on the page. */
export function Toasts() {
  return (
    <Suspense>
      <List />
    </Suspense>
  );
}
