// Names that are called are those that the server finds: both are held to the same cases.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { guest } from "../../../app/src/components/speaker/people";
import { nameBegun } from "../../../app/src/features/composer/mention-completion";
import { wordsOf } from "../../../app/src/features/transcript/reference-links";
import { Markdown, Words } from "../../../app/src/markdown";
import { callsIn, namesToCall } from "../../../app/src/meeting/mentions-in-text";

interface Cases {
  names: string[];
  cases: [string, string[]][];
}

const { names, cases }: Cases = JSON.parse(
  readFileSync(resolve(import.meta.dirname, "../../../../fixtures/mentions.json"), "utf8"),
);
const list = names.map((name) => guest(name));
const people = { list, byId: new Map() };

/** The names that stand out in a rendered text. */
function drawn(text: string): string[] {
  const { container } = render(
    <Words value={wordsOf(people)}>
      <Markdown text={text} />
    </Words>,
  );
  const called = [...container.querySelectorAll("[data-called]")].map((one) => one.textContent.slice(1));
  return [...new Set(called)];
}

test.each(cases)("in %j stand out %j", (text, called) => expect(drawn(text)).toEqual(called));

test("words around a name stay as they are", () => {
  const { container } = render(
    <Words value={wordsOf(people)}>
      <Markdown text={"so @RENÉ, and @“Ada  Lovelace” [c1x] said “@Ben”"} />
    </Words>,
  );
  expect(container.textContent).toBe("so @René, and @Ada Lovelace [c1x] said “@Ben”");
});

test("a name is begun where one may be called", () => {
  const begun = (text: string) => nameBegun(text, text.length)?.query;
  expect(begun("René@")).toBeUndefined();
  expect(begun("ада@И")).toBeUndefined();
  expect(begun("你好@小")).toBe("小");
  expect(begun("민수@Ad")).toBe("Ad");
});

test("looking for names takes a time that grows as the text does", () => {
  const table = namesToCall(names);
  for (const piece of ["@", "@A", "@\u00ad", "\u00ad", "“", "@“", "@Ada\u0301", '@"Ada ', "\u0301@", "@タ"]) {
    const cost = (length: number) => {
      const text = piece.repeat(length);
      const began = performance.now();
      callsIn(text, table);
      return performance.now() - began;
    };
    cost(100);
    const [short, long] = [Math.max(cost(4_000), 25), cost(16_000)];
    expect(long, JSON.stringify(piece)).toBeLessThan(12 * short + 500);
  }
});
