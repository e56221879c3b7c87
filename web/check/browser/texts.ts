// The wording of the page and of the program by its keys, so that a text can be reworded without changing a spec.

import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { FluentBundle, FluentResource } from "@fluent/bundle";
import type { TextKey } from "../../app/src/i18n";
import { fill, type Language } from "../../app/src/i18n/text";

type Part = string | number | RegExp;

/** Stands before and after the name of a value that is no text. */
const MARK = "\0";

/** The files in a folder of this repository, by their names without the ending. */
function files(folder: string): [name: string, content: string][] {
  const path = resolve(import.meta.dirname, "../../..", folder);
  const names = readdirSync(path).filter((name) => /\.(json|ftl)$/.test(name));
  return names.map((name) => [name.replace(/\.\w+$/, ""), readFileSync(resolve(path, name), "utf8")]);
}

/** What is said in a language. The result itself gives a text of the page with all its values. */
export function texts(language: Language) {
  const page = files(`web/app/src/i18n/${language}`).map(([name, json]) => [name, JSON.parse(json)]);
  const tree = Object.fromEntries(page);
  const catalogue = new FluentBundle(language, { useIsolating: false });
  for (const [, source] of files(`crates/messages/locales/${language.slice(0, 2)}`)) {
    catalogue.addResource(new FluentResource(source));
  }
  /** A text in pieces: between them stand the names of values that are not given or are expressions. */
  const pieces = (key: TextKey, given: Record<string, Part>): string[] => {
    const get = (_: object, name: string) => {
      const value = given[name];
      return value === undefined || value instanceof RegExp ? `${MARK}${name}${MARK}` : value;
    };
    const values = new Proxy<Record<string, string | number>>({}, { get });
    // Without a number the text is that of many.
    const text = fill(language, tree, key, values) ?? fill(language, tree, `${key}_other`, values);
    if (text === undefined) throw new Error(`no text has the key ${key}`);
    return text.split(MARK);
  };
  const exact = (key: TextKey, values: Record<string, string | number> = {}): string => {
    const [text = "", missing] = pieces(key, values);
    if (missing !== undefined) throw new Error(`${key} has a value ${missing}, which is not given`);
    return text;
  };
  return Object.assign(exact, {
    /** Matches a text of the page: a value may be an expression, and one that is not given is a group that matches all. */
    like: (key: TextKey, values: Record<string, Part> = {}): RegExp => {
      const piece = (text: string, at: number) => sourceOf(at % 2 === 0 ? text : (values[text] ?? /(.*)/));
      return new RegExp(pieces(key, values).map(piece).join(""), "u");
    },
    /** A message of the program's catalogue that has no values. */
    message: (code: string): string => {
      const value = catalogue.getMessage(code)?.value;
      if (!value) throw new Error(`no message has the code ${code}`);
      return catalogue.formatPattern(value);
    },
  });
}

export const zh = texts("zh-CN");
export const en = texts("en");

/** An expression in which texts match themselves, and expressions what they match: pattern`^${zh("ui.save")}$`. */
export function pattern({ raw }: TemplateStringsArray, ...parts: Part[]): RegExp {
  return new RegExp(String.raw({ raw }, ...parts.map(sourceOf)), "u");
}

/** Matches any of these. */
export function anyOf(...parts: Part[]): RegExp {
  return new RegExp(`(?:${parts.map(sourceOf).join("|")})`, "u");
}

function sourceOf(part: Part): string {
  return part instanceof RegExp ? part.source : String(part).replace(/[$()*+.?[\\\]^{|}]/g, "\\$&");
}
