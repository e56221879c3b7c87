// Texts of events in the page's language.

import { beforeAll, expect, test } from "vitest";
import { setLanguage } from "../../app/src/i18n";
import en from "../../app/src/i18n/en/catalogue";
import { phraseIn } from "../../app/src/i18n/phrases";
import zh from "../../app/src/i18n/zh-CN/catalogue";

beforeAll(async () => {
  await setLanguage("en");
  await setLanguage("zh-CN");
});

test("a code is read in the language of the page, and words are as they were written", () => {
  const late = { code: "failure-no-answer-within", args: { seconds: 1200 } };
  expect(phraseIn("en", late)).toBe("no answer within 1200 s");
  expect(phraseIn("zh-CN", late)).toBe("1200 秒内没有回答");
  expect(phraseIn("zh-CN", { text: "nobody counts" })).toBe("nobody counts");
  expect(phraseIn("en", undefined)).toBe("");
});

test("a field may be another code, or a list, and a number chooses the plural", () => {
  const failure = { code: "failure-answered", args: { provider: "lab", status: "429" } };
  const asked = { code: "failure-asked-times", args: { failure, times: 3 } };
  expect(phraseIn("en", asked)).toBe("lab answered 429 (asked 3 times)");
  expect(phraseIn("zh-CN", asked)).toBe("lab 返回 429（共请求 3 次）");
  const others = (count: number) => ({
    code: "remedy-models-and-others",
    args: { provider: "lab", models: ["a", "b"], count },
  });
  expect(phraseIn("en", others(1))).toBe("lab has a, b and one other");
  expect(phraseIn("en", others(5))).toBe("lab has a, b and 5 others");
  expect(phraseIn("zh-CN", others(5))).toBe("lab 有 a、b 和另外 5 个模型");
  const voices = (voices: number) => phraseIn("en", { code: "health-voices", args: { voices } });
  expect(voices(0)).toBe("No participant has stated a position.");
  expect(voices(1)).toBe("Only 1 participant has stated a position.");
});

test("a code of a newer version is shown with its fields", () => {
  expect(phraseIn("en", { code: "failure-of-tomorrow" })).toBe("failure-of-tomorrow");
  const newer = { code: "failure-of-tomorrow", args: { half: "0.5", list: ["a", "b"] } };
  expect(phraseIn("en", newer)).toBe("failure-of-tomorrow (half: 0.5; list: a, b)");
});

test("both languages have every code, and each becomes a text", () => {
  const codes = Object.keys(en);
  expect(codes.length).toBeGreaterThan(130);
  expect(Object.keys(zh).sort()).toEqual(codes.toSorted());
  for (const code of codes) {
    for (const language of ["en", "zh-CN"] as const) {
      expect(phraseIn(language, { code }), code).not.toBe(code);
    }
  }
});
