// The wording of the page and of the program by its keys, so that a text can be reworded without changing a spec.

import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { FluentBundle, FluentResource } from "@fluent/bundle";
import type { TextKey } from "../../app/src/i18n";
import { fill, type Language, type Tree } from "../../app/src/i18n/text";

/** What the page and the program say in one language. */
export interface Texts {
  /** A text of the page with all its values. */
  (key: TextKey, values?: Record<string, string | number>): string;
  /** Matches a text of the page: a value may be an expression, and one that is not given is a group that matches all. */
  like(key: TextKey, values?: Record<string, string | number | RegExp>): RegExp;
  /** A message of the program's catalogue. */
  message(code: string): string;
}

/** Stands before and after the name of a value that is no text. */
const MARK = "\0";

/** The files in a folder of this repository, by their names without the ending. */
function files(folder: string): [name: string, content: string][] {
  const path = resolve(import.meta.dirname, "../../..", folder);
  const names = readdirSync(path).filter((name) => /\.(json|ftl)$/.test(name));
  return names.map((name) => [name.replace(/\.\w+$/, ""), readFileSync(resolve(path, name), "utf8")]);
}

export function texts(language: Language): Texts {
  const page = files(`web/app/src/i18n/${language}`).map(([name, json]) => [name, JSON.parse(json)]);
  const tree: Tree = Object.fromEntries(page);
  const catalogue = new FluentBundle(language, { useIsolating: false });
  for (const [, source] of files(`crates/messages/locales/${language.slice(0, 2)}`)) {
    catalogue.addResource(new FluentResource(source));
  }
  const filled = (key: string, given: Record<string, string | number | RegExp>): string => {
    const valueFor = (name: string) => {
      const value = given[name];
      return value === undefined || value instanceof RegExp ? `${MARK}${name}${MARK}` : value;
    };
    const values = new Proxy({}, { get: (_, name) => valueFor(String(name)) });
    // Without a number the text is that of many.
    const text = fill(language, tree, key, values) ?? fill(language, tree, `${key}_other`, values);
    if (text === undefined) throw new Error(`no text has the key ${key}`);
    return text;
  };
  const exact = (key: TextKey, values = {}) => {
    const text = filled(key, values);
    if (text.includes(MARK)) throw new Error(`a value of ${key} is missing: ${text}`);
    return text;
  };
  const like: Texts["like"] = (key, values = {}) => {
    const sources = filled(key, values)
      .split(MARK)
      .map((part, at) => (at % 2 === 0 ? escaped(part) : sourceOf(values[part] ?? /(.*)/)));
    return new RegExp(sources.join(""), "u");
  };
  const message = (code: string) => {
    const value = catalogue.getMessage(code)?.value;
    if (!value) throw new Error(`no message has the code ${code}`);
    return catalogue.formatPattern(value);
  };
  return Object.assign(exact, { like, message });
}

export const zh = texts("zh-CN");
export const en = texts("en");

/** An expression in which texts match themselves, and expressions what they match: pattern`^${zh("ui.save")}$`. */
export function pattern({ raw }: TemplateStringsArray, ...parts: (string | RegExp)[]): RegExp {
  return new RegExp(String.raw({ raw }, ...parts.map(sourceOf)), "u");
}

const sourceOf = (part: string | number | RegExp) =>
  part instanceof RegExp ? part.source : escaped(String(part));

const escaped = (text: string) => text.replace(/[$()*+.?[\\\]^{|}/]/g, "\\$&");
