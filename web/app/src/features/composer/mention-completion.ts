// Completion of mentions: where a name begins in a text, the candidates, and the completed text.

import { mentionOf } from "../../components/meeting-page/composer-input";
import { folded, isWord, mayTouch } from "../../meeting/mentions-in-text";

/** A name that is being written. */
interface MentionBegun {
  /** The position of its `@`. */
  from: number;
  /** The position of the caret. */
  to: number;
  query: string;
}

const LONGEST = 40;
// Characters before the `@` of an e-mail address, besides letters and digits.
const OF_ADDRESS = /[.+-]/;

/** The name that is being written before the caret, if there is one. */
export function nameBegun(text: string, caret: number): MentionBegun | null {
  const from = text.lastIndexOf("@", caret - 1);
  if (from < 0 || caret - from > LONGEST) {
    return null;
  }
  // Within a word `@` is part of an address; after Chinese, which has no spaces, and after any other sign it
  // starts a mention.
  const before = Array.from(text.slice(Math.max(from - 2, 0), from)).at(-1) ?? "";
  if (OF_ADDRESS.test(before) || (isWord(before) && !mayTouch(before))) {
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
  const wanted = folded(query);
  const begins = (name: string) => folded(name).startsWith(wanted);
  const holds = (name: string) => folded(name).includes(wanted);
  return [...names.filter(begins), ...names.filter((name) => !begins(name) && holds(name))].slice(0, 8);
}

/** The completed text, and the position of the caret. */
export function withName(text: string, begun: MentionBegun, name: string): { text: string; caret: number } {
  const mention = mentionOf(name);
  const rest = text.slice(begun.to).replace(/^ /, "");
  return { text: text.slice(0, begun.from) + mention + rest, caret: begun.from + mention.length };
}
