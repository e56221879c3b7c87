// Formulas of participants: where they stand, how they are set, and what they cannot do.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { render, waitFor } from "@testing-library/react";
import fc from "fast-check";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Markdown } from "../../app/src/markdown";
import { formulas, restored, withFormulas } from "../../app/src/markdown/formulas";
import { mathml } from "../../app/src/markdown/tex";

const cases: [string, string[]][] = JSON.parse(
  readFileSync(resolve(import.meta.dirname, "../../../fixtures/formulas.json"), "utf8"),
);

test("page and exports find the same formulas, and no price or variable is one", () => {
  expect(cases.length).toBeGreaterThan(40);
  for (const [text, expected] of cases) {
    const found = formulas(text).map(({ from, to }) => text.slice(from, to));
    expect(found, text).toEqual(expected);
    expect(restored(withFormulas(text)).replaceAll("\n", " "), text).toBe(text.replaceAll("\n", " "));
  }
});

test("any text is looked through in linear time, and none of it is lost", () => {
  for (const part of ["$", "$a", "\\(", "\\[\n", "$$", "`$", "``a`", "$1 ", "- $$\n", "{$}", "|$a|"]) {
    const begun = process.cpuUsage().user;
    formulas(part.repeat(50_000));
    expect(process.cpuUsage().user - begun, part).toBeLessThan(3_000_000);
  }
  const piece = fc.constantFrom(
    "$",
    "$$",
    "\\(",
    "\\)",
    "\\[",
    "\\]",
    "`",
    "```",
    "\n",
    "a",
    " ",
    "5",
    "|",
    "- ",
    "，",
    "\\",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join("");
      expect(restored(withFormulas(text)).replaceAll("\n", " ")).toBe(text.replaceAll("\n", " "));
    }),
    { numRuns: 500 },
  );
});

const shown = (text: string) => render(<Markdown text={text} />).container;

/** What is shown once formulas are set. */
async function set(text: string): Promise<HTMLElement> {
  const container = shown(text);
  await waitFor(() => expect(container.querySelector("math")).not.toBeNull());
  return container;
}

test.each([
  "设 $x^2+y^2=r^2$，其中 $r$ 是半径。",
  "It takes $O(n \\log n)$ and \\(2^{10}\\) steps.",
  "$$\na\n- b\n+ c\n$$",
  "- \\[ \\frac{1}{2} \\]",
  "| $a_1$ | $b_1$ |\n|---|---|",
  "**$\\sqrt{2}$**",
  "```math\n\\sum_{i=1}^n x_i\n```",
])("%s is set", async (text) => {
  const container = await set(text);
  expect(container.textContent).not.toMatch(/[$`\ufdd1]|\\[a-z([]/);
});

test.each(["it costs $5 and $7", "价格是$5，运费$3", "$HOME and US$ 3"])("%s is text", (text) => {
  const container = shown(text);
  expect(container.textContent).toBe(text);
  expect(container.querySelector("code, math, .formula")).toBeNull();
});

test("a formula stands beside a price", async () => {
  const container = await set("预算是 $5，$x$ 是人数");
  expect(container.querySelectorAll("math")).toHaveLength(1);
  expect(container.textContent).toContain("预算是 $5，");
});

test.each(["$\\frac{a}$", "$\\nosuchcommand{x}$", "$\\def\\a{\\a\\a}\\a$"])(
  "%s is shown as its source",
  async (text) => {
    const container = await set(`${text} $x$`);
    expect(container.querySelectorAll("math")).toHaveLength(1);
    expect(container.querySelector("code")?.textContent).toBe(text);
  },
);

test("a block of code that is no TeX stays one", async () => {
  const container = await set("```math\n\\frac{a}\n```\n\n$x$");
  expect(container.querySelector("pre")?.textContent).toBe("\\frac{a}");
});

// The elements of MathML have no styles here.
const markup = (tex: string) => renderToStaticMarkup(mathml(tex, true));

test("an aligned formula is a table", () => {
  expect(markup("\\begin{aligned} a &= b \\\\ - c &= d \\end{aligned}")).toMatch(/<mtable.*<mtr.*tml-left/);
});

test("no formula names an address, a class or a look, or grows without end", () => {
  for (const tex of [
    "\\href{javascript:alert(1)}{x}",
    "\\url{https://example.org}",
    "\\includegraphics{https://example.org/x.png}",
    "\\class{fixed}{x}",
    "\\style{position:fixed}{x}",
    "\\htmlStyle{color:red}{x}",
    "\\newcommand{\\a}{x}\\a",
    "\\def\\a#1{#1#1}\\a{\\a{\\a{\\a{x}}}}",
    "\\let\\a\\frac",
    "{".repeat(500) + "}".repeat(500),
    "x".repeat(5_000),
    "x_{".repeat(30) + "}".repeat(30),
  ]) {
    expect(mathml(tex, true), tex.slice(0, 40)).toBeUndefined();
  }
  for (const tex of [
    "\\color{red}{x}",
    "\\textcolor{#fff}{x}",
    "\\colorbox{red}{x}",
    "\\rule{9em}{9em}",
    "\\kern-99em x",
  ]) {
    expect(markup(tex), tex).not.toMatch(/color|background|position|javascript|href|url\(/);
  }
});

test("no TeX breaks the page or takes long", () => {
  const commands = fc.constantFrom(
    ..."\\frac \\sqrt { } ^ _ & \\\\ \\left( \\right) \\begin{matrix} \\end{matrix} \\text{ a 1 \\hat \\sum ' \\mathbb \\over # % ~".split(
      " ",
    ),
  );
  fc.assert(
    fc.property(fc.array(commands, { maxLength: 40 }), (parts) => {
      markup(parts.join(" "));
    }),
    { numRuns: 150 },
  );
  const begun = process.cpuUsage().user;
  for (const part of [
    "\\left(",
    "\\sqrt ",
    "^",
    "{}",
    "&",
    "\\\\",
    "'",
    "\\frac1",
    "\\hat ",
    "\\dots ",
    "\\tbinom",
  ]) {
    mathml(part.repeat(4_000 / part.length), true);
  }
  expect(process.cpuUsage().user - begun).toBeLessThan(10_000_000);
});

test("in code, in an address and while it is written it stays as it is", () => {
  expect(shown("`$x$` and\n\n    $y$").textContent).toContain("$x$ and");
  const link = shown("[a](https://example.org/$a$b)").querySelector("a");
  expect(link?.getAttribute("href")).toBe("https://example.org/$a$b");
  const { container } = render(<Markdown text={"so $$\\frac{a"} open />);
  expect(container.textContent).toBe("so $$\\frac{a");
});
