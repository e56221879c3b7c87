// Any text of participants is parsed in linear time, to a bounded depth, and no word is lost.

import { render } from "@testing-library/react";
import type { Nodes } from "mdast";
import { expect, test } from "vitest";
import { Markdown } from "../../app/src/markdown";
import { pieces } from "../../app/src/markdown/bounded";
import { parse } from "../../app/src/markdown/parse";

const times = (text: string) => (length: number) => text.repeat(Math.ceil(length / text.length));
const nested = (open: string, close: string) => (length: number) => {
  const count = Math.ceil(length / (open.length + close.length));
  return `${open.repeat(count)}x${close.repeat(count)}`;
};
const HOSTILE: Record<string, (length: number) => string> = {
  "a heading with blanks": (length) => `# a${" ".repeat(length)}b`,
  "runs of backticks": (length) =>
    Array.from({ length: Math.sqrt(2 * length) }, (_, i) => "`".repeat(i)).join("a"),
  "an address with dots": (length) => `http://a${".".repeat(length)}x`,
  "an address with stops": (length) => `http://a${".,:;!?".repeat(length / 6)}x`,
  "deep lists": (length) =>
    Array.from({ length: Math.sqrt(length) }, (_, i) => `${"  ".repeat(i)}- a`).join("\n"),
  "a wide table": (length) => `|${"a|".repeat(length / 4)}\n|${"-|".repeat(length / 4)}`,
  "emphasis around emphasis": nested("*", "*"),
  "strong around strong": nested("**a ", " b**"),
  "emphasis of two kinds": nested("*_", "_*"),
  "pictures in pictures": nested("![", "](y)"),
  "links that are none": nested("[", "]"),
  "strikes in emphasis": nested("~~*a ", " b*~~"),
  "an open fence": (length) => `\`\`\`\n${"a\n".repeat(length / 2)}`,
};
const PIECES = [
  ">",
  "> ",
  "1. ",
  "- ",
  "> - ",
  "1.\n- ",
  "-\n",
  "> a\n",
  "a\n",
  "\n",
  "a|b\n-|-\n",
  "[",
  "![",
  "(",
  "](",
  "[a](<",
  "[a][",
  "[a]: b\n",
  "*",
  "*a ",
  "**b ",
  "~~b ",
  "_a ",
  "a_",
  "a**",
  "`",
  "<",
  "<a ",
  "&amp;",
  "&",
  "|",
  "\\",
  "\\*",
  "http://a.b ",
  "a@b.c",
  "www.",
  "x",
  " ",
  "\t",
  "~",
  "~~~\n",
  '{"a":',
  "“",
  "@",
];
for (const piece of PIECES) {
  HOSTILE[`many ${JSON.stringify(piece)}`] = times(piece);
}

/** The depth of a tree, computed without recursion. */
function depthOf(root: Nodes): number {
  let deepest = 0;
  const open = [{ node: root, depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, depth } = next;
    deepest = Math.max(deepest, depth);
    if ("children" in node) {
      open.push(...node.children.map((child) => ({ node: child as Nodes, depth: depth + 1 })));
    }
  }
  return deepest;
}

test.each(Object.entries(HOSTILE))("%s are no deeper than a page can draw", (_, made) => {
  for (const text of [made(3_250), made(6_000)]) {
    expect(depthOf(parse(text))).toBeLessThan(40);
    expect(() => render(<Markdown text={text} />).unmount()).not.toThrow();
    expect(() => render(<Markdown text={text} open />).unmount()).not.toThrow();
  }
});

test.each(Object.entries(HOSTILE))("%s cost no more than their length", (_, made) => {
  const cost = (length: number) => {
    const parts = pieces(made(length));
    const began = process.cpuUsage();
    parts.forEach(parse);
    const took = process.cpuUsage(began);
    return (took.user + took.system) / 1000;
  };
  cost(1_000);
  // In the square of its length the longer would take sixteen times as long; a slow machine is let off.
  const [short, long] = [Math.max(cost(8_000), 50), cost(32_000)];
  expect(long).toBeLessThan(10 * short + 500);
});

test("what people write is read as it was", () => {
  const texts = [
    "> a\n> > b\n\n1. one\n   - two\n     - three\n\n***\n\n________________________________________\n\n**b** *c* ~~d~~",
    `~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n${">".repeat(60)}\n~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~`,
    `\`\`\`\n${"*".repeat(80)}\n\`\`\``,
  ];
  const shown = texts.map((text) => {
    const { container } = render(<Markdown text={text} />);
    return {
      tags: [...container.querySelectorAll("*")].map((one) => one.tagName),
      text: container.textContent,
    };
  });
  expect(shown[0]?.tags.filter((tag) => tag === "BLOCKQUOTE")).toHaveLength(2);
  expect(shown[0]?.tags.filter((tag) => tag === "HR")).toHaveLength(2);
  expect(shown[0]?.tags.filter((tag) => tag === "LI")).toHaveLength(3);
  expect(shown[1]?.text).toBe(">".repeat(60));
  expect(shown[2]?.text).toBe("*".repeat(80));
});

test("what stands too deep keeps its words", () => {
  const list = Array.from({ length: 30 }, (_, i) => `${"  ".repeat(i)}- item${i}`).join("\n");
  const table = `${"> ".repeat(11)}- | a | b |\n${"> ".repeat(11)}  |---|---|\n${"> ".repeat(11)}  | c | d |`;
  const strong = `${"**a ".repeat(60)}x${" b**".repeat(60)}`;
  const shown = [list, table, strong].map((text) => {
    const { container } = render(<Markdown text={text} />);
    return container.textContent.replace(/\s/g, "");
  });
  for (let i = 0; i < 30; i++) {
    expect(shown[0]).toContain(`item${i}`);
  }
  expect(shown[1]).toBe("abcd");
  expect(shown[2]).toBe(`${"a".repeat(60)}x${"b".repeat(60)}`);
});

test("a long text loses no word, and its code stays whole", () => {
  const code = "let x = 1;\n".repeat(2_000);
  const text = `${"Some words. ".repeat(1_000)}\n\n\`\`\`\n${code}\`\`\`\n\n${"更多文字。".repeat(3_000)}`;
  const { container } = render(<Markdown text={text} />);
  const words = (s: string | null | undefined) => s?.replace(/\s/g, "") ?? "";
  expect(words(container.querySelector("code")?.textContent)).toBe(words(code));
  expect(words(container.textContent)).toBe(words(text).replaceAll("```", ""));
});
