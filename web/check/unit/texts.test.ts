// @vitest-environment node
// Whatever is drawn says words that are known by then: each page and each part that is opened on it waits for its texts.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import first from "../../app/src/i18n/zh-CN/first";
import meeting from "../../app/src/i18n/zh-CN/meeting";
import pages from "../../app/src/i18n/zh-CN/pages";
import panels from "../../app/src/i18n/zh-CN/panels";

const SRC = join(import.meta.dirname, "../../app/src");
const SHARES: Record<string, string[]> = {
  first: Object.keys(first),
  meeting: Object.keys(meeting),
  panels: Object.keys(panels),
  pages: Object.keys(pages),
};
const NAMES = Object.values(SHARES).flat();
const KEY = new RegExp(`["'\`](${NAMES.join("|")})\\.[a-z_]`, "g");
/** A table takes only numbers from these files, and none of their texts. */
const NUMBERS = ["features/result/labels.ts"];
/** `import("./a")`, or `opened(import("./a"), "panels")`, which waits for what it names. */
const FETCHED = /import\("(\.[^"]+)"\)((?:,\s*"\w+")*)/g;
const IMPORTED = /^(?:import|export) (?!type )[^;]*?from "(\.[^"]+)";/gm;

function fileOf(from: string, name: string): string | undefined {
  const path = join(dirname(from), name);
  return [`${path}.tsx`, `${path}.ts`, join(path, "index.tsx"), join(path, "index.ts")].find(existsSync);
}

/** The texts that are used from this file on and not loaded with these shares. */
function unknown(begin: string, shares: readonly string[]): string[] {
  const seen = new Set<string>();
  const found = new Set<string>();
  const walk = (file: string, known: readonly string[]) => {
    const names = known.flatMap((share) => SHARES[share] ?? []);
    const way = `${file} ${[...known].sort()}`;
    if (seen.has(way) || file.includes("/i18n/")) {
      return;
    }
    seen.add(way);
    const text = readFileSync(file, "utf8");
    for (const [, name = ""] of text.matchAll(KEY)) {
      if (!names.includes(name) && !NUMBERS.includes(relative(SRC, file))) {
        found.add(`${relative(SRC, file)}: ${name}`);
      }
    }
    const go = (name: string, more: readonly string[]) => {
      const next = fileOf(file, name);
      if (next) {
        walk(next, more);
      }
    };
    for (const [, name = ""] of text.matchAll(IMPORTED)) {
      go(name, known);
    }
    for (const [, name = "", waits = ""] of text.matchAll(FETCHED)) {
      go(name, [...new Set([...known, ...(waits.match(/\w+/g) ?? [])])]);
    }
  };
  walk(join(SRC, begin), shares);
  return [...found];
}

test("what stands around every page, and the first page, know their words", () => {
  expect(unknown("shell/shell.tsx", ["first"])).toEqual([]);
  expect(unknown("pages/home.tsx", ["first"])).toEqual([]);
});

test("a table, live or replayed, and all that is opened over it know their words", () => {
  expect(unknown("pages/meeting.tsx", ["first", "meeting"])).toEqual([]);
  expect(unknown("pages/replay.tsx", ["first", "meeting"])).toEqual([]);
});

test("a word that is not known is found", () => {
  expect(unknown("pages/replay.tsx", ["first"]).length).toBeGreaterThan(10);
  expect(unknown("pages/result.tsx", ["first", "meeting", "panels"])).toContain("pages/result.tsx: result");
  expect(readdirSync(join(SRC, "pages")).length).toBeGreaterThan(5);
});
