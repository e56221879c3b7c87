// Calling somebody by `@`: where a name begins in a text, who it may be, and what stands there afterwards.

import { mentionOf } from "../table/compose";

/** A name that is being written. */
export interface Begun {
  /** Where its `@` stands. */
  from: number;
  /** Where the caret stands. */
  to: number;
  query: string;
}

const LONGEST = 40;
// After a letter or a digit of a Latin word `@` is part of an address; after Chinese and any sign it calls somebody.
const WORD = /[A-Za-z0-9_.+-]/;

/** The name that is being written before the caret, if there is one. */
export function nameBegun(text: string, caret: number): Begun | null {
  const from = text.lastIndexOf("@", caret - 1);
  if (from < 0 || caret - from > LONGEST) {
    return null;
  }
  const before = text[from - 1];
  if (before !== undefined && WORD.test(before)) {
    return null;
  }
  const written = text.slice(from + 1, caret);
  const quoted = /^["“]([^"”\n]*)$/.exec(written);
  if (quoted) {
    return { from, to: caret, query: quoted[1] ?? "" };
  }
  return /^[^\s@"“”，。！？、；：,!?;:]*$/.test(written) ? { from, to: caret, query: written } : null;
}

/** The names that may be meant: first those that begin so, then those that hold it. */
export function namesLike(names: readonly string[], query: string): string[] {
  const wanted = query.toLocaleLowerCase();
  const begins = (name: string) => name.toLocaleLowerCase().startsWith(wanted);
  const holds = (name: string) => name.toLocaleLowerCase().includes(wanted);
  return [...names.filter(begins), ...names.filter((name) => !begins(name) && holds(name))].slice(0, 8);
}

/** The text with the name in it, and where the caret then stands. */
export function withName(text: string, begun: Begun, name: string): { text: string; caret: number } {
  const mention = mentionOf(name);
  const rest = text.slice(begun.to).replace(/^ /, "");
  return { text: text.slice(0, begun.from) + mention + rest, caret: begun.from + mention.length };
}
