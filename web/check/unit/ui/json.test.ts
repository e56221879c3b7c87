// @vitest-environment node
// The place at which a text stops being JSON.

import fc from "fast-check";
import { expect, test } from "vitest";
import { readJson } from "../../../app/src/ui/json";

test.each([
  ['{\n  "topic": "拆吗？",\n  "seed": 7,\n}', 4, 1],
  ['{\n  "topic": "拆吗？"\n  "seed": 7\n}', 3, 3],
  ["[1, 2", 1, 6],
  ["", 1, 1],
  ["{'a': 1}", 1, 2],
  ['{"a": tru}', 1, 7],
  ['{"a": 1}\n}', 2, 1],
  ['{"a": "open\n"}', 1, 7],
  ['{"a" 1}', 1, 6],
  ["[01]", 1, 3],
])("%j goes wrong at %i:%i", (text, line, column) => {
  expect(readJson(text)).toEqual({ fault: { line, column } });
});

test("what is JSON is read, and what is cut off is told at its end", () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), (text, at) => {
      expect(readJson(text)).toEqual({ value: JSON.parse(text) });
      const cut = `[${text.slice(0, at % text.length)}`;
      const { fault } = readJson(cut);
      expect(fault?.column).toBeLessThanOrEqual(cut.length + 1);
    }),
  );
});
