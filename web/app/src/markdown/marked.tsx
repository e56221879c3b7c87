// Words within a text that are drawn otherwise than as words.

import { Fragment, type ReactNode } from "react";

/**
 * A text in which each match of `pattern` (global) is drawn by `draw`; where that returns nothing, the match
 * stays as it is.
 */
function marked(
  text: string,
  pattern: RegExp,
  draw: (match: RegExpExecArray) => ReactNode | undefined,
): ReactNode {
  const parts: ReactNode[] = [];
  let done = 0;
  for (const match of text.matchAll(pattern)) {
    const drawn = draw(match);
    if (drawn !== undefined) {
      const end = match.index + match[0].length;
      // A line may break after a button, but not before a stop.
      const stop = /^[\p{Po}\p{Pe}\p{Pf}]{1,2}/u.exec(text.slice(end))?.[0] ?? "";
      parts.push(
        text.slice(done, match.index),
        stop ? (
          <span key={match.index} className={match[0].length < 20 ? "whitespace-nowrap" : undefined}>
            {drawn}
            {stop}
          </span>
        ) : (
          <Fragment key={match.index}>{drawn}</Fragment>
        ),
      );
      done = end + stop.length;
    }
  }
  return done === 0 ? text : [...parts, text.slice(done)];
}

/** References to claims, messages and lines of files in a text: `[c4]`, `[c4, m7]`, `[f1#12-20]`. */
const REFERENCES =
  /\[((?:[cm]\d{1,6}|f\d{1,4}(?:#L?\d{1,7}(?:[-–]L?\d{1,7})?)?)(?:\s*[,，、]\s*(?:[cm]\d{1,6}|f\d{1,4}(?:#L?\d{1,7}(?:[-–]L?\d{1,7})?)?))*)\]/;

/** Lines of a file that are cited without brackets: `f1#12-20`. A whole file is cited in brackets. */
const LINES = /(?<![\w-])(f[1-9]\d{0,3}#[Ll]?[1-9]\d{0,6}(?:[-–—][Ll]?[1-9]\d{0,6})?)(?!\w)/;

/** The names by which files of a meeting can be cited, as the server reads them. */
export interface FileNames {
  /** The pattern of a citation by name: a name with lines (1), or names in brackets (2). */
  pattern: string;
  /** The citation by its id: `src/main.rs#L2` is `f3#2`. */
  byId(cited: string): string;
}

const AFTER_NAME = "#[Ll]?[1-9]\\d{0,6}(?:[-–—][Ll]?[1-9]\\d{0,6})?(?!\\w)";
const BETWEEN = "\\s*[,;，、；]\\s*";

/** The names that one file alone has, and that are no id of a file. */
export function fileNames(files: readonly { id: string; name: string }[]): FileNames | undefined {
  const ids = new Map<string, string | undefined>();
  for (const { id, name } of files) {
    ids.set(name, ids.has(name) || /^f\d+$/.test(name) ? undefined : id);
  }
  const known = [...ids].filter(([, id]) => id !== undefined).map(([name]) => name);
  if (known.length === 0) {
    return undefined;
  }
  // The longest comes first: `a/b.md` is not `b.md`.
  known.sort((one, other) => other.length - one.length);
  const name = `(?:${known.map((one) => one.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})`;
  return {
    pattern: `(?<![\\w\\-./\\\\:@~])(${name}${AFTER_NAME})|\\[(${name}(?:${BETWEEN}${name})*)\\](?!\\()`,
    byId: (cited) => {
      const lines = ids.get(cited) === undefined ? cited.lastIndexOf("#") : cited.length;
      return `${ids.get(cited.slice(0, lines))}${cited.slice(lines)}`;
    },
  };
}

/** Draws a reference. `written`: what stands in the text where that is not the id: the name of a file. */
export type DrawReference = (id: string, written?: string) => ReactNode;

/**
 * A text in which references to claims, messages and files are drawn by `draw`. A message may also be named without
 * brackets when it is one of the `total` existing ones.
 */
export function withReferences(
  text: string,
  total: number,
  draw: DrawReference,
  names?: FileNames,
): ReactNode {
  if (!(total > 0 ? /[[#m]/ : /[[#]/).test(text)) {
    return text;
  }
  const patterns = [REFERENCES.source, LINES.source, "(?<![\\w-])m([1-9]\\d{0,6})(?![\\w-])"];
  const referred = new RegExp([...(names ? [names.pattern] : []), ...patterns].join("|"), "g");
  return marked(text, referred, ([, ...groups]) => {
    const [named, listed] = names ? groups : [];
    const [ids, lines, number] = names ? groups.slice(2) : groups;
    if (names && named !== undefined) {
      return draw(names.byId(named), named);
    }
    if (names && listed !== undefined) {
      const each = listed.split(/\s*[,;，、；]\s*/);
      return listOf(each, (name) => draw(names.byId(name), name));
    }
    if (lines !== undefined) {
      return draw(lines);
    }
    if (ids !== undefined) {
      return listOf(ids.split(/\s*[,，、]\s*/), draw);
    }
    return Number(number) <= total ? draw(`m${number}`) : undefined;
  });
}

function listOf(all: readonly string[], draw: (id: string) => ReactNode): ReactNode {
  return all.map((id, at) => (
    <Fragment key={id}>
      {at > 0 && " "}
      {draw(id)}
    </Fragment>
  ));
}
