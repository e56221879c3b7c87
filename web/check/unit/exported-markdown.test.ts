// The Markdown of the exported page: what others wrote is read in a time that grows as it does, however it is made.

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
const page = { createElement: (tag: string) => new Made(tag), createTextNode: (text: string) => text };
const blocks: (text: string) => unknown[] = new Function("document", `${source}; return blocks;`)(page);
const read = (text: string) => blocks(text).map(String).join(" / ");

test("what people and models write is read as it was meant", () => {
  expect(read("# a  #")).toBe("h3(a)");
  expect(read("**b** *e* ~~s~~ `c` ``x`y`` \\*")).toBe(
    "p(strong(b)| |em(e)| |s(s)| |code(c)| |code(x`y)| |*)",
  );
  expect(read("[l](http://a.b) ![p](http://x) http://q.r). [x](javascript:a)")).toBe(
    "p(a(l)| |a(p)| |a(http://q.r)|).| |x)",
  );
  expect(read("[m3, m7]")).toBe("p(span([|a(m3)|, |a(m7)|]))");
  expect(read("a | b\n--|:-:\n1 | 2")).toBe("div(table(thead(tr(th(a)|th(b)))|tbody(tr(td(1)|td(2)))))");
  expect(read("> q\n> > r\n---")).toBe("blockquote(p(q)|blockquote(p(r))) / hr()");
  expect(read("a*b*c *d* **注意：**x `open **too")).toBe("p(a*b*c |em(d)| |strong(注意：)|x |`|open **too)");
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
