// Where what was filled in is kept: in this tab.

import type { MeetingFile } from "./file";

const KEPT = "quorate.new";

/** Keeps something to go on with. */
export function keep(what: object): void {
  sessionStorage.setItem(KEPT, JSON.stringify(what));
}

/** Keeps a meeting file, so that the form begins with it. */
export function keepFile(file: MeetingFile): void {
  keep({ file });
}

/** What was kept, as it was read. */
export function kept(): unknown {
  return JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
}

/** Forgets it. */
export function forgetForm(): void {
  sessionStorage.removeItem(KEPT);
}
