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
  "components/providers/vendors.ts",
  "components/tags/tags-dialog.tsx",
  "components/times/fields.tsx",
  "features/composer/commands.ts",
  "features/composer/mention-completion.ts",
  "features/history/hit-text.ts",
  "features/questions/answers.ts",
  "features/settings/general.tsx",
  "features/transcript/reference-links.tsx",
  "markdown/formulas.ts",
  "markdown/marked.tsx",
  "markdown/parse.ts",
  "meeting/mentions-in-text.ts",
  "meeting/references.ts",
  "shell/language.tsx",
];

test("the code says nothing in Chinese by itself", () => {
  const files = readdirSync(APP, { recursive: true, encoding: "utf8" }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  expect(files.length).toBeGreaterThan(200);
  const chinese = files.filter((file) => {
    const code = readFileSync(`${APP}/${file}`, "utf8").replace(/\/\*[\s\S]*?\*\/|(?<!\S)\/\/.*/g, "");
    return CHINESE.test(code);
  });
  expect(chinese.sort()).toEqual(NOT_OURS);
});
