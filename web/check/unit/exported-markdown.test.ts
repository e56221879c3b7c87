// The texts of the exported page: what others wrote is set in a time that grows as it does, however it is made. Where
// its Markdown lies was found when the page was written (`crates/print/src/marks.rs`).

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

class Made {
  children: unknown[] = [];
  constructor(readonly tag: string) {}
  setAttribute() {}
  append(...children: unknown[]) {
    this.children.push(...children);
  }
  toString(): string {
    return `${this.tag}(${this.children.map(String).join("|")})`;
  }
}

const source = readFileSync(
  resolve(import.meta.dirname, "../../../crates/print/src/page/markdown.js"),
  "utf8",
);
const page = {
  createElement: (tag: string) => new Made(tag),
  createElementNS: (_: string, tag: string) => new Made(tag),
  createTextNode: (text: string) => text,
};
type Marks = unknown[];
const made: {
  blocks: (text: string) => unknown[];
  MARKS: Map<string, Marks>;
  FILES: Map<string, number>;
  SHOWN: Map<string, string>;
} = new Function("document", `${source}; return { blocks, MARKS, FILES, SHOWN };`)(page);
const read = (text: string, marks?: Marks) => {
  made.MARKS.clear();
  if (marks) {
    made.MARKS.set(text, marks);
  }
  return made.blocks(text).map(String).join(" / ");
};

/** What the record shows under an id of its own; claims are shown at the message that raised them. */
for (const [id, place] of [
  ["m3", "m3"],
  ["m7", "m7"],
  ["c4", "m3"],
  ["t3", "t3"],
] as const) {
  made.SHOWN.set(id, place);
}

test("a text without marks is paragraphs, addresses and references", () => {
  expect(read("a\nb\n \t\n\nhttp://q.r). [m3, m7] **c**")).toBe(
    "p(a|br()|b) / p(a(http://q.r)|). |span([|a(m3)|, |a(m7)|])| **c**)",
  );
});

test("what nobody has said is no link", () => {
  expect(read("[c4、m9] [c5] [m7]")).toBe("p(span([|a(c4)|、|m9|])| |span([|c5|])| |span([|a(m7)|]))");
});

test("citations of files and of results lead to where they stand", () => {
  for (const id of ["f1", "f2"]) {
    made.FILES.set(id, 3);
  }
  expect(read("f1#2-3 [f2] [t3] f4 af1#2")).toBe("p(a(f1#2-3)| |a([f2])| |span([|a(t3)|])| f4 af1#2)");
  expect(read("[f9] and f9#1 are files of no meeting")).toBe("p([f9]| and |f9#1| are files of no meeting)");
});

test("marks are set as what they name", () => {
  const text = "title bold code";
  expect(
    read(text, [
      ["h", 1, 0, 5],
      ["p", ["b", 6, 10], " ", ["k", 11, 15]],
    ]),
  ).toBe("h3(title) / p(strong(bold)| |code(code))");
  expect(read(text, [["u", [2, ["l", 0, 5]]], ["o", 3, [0, ["p", 6, 10]]], ["q", ["p", 0, 5]], ["r"]])).toBe(
    "ul(li(span(☑)| |title)) / ol(li(p(bold))) / blockquote(p(title)) / hr()",
  );
  expect(
    read(text, [
      [
        "t",
        "se",
        [
          [0, 5],
          [6, 10],
        ],
        [["1"], ["2"]],
      ],
      ["c", "x\n"],
    ]),
  ).toBe("div(table(thead(tr(th(title)|th(bold)))|tbody(tr(td(1)|td(2))))) / pre(code(x))");
  expect(read(text, [["p", ["a", "http://a.b", 0, 5], ["a", "javascript:a", 6, 10]]])).toBe(
    "p(a(title)|span(bold))",
  );
});

const times = (text: string) => (length: number) => text.repeat(Math.ceil(length / text.length));
const HOSTILE: Record<string, (length: number) => string> = {
  "a heading with blanks": (length) => `# a${" ".repeat(length)}b`,
  "runs of backticks": (length) =>
    Array.from({ length: Math.sqrt(2 * length) }, (_, i) => "`".repeat(i)).join("a"),
  "a link that ends nowhere": (length) => `${"[".repeat(length / 2)}](${"a".repeat(length / 2)}`,
  "an address with dots": (length) => `http://a${".".repeat(length)}x`,
  "a divider with blanks": (length) => `a|\n-${" ".repeat(length)}x`,
  "deep lists": (length) =>
    Array.from({ length: Math.sqrt(length) }, (_, i) => `${"  ".repeat(i)}- a`).join("\n"),
};
for (const text of [
  "`",
  "*",
  "**b ",
  "*a ",
  "~~b ",
  "[",
  "![",
  ">",
  "> ",
  "1. ",
  "- ",
  "a\n",
  "\\*",
  "[m1, ",
  "|",
]) {
  HOSTILE[`many ${JSON.stringify(text)}`] = times(text);
}
for (const text of ["*_~~`[(<", "h", " ", "\\", "**a** ", "- - -x\n", "&amp;", "e\u0301", "http://a.b "]) {
  HOSTILE[`many ${JSON.stringify(text)}`] = times(text);
}

test.each(Object.entries(HOSTILE))("%s cost no more than their length", (_, made) => {
  const cost = (length: number) => {
    const text = made(length);
    const began = performance.now();
    read(text);
    return performance.now() - began;
  };
  cost(1000);
  // In the square of its length the longer would take sixteen times as long; a slow machine is let off.
  const [short, long] = [Math.max(cost(40_000), 25), cost(160_000)];
  expect(long).toBeLessThan(12 * short + 500);
});

test("a formula is nodes of MathML", () => {
  const tree = ["math", { display: "block" }, ["mfrac", {}, ["mi", {}, "a"], ["mi", {}, "b"]]];
  expect(read("$$\\frac{a}{b}$$", [["p", ["m", tree]]])).toBe("p(span(math(mfrac(mi(a)|mi(b)))))");
});
