// @vitest-environment node
// How much a browser has to fetch, of the page that was built last (`npm run build`).

import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

const DIST = resolve(import.meta.dirname, "../../app/dist");

interface Chunk {
  file: string;
  css?: string[];
  imports?: string[];
  dynamicImports?: string[];
  isEntry?: boolean;
  isDynamicEntry?: boolean;
}

const manifest: Record<string, Chunk> = existsSync(`${DIST}/.vite/manifest.json`)
  ? JSON.parse(readFileSync(`${DIST}/.vite/manifest.json`, "utf8"))
  : {};

const kilobytes = (file: string) => gzipSync(readFileSync(`${DIST}/${file}`), { level: 9 }).length / 1000;
const sum = (files: Iterable<string>) => [...files].reduce((all, file) => all + kilobytes(file), 0);

/** The scripts that these chunks need before they run. */
function scripts(...names: string[]): Set<string> {
  const found = new Set<string>();
  const walk = (name: string) => {
    const chunk = manifest[name];
    if (chunk && !found.has(chunk.file)) {
      found.add(chunk.file);
      chunk.imports?.forEach(walk);
    }
  };
  names.forEach(walk);
  return found;
}

const begin = ["index.html", "src/i18n/zh-CN/index.ts"];

test.skipIf(Object.keys(manifest).length === 0)("the page keeps to its budgets", () => {
  const first = scripts(...begin, "src/pages/home.tsx");
  const live = scripts(...begin, "src/i18n/zh-CN/catalogue.ts", "src/pages/meeting.tsx");
  const css = new Set(Object.values(manifest).flatMap((chunk) => chunk.css ?? []));
  const known = scripts(...begin);
  const lazy = Object.values(manifest).filter((chunk) => chunk.isDynamicEntry && chunk.file.endsWith(".js"));
  const largest = Math.max(...lazy.map((chunk) => kilobytes(chunk.file)));
  const told = { first: sum(first), live: sum(live), css: sum(css), largest, base: sum(known) };
  const text = Object.entries(told).map(([name, size]) => `${name} ${size.toFixed(1)} KB`);
  process.stdout.write(`gzip: ${text.join(", ")}\n`);
  expect(told.first).toBeLessThanOrEqual(180);
  expect(told.live).toBeLessThanOrEqual(300);
  expect(told.css).toBeLessThanOrEqual(15);
  // The largest is what sets formulas, and fetched where there is one.
  expect(told.largest).toBeLessThanOrEqual(62);
});
