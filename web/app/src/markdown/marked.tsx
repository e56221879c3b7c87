// Words within a text that are drawn otherwise than as words.

import { Fragment, type ReactNode } from "react";

/** A text in which whatever fits `pattern` (global) is drawn by `draw`; where that gives nothing, it stays as it is. */
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

const MESSAGE = /(?<![\w-])m([1-9]\d{0,6})(?![\w-])/g;

/** A text in which the messages that there are, `m1` to the last one, are drawn as a way to them. */
export function withMessages(text: string, total: number, draw: (id: string) => ReactNode): ReactNode {
  return marked(text, MESSAGE, ([id, number]) => (Number(number) <= total ? draw(id) : undefined));
}
