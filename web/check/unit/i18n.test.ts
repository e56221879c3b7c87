// Both languages say the same things.

import { expect, test } from "vitest";
import en from "../../app/src/i18n/en";
import zh from "../../app/src/i18n/zh-CN";

function leaves(node: object, path = ""): [string, string][] {
  return Object.entries(node).flatMap(([key, value]) =>
    typeof value === "string"
      ? [[`${path}${key}`, value] as [string, string]]
      : leaves(value, `${path}${key}.`),
  );
}

// English counts have a form for one (`_one`), Chinese ones do not.
const plain = (key: string) => key.replace(/_(one|other)$/, "");

test("the languages have the same keys", () => {
  const keys = (node: object) => [...new Set(leaves(node).map(([key]) => plain(key)))].sort();
  expect(keys(en)).toEqual(keys(zh));
});

test("no text is empty, and both fill in the same values", () => {
  const values = (text: string) => [...new Set(text.match(/\{\{\s*\w+/g) ?? [])].sort();
  const chinese = new Map(leaves(zh).map(([key, text]) => [plain(key), text]));
  for (const [key, text] of leaves(en)) {
    expect(text.trim(), key).not.toBe("");
    const other = chinese.get(plain(key)) ?? "";
    expect(other.trim(), key).not.toBe("");
    if (!key.endsWith("_one")) {
      expect(values(text), key).toEqual(values(other));
    }
  }
});

test("Chinese texts are Chinese", () => {
  const latin = leaves(zh).filter(([, text]) => !/\p{Script=Han}/u.test(text));
  // Names and signs only.
  for (const [key, text] of latin) {
    expect(text.replace(/\{\{[^}]*\}\}/g, "").length, `${key}: ${text}`).toBeLessThan(24);
  }
});
