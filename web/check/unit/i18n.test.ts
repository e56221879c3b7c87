// @vitest-environment node
// Both languages say the same things.

import { expect, test } from "vitest";
import enPages from "../../app/src/i18n/en";
import enSettings from "../../app/src/i18n/en/settings";
import zhPages from "../../app/src/i18n/zh-CN";
import zhSettings from "../../app/src/i18n/zh-CN/settings";

const en = { ...enPages, ...enSettings };
const zh = { ...zhPages, ...zhSettings };

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

// A number and what it counts: `{{n}} rounds`, `{{n}} new lines`, `{{n}} have`; but not `{{name}} has`, `of {{all}} votes`.
// Tokens are told in short, `12.3k`, and a number with a digit after the point takes the plural: `1.0 seats`.
const VERB = "(?:is|was|has|counts|passes|answers|with|tokens)";
const COUNTED = new RegExp(
  `(?<!of |and )\\{\\{\\w+\\}\\} (?:(?!${VERB}\\b)(?:[a-z]+ )?[a-z]{3,}(?<!s)s|people|have|are)\\b`,
);
const DECIMAL = ["panel.health.independent", "panel.health.dependent"];

test("an English text that counts something has a form for one", () => {
  const texts = leaves(en);
  const keys = texts.map(([key]) => key);
  const counting = texts.filter(([key, text]) => COUNTED.test(text) && !DECIMAL.includes(key));
  expect(counting.length).toBeGreaterThan(40);
  expect(counting.filter(([key]) => !keys.includes(`${plain(key)}_one`))).toEqual([]);
});

test("who has a form for one in English has one for more, and the page says how many there are", () => {
  const of = new Map(leaves(en));
  for (const [key, text] of of) {
    if (key.endsWith("_one") && !key.startsWith("create.unit.")) {
      const many = of.get(`${plain(key)}_other`) ?? "";
      expect(many, key).not.toBe("");
      expect(`${text}${many}`, key).toMatch(/\{\{(count|n|names)\}\}/);
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

test("Chinese texts have Chinese signs, and English ones have none", () => {
  const besideHan = /\p{Script=Han}[,;:?!()]|[,;:?!()]\p{Script=Han}/u;
  expect(leaves(zh).filter(([, text]) => besideHan.test(text))).toEqual([]);
  const chinese = /[\p{Script=Han}\u3000-\u303f\uff00-\uffef]/u;
  expect(leaves(en).filter(([, text]) => chinese.test(text))).toEqual([]);
});

// What docs/words.md calls otherwise: an idea 想法, a team 团队, a gate 通过条件, a vendor 厂商.
test("Chinese texts keep to one word per thing", () => {
  expect(leaves(zh).filter(([, text]) => /点子|队伍|放行|通过检查|选择供应商$/.test(text))).toEqual([]);
});

// docs/words.md: a participant takes a seat, 入席; a person at the table without one joins, 加入.
const OF_PEOPLE = /^(table\.people\.|talk\.(arrived|departed|sent_away)$|settings\..*meetings_people_self_)/;

test("taking a seat has one word in Chinese, and joining without one another that is not like it", () => {
  const about = (words: RegExp) => leaves(zh).filter(([, text]) => words.test(text));
  const joining = leaves(zh).filter(([key, text]) => OF_PEOPLE.test(key) && /(加入|退出)会议/.test(text));
  expect(joining.length).toBeGreaterThan(4);
  expect(about(/入席|离席/).filter(([key]) => OF_PEOPLE.test(key))).toEqual([]);
  expect(about(/离开.{0,3}席位|放弃席位|入座|离座|落座/)).toEqual([]);
});
