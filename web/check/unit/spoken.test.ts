// @vitest-environment node
// Whatever the page says is a text of its language: in the code itself nothing is written in Chinese, no sign either.

import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const APP = resolve(import.meta.dirname, "../../app/src");
const CHINESE = /[\p{Script=Han}\u3000-\u303f\uff00-\uffef“”‘’]/u;

/** Words that are not the page's own: the server's and a language's name, a vendor's mark, what people type. */
const NOT_OURS = [
  "api/mentions.ts",
  "features/composer/commands.ts",
  "features/composer/mention-completion.ts",
  "features/providers/vendors.ts",
  "features/questions/answers.ts",
  "features/settings/general.tsx",
  "features/times/fields.tsx",
  "features/transcript/mentions-in-text.ts",
  "features/transcript/reference-links.tsx",
  "features/transcript/references.ts",
  "markdown/marked.tsx",
  "markdown/parse.ts",
  "shell/language.tsx",
];

const files = readdirSync(APP, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file));
const codeOf = (file: string) => readFileSync(`${APP}/${file}`, "utf8");

test("the code says nothing in Chinese by itself", () => {
  const files = readdirSync(APP, { recursive: true, encoding: "utf8" }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  expect(files.length).toBeGreaterThan(200);
  const chinese = files.filter((file) => {
    const code = codeOf(file).replace(/\/\*[\s\S]*?\*\/|(?<!\S)\/\/.*/g, "");
    return CHINESE.test(code);
  });
  expect(chinese.sort()).toEqual(NOT_OURS);
});

test("what stands around a table says only what is fetched with it", () => {
  const table =
    /^(features\/(header|transcript|composer|participants|panel|questions|turn|files|replay|charts)\/|pages\/(meeting|replay)\.tsx)/;
  const elsewhere = /\bt\(\s*[`"](agents|create|history|result|settings)\./;
  const around = files.filter((file) => table.test(file));
  expect(around.length).toBeGreaterThan(80);
  expect(around.filter((file) => elsewhere.test(codeOf(file)))).toEqual([]);
});
