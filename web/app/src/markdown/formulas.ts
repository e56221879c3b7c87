// Finds formulas in a text before its Markdown is read: `$…$`, `$$…$$`, `\(…\)` and `\[…\]`. Each is put into a code
// span with a sign of our own, so that nothing in it is read as Markdown. Prices and variables stay text. The rules
// are those of `crates/print/src/formulas.rs`; `fixtures/formulas.json` holds cases for both.

/** Stands on both sides of a formula; nobody can write it. */
const SIGN = "\ufdd1";
const LONGEST_LINE = 1_000;
const LONGEST_BLOCK = 4_000;
/** More backticks in a row are in no text that people read. */
const TICKS = 16;
/** What may stand before a formula in its line is looked at so far. */
const PREFIX = 200;

/** A formula as it was written, with its delimiters. */
export interface Formula {
  tex: string;
  display: boolean;
  source: string;
}

interface Place {
  from: number;
  to: number;
}

const FENCE = /^[ \t>]*(?:[-+*][ \t]+|\d{1,9}[.)][ \t]+)*(`{3,}|~{3,})/;
/** What stands before the text of a line: indents, marks of lists and quotations. */
const MARKERS = /^(?:[ \t>]|[-+*][ \t]|\d{1,9}[.)][ \t])*$/;
const ENDS_LINE = /^[ \t]*[.,;:。，；：]?[ \t]*$/;
const ADDRESS = /https?:\/\/[^\s<>]*/y;
const ALPHANUMERIC = /[A-Za-z0-9]/;
const BLANK = /[ \t\n\r]/;

/** The text with each formula in a code span. */
export function withFormulas(written: string): string {
  const text = written.replaceAll(SIGN, "");
  const places = formulas(text);
  if (places.length === 0) {
    return text;
  }
  const ticks = "`".repeat(longestRun(text) + 1);
  let made = "";
  let copied = 0;
  for (const { from, to } of places) {
    // On one line no part of it can begin a list or a heading.
    const source = text.slice(from, to).replaceAll("\n", " ");
    made += `${text.slice(copied, from)}${ticks}${SIGN}${source}${SIGN}${ticks}`;
    copied = to;
  }
  return made + text.slice(copied);
}

/** The formula that a code span holds. */
export function formulaOf(code: string): Formula | undefined {
  if (!(code.startsWith(SIGN) && code.endsWith(SIGN) && code.length > 2)) {
    return undefined;
  }
  const source = code.slice(1, -1);
  const width = source.startsWith("$") && !source.startsWith("$$") ? 1 : 2;
  return { tex: source.slice(width, -width), display: /^(?:\$\$|\\\[)/.test(source), source };
}

/** A text as it was written, where a formula stands in what is no Markdown after all. */
export function restored(text: string): string {
  return text.includes(SIGN)
    ? text.replace(/`*\ufdd1([^\ufdd1]*)\ufdd1`*/g, "$1").replaceAll(SIGN, "")
    : text;
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}

/** Where formulas stand, in order. */
export function formulas(text: string): Place[] {
  if (!(text.includes("$") || text.includes("\\(") || text.includes("\\[")) || longestRun(text) > TICKS) {
    return [];
  }
  const found: Place[] = [];
  const missing = new Map<number, number>();
  let fence: string | undefined;
  let at = 0;
  while (at < text.length) {
    // At the beginning of a line.
    const end = lineEnd(text, at);
    const line = text.slice(at, end);
    const mark = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      fence = mark?.startsWith(fence) && line.trim().endsWith(mark) ? undefined : fence;
      at = end + 1;
      continue;
    }
    if (mark && !(mark.startsWith("`") && line.slice(line.indexOf(mark) + mark.length).includes("`"))) {
      fence = mark;
      at = end + 1;
      continue;
    }
    at = scanLine(text, at, end, found, missing);
  }
  return found;
}

/** Looks through a line, and gives where the next one begins. */
function scanLine(
  text: string,
  start: number,
  end: number,
  found: Place[],
  missing: Map<number, number>,
): number {
  const isRow = text.slice(start, end).trimStart().startsWith("|");
  let at = start;
  let last = end;
  let begins = start;
  while (at < last) {
    const sign = text[at];
    let next = at + 1;
    if (sign === "`") {
      next = afterCode(text, at, missing);
    } else if (sign === "h") {
      ADDRESS.lastIndex = at;
      next = ADDRESS.test(text) ? ADDRESS.lastIndex : next;
    } else if (sign === "$" || sign === "\\") {
      const to = formulaAt(text, at, begins);
      const isOne = to !== undefined && text[at - 1] !== "`" && text[to] !== "`";
      if (isOne && !(isRow && text.slice(at, to).includes("|"))) {
        found.push({ from: at, to });
        next = to;
      } else {
        next = sign === "\\" ? at + 2 : at + runOf(text, at);
      }
    }
    at = next;
    if (at > last) {
      // A span of code, or a formula, went on over the end of the line.
      begins = text.lastIndexOf("\n", at - 1) + 1;
      last = lineEnd(text, at);
    }
  }
  return Math.max(at, last) + 1;
}

