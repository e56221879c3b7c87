// Words that something else than the composer wants in the composer.

import { Signal } from "../../store/store";

const inserting = new Signal<[text: string]>();

/** Puts words where the person writes, at the caret: `@苏棠 `. */
export function insertText(text: string): void {
  inserting.send(text);
}

/** The composer takes such words from now on. */
export const onInsert = inserting.on;

/** A name as it is mentioned: in quotes when it has a space or a sign in it. */
export function mentionOf(name: string): string {
  return /^[\p{L}\p{N}_-]+$/u.test(name) ? `@${name} ` : `@"${name}" `;
}
