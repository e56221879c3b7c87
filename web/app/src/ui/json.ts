// JSON: what it holds, and of what a person has written the place of its first error.

/** Any object. */
export type Fields = Record<string, unknown>;

/** Whether a value is an object. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A place in a text, counted from 1. */
export interface Place {
  line: number;
  column: number;
}

/**
 * The value of a text, or the place of its first error. Browsers report that place each in their own words, or
 * not at all.
 */
export function readJson(text: string): { value: unknown; fault?: undefined } | { fault: Place } {
  try {
    return { value: JSON.parse(text) };
  } catch {
    const before = text.slice(0, faultIn(text)).split("\n");
    return { fault: { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 } };
  }
}

const SPACE = /[ \t\r\n]*/y;
const STRING = /"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/uy;
const PLAIN = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** Thrown where the text goes wrong. */
class Fault {
  constructor(readonly at: number) {}
}

function faultIn(text: string): number {
  const after = (form: RegExp, at: number): number => {
    form.lastIndex = at;
    if (!form.test(text)) {
      throw new Fault(at);
    }
    return form.lastIndex;
  };
  const sign = (signs: string, at: number): number => {
    const there = after(SPACE, at);
    if (!signs.includes(text[there] ?? " ")) {
      throw new Fault(there);
    }
    return there + 1;
  };
  const list = (end: string, part: (at: number) => number, from: number): number => {
    if (text[after(SPACE, from)] === end) {
      return sign(end, from);
    }
    let at = from;
    do {
      at = sign(`,${end}`, part(at));
    } while (text[at - 1] !== end);
    return at;
  };
  const value = (from: number): number => {
    const at = after(SPACE, from);
    switch (text[at]) {
      case "{":
        return list("}", (next) => value(sign(":", after(STRING, after(SPACE, next)))), at + 1);
      case "[":
        return list("]", value, at + 1);
      case '"':
        return after(STRING, at);
      default:
        return after(PLAIN, at);
    }
  };
  try {
    return after(SPACE, value(0));
  } catch (fault) {
    if (fault instanceof Fault) {
      return fault.at;
    }
    throw fault;
  }
}
