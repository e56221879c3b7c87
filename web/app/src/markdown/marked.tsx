// Words within a text that are drawn otherwise than as words.

import { Fragment, type ReactNode } from "react";

/**
 * A text in which each match of `pattern` (global) is drawn by `draw`; where that returns nothing, the match
 * stays as it is.
 */
export function marked(
  text: string,
  pattern: RegExp,
  draw: (match: RegExpExecArray) => ReactNode | undefined,
): ReactNode {
  const parts: ReactNode[] = [];
  let done = 0;
  for (const match of text.matchAll(pattern)) {
    const drawn = draw(match);
    if (drawn !== undefined) {
      parts.push(text.slice(done, match.index), <Fragment key={match.index}>{drawn}</Fragment>);
      done = match.index + match[0].length;
    }
  }
  return done === 0 ? text : [...parts, text.slice(done)];
}

/** References to claims, messages and lines of files in a text: `[c4]`, `[c4, m7]`, `[f1#12-20]`. */
export const REFERENCES =
  /\[((?:[cm]\d{1,6}|f\d{1,4}(?:#L?\d{1,7}(?:[-–]L?\d{1,7})?)?)(?:\s*[,，、]\s*(?:[cm]\d{1,6}|f\d{1,4}(?:#L?\d{1,7}(?:[-–]L?\d{1,7})?)?))*)\]/;

/** Lines of a file that are cited without brackets: `f1#12-20`. A whole file is cited in brackets. */
export const LINES = /(?<![\w-])(f[1-9]\d{0,3}#[Ll]?[1-9]\d{0,6}(?:[-–—][Ll]?[1-9]\d{0,6})?)(?!\w)/;

const REFERRED = new RegExp(
  `${REFERENCES.source}|${LINES.source}|(?<![\\w-])m([1-9]\\d{0,6})(?![\\w-])`,
  "g",
);

/**
 * A text in which references to claims, messages and files are drawn by `draw`. A message may also be named without
 * brackets when it is one of the `total` existing ones.
 */
export function withReferences(text: string, total: number, draw: (id: string) => ReactNode): ReactNode {
  return marked(text, REFERRED, ([, ids, lines, number]) => {
    if (lines !== undefined) {
      return draw(lines);
    }
    if (ids !== undefined) {
      return ids.split(/\s*[,，、]\s*/).map((id) => <Fragment key={id}>{draw(id)}</Fragment>);
    }
    return Number(number) <= total ? draw(`m${number}`) : undefined;
  });
}