/** The end of the formula that begins here, if one does. */
function formulaAt(text: string, at: number, lineStart: number): number | undefined {
  const before = at - lineStart <= PREFIX ? text.slice(lineStart, at) : undefined;
  const first = before !== undefined && MARKERS.test(before);
  const many = first && !before.includes(">");
  if (text[at] === "\\") {
    if (text[at + 1] === "(") {
      const to = closing(text, at + 2, "\\)", false);
      return to !== undefined && text.slice(at + 2, to).trim() !== "" ? to + 2 : undefined;
    }
    if (text[at + 1] !== "[" || !first) {
      return undefined;
    }
    const to = closing(text, at + 2, "\\]", many);
    return to !== undefined && isBlock(text, at + 2, to, true) ? to + 2 : undefined;
  }
  switch (runOf(text, at)) {
    case 1: {
      const after = text[at + 1] ?? " ";
      if (ALPHANUMERIC.test(text[at - 1] ?? " ") || BLANK.test(after)) {
        return undefined;
      }
      const to = closing(text, at + 1, "$", false);
      const closes =
        to !== undefined && !BLANK.test(text[to - 1] ?? " ") && !/[A-Za-z0-9$]/.test(text[to + 1] ?? " ");
      return closes && !isProse(text.slice(at + 1, to)) ? to + 1 : undefined;
    }
    case 2: {
      const to = closing(text, at + 2, "$$", many);
      return to !== undefined && isBlock(text, at + 2, to, false) ? to + 2 : undefined;
    }
    default:
      return undefined;
  }
}

/** Whether a formula that stands by itself has something in it, and ends where its line does. */
function isBlock(text: string, from: number, to: number, alone: boolean): boolean {
  const inside = text.slice(from, to);
  const ends = ENDS_LINE.test(text.slice(to + 2, lineEnd(text, to)));
  const isWords = /^[ \t][A-Za-z., \t]*[A-Za-z]{2}[A-Za-z., \t]*[ \t]$/.test(inside);
  return inside.trim() !== "" && (ends || (!alone && !inside.includes("\n"))) && (alone || !isWords);
}

/** Where the formula's end is written: on the same line, or before a blank one. */
function closing(text: string, from: number, end: string, lines: boolean): number | undefined {
  const most = Math.min(text.length, from + (lines || end !== "$" ? LONGEST_BLOCK : LONGEST_LINE));
  for (let at = from; at < most; at++) {
    const sign = text[at];
    if (sign === "`" || (sign === "\n" && (!lines || isBlankAt(text, at + 1)))) {
      return undefined;
    }
    if (sign === "$") {
      return end[0] === "$" && runOf(text, at) === end.length ? at : undefined;
    }
    if (sign === "\\") {
      const next = text[at + 1];
      if (end[0] === "\\" && (next === end[1] || next === (end[1] === ")" ? "(" : "["))) {
        return next === end[1] ? at : undefined;
      }
      at += text[at + 1] === "\n" ? 0 : 1;
    }
  }
  return undefined;
}

/** Whether the line that begins here is blank, or there is none. */
function isBlankAt(text: string, at: number): boolean {
  return text.slice(at, Math.min(lineEnd(text, at), at + PREFIX)).trim() === "";
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

function runOf(text: string, at: number): number {
  let end = at;
  while (text[end] === text[at]) {
    end++;
  }
  return end - at;
}

/** What follows a span of code, or the backticks that begin none. `missing`: until where a run of a length is not. */
function afterCode(text: string, at: number, missing: Map<number, number>): number {
  const length = runOf(text, at);
  if ((missing.get(length) ?? 0) > at) {
    return at + length;
  }
  for (let next = at + length; next < text.length; next++) {
    if (text[next] === "\n" && isBlankAt(text, next + 1)) {
      missing.set(length, next);
      return at + length;
    }
    if (text[next] === "`") {
      const run = runOf(text, next);
      if (run === length) {
        return next + run;
      }
      next += run - 1;
    }
  }
  missing.set(length, text.length);
  return at + length;
}

/** Whether what stands between two dollar signs is rather words about money, or about variables. */
function isProse(inside: string): boolean {
  let plain = "";
  let depth = 0;
  for (let at = 0; at < inside.length; at++) {
    const sign = inside[at] ?? "";
    if (sign === "\\") {
      const name = /^[A-Za-z]+/.exec(inside.slice(at + 1, at + 40))?.[0].length ?? 1;
      at += name;
      plain += depth === 0 ? "." : "";
    } else if (sign === "{") {
      plain += depth === 0 ? "." : "";
      depth++;
    } else if (sign === "}") {
      depth = Math.max(0, depth - 1);
    } else if (depth === 0) {
      plain += sign;
    }
  }
  if (
    !/[A-Za-z0-9\\]/.test(inside) ||
    /[，。；：、！？“”]/.test(plain) ||
    /[ \t][A-Za-z]{3,}[ \t]/.test(plain)
  ) {
    return true;
  }
  const count = (of: string) => plain.split(of).length;
  return (
    /^[0-9]/.test(inside) &&
    (/[\u2e80-\uffff]/.test(plain) ||
      /[ \t(/][A-Za-z]{3,}/.test(plain) ||
      /[ \t][A-Za-z]{2,}[ \t]/.test(plain) ||
      count("(") !== count(")"))
  );
}
