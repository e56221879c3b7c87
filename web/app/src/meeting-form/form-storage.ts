// The storage of the filled-in form: in this tab.

import type { MeetingFile } from "./write-meeting-file";

const KEPT = "quorate.new";
const GIVEN = "quorate.given";

/** Keeps something to go on with; what the form was given is in it from then on. */
export function storeForm(what: object): void {
  sessionStorage.removeItem(GIVEN);
  sessionStorage.setItem(KEPT, JSON.stringify(what));
}

/** Gives the form a meeting file to begin with. What was filled in before stays kept until the form has it. */
export function storeFile(file: MeetingFile): void {
  sessionStorage.setItem(GIVEN, JSON.stringify({ file }));
}

/** The kept form, unparsed. */
export function storedForm(): unknown {
  return JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
}

/** The initial contents, unparsed. */
export function storedFile(): unknown {
  return JSON.parse(sessionStorage.getItem(GIVEN) ?? "null");
}

/** Forgets all of it. */
export function forgetForm(): void {
  sessionStorage.removeItem(GIVEN);
  sessionStorage.removeItem(KEPT);
}
