// Markdown of participants: its rendering, and what it cannot do.

import { render } from "@testing-library/react";
import fc from "fast-check";
import { afterAll, expect, test, vi } from "vitest";
import { Markdown } from "../../app/src/markdown";
import { fileNames, withReferences } from "../../app/src/markdown/marked";
import { blocks, followable } from "../../app/src/markdown/parse";

// What colours code is fetched when code is drawn, and may still be on its way when the last test ends.
afterAll(() => import("../../app/src/markdown/highlight"));

const html = (text: string, open = false) => render(<Markdown text={text} open={open} />).container.innerHTML;

test.each(["**注意：**必须", "**“先做”**是", "采用**SQLite（默认）**作为"])("%s is bold", (text) => {
  expect(html(text)).toContain("<strong>");
  expect(html(text)).not.toContain("**");
});

test("HTML of a participant is text", () => {
  const { container } = render(
    <Markdown text={'<img src=x onerror="alert(1)"> <script>alert(1)</script>'} />,
  );
  expect(container.querySelector("img, script")).toBeNull();
  expect(container.textContent).toContain("<script>");
});

test("only addresses that may be followed are links, and images are never fetched", () => {
  const { container } = render(
    <Markdown
      text={
        "[a](javascript:alert(1)) [b](https://example.org) ![c](https://example.org/c.png) [d](data:text/html,x)"
      }
    />,
  );
  expect([...container.querySelectorAll("a")].map((link) => link.textContent)).toEqual(["b", "c"]);
  expect(container.querySelector("img")).toBeNull();
  expect(followable("JaVaScRiPt:alert(1)")).toBeUndefined();
  expect(followable("//example.org")).toBeUndefined();
});

test.each([
  ["见 https://a.cn/x。然后**再**看", ["https://a.cn/x"], "见 https://a.cn/x。然后再看"],
  ["（https://a.cn/x）、https://b.cn/众议，www.c.cn。", ["https://a.cn/x", "https://b.cn/众议", "www.c.cn"]],
  ["[见：此处。](https://a.cn/x，y)", ["见：此处。"]],
])("a bare address ends where Chinese text goes on: %s", (text, links, whole = undefined) => {
  const { container } = render(<Markdown text={text} />);
  const found = [...container.querySelectorAll("a")];
  expect(found.map((link) => link.textContent)).toEqual(links);
  expect(found.map((link) => link.getAttribute("href"))).not.toContainEqual(
    expect.stringMatching(/%E3%80%82|%EF%BC%89/),
  );
  if (whole !== undefined) {
    expect(container.textContent).toBe(whole);
  }
});

test("a text that is still written shows no open marks", () => {
  expect(html("先说**结论", true)).toContain("<strong>结论</strong>");
  expect(html("```rust\nlet x", true)).toContain("<pre");
});

test("tables and task lists", () => {
  const { container } = render(
    <Markdown text={"| a | b |\n|---|--:|\n| 1 | 2 |\n\n- [x] done\n- [ ] open"} />,
  );
  expect(container.querySelectorAll("td")).toHaveLength(2);
  expect(container.querySelectorAll("input[type=checkbox]")).toHaveLength(2);
});

test("no text breaks it, closed or open, and no block loses a word", () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom("**", "```\n", "\n\n", "- ", "| a |\n|---|\n", "[x](", "<b>", "先", "：", "# "),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join("");
      html(text);
      html(text, true);
      const words = (s: string) => s.replace(/\s/g, "");
      expect(words(blocks(text).join("\n\n"))).toBe(words(text));
    }),
    { numRuns: 150 },
  );
});

/** A reference and the stop after it, on one line. */
const kept = (inside: string) => `<span class="whitespace-nowrap">${inside}</span>`;

test("a text refers to claims and messages, and to no message that is none", () => {
  const drawn = (text: string) =>
    render(withReferences(text, 12, (id) => <a href={`#${id}`}>{id}</a>)).container.innerHTML;
  expect(drawn("林晚：先补前提（m1），又见m12。")).toBe(
    `林晚：先补前提（${kept('<a href="#m1">m1</a>），')}又见${kept('<a href="#m12">m12</a>。')}`,
  );
  expect(drawn("先试 [c4, m7]")).toBe('先试 <a href="#c4">c4</a> <a href="#m7">m7</a>');
  expect(drawn("见 f1#12-20，整份是 [f2]")).toBe(
    '见 <span class="whitespace-nowrap"><a href="#f1#12-20">f1#12-20</a>，</span>整份是 <a href="#f2">f2</a>',
  );
  for (const plain of [
    "m13",
    "m0",
    "m01",
    "am1",
    "m1a",
    "m1-x",
    "10m1",
    "c4",
    "f1",
    "f0#1",
    "f1#",
    "af1#2",
    "plain",
  ]) {
    expect(drawn(plain)).toBe(plain);
  }
});

test("a file is cited by a name that it alone has, as the server reads it", () => {
  const names = fileNames([
    { id: "f1", name: "main.rs" },
    { id: "f2", name: "src/main.rs" },
    { id: "f3", name: "报告 (终稿).md" },
    { id: "f4", name: "twice.md" },
    { id: "f5", name: "twice.md" },
    { id: "f6", name: "f1" },
    { id: "f7", name: "C#.md" },
  ]);
  const drawn = (text: string) =>
    render(withReferences(text, 0, (id, written) => <a href={`#${id}`}>{written ?? id}</a>, names)).container
      .innerHTML;
  expect(drawn("见 src/main.rs#L2-L3，又见 main.rs#7。")).toBe(
    `见 ${kept('<a href="#f2#L2-L3">src/main.rs#L2-L3</a>，')}又见 ${kept('<a href="#f1#7">main.rs#7</a>。')}`,
  );
  expect(drawn("[报告 (终稿).md, main.rs] [f1]")).toBe(
    '<a href="#f3">报告 (终稿).md</a> <a href="#f1">main.rs</a> <a href="#f1">f1</a>',
  );
  expect(drawn("C#.md#3")).toBe('<a href="#f7#3">C#.md#3</a>');
  for (const plain of ["main.rs", "lib/main.rs#2", "twice.md#1", "[twice.md]", "[main.rs](x)", "main.rs#x"]) {
    expect(drawn(plain)).toBe(plain);
  }
  expect(fileNames([])).toBeUndefined();
});

test("code is copied as it was written, once it is whole", async () => {
  const { container, rerender } = render(<Markdown text={"```rust\nlet x = 1;"} open />);
  expect(container.querySelector("button")).toBeNull();
  rerender(<Markdown text={"```rust\nlet x = 1;\n```"} />);
  const written = vi.fn().mockResolvedValue(undefined);
  vi.stubGlobal("navigator", { clipboard: { writeText: written } });
  container.querySelector("button")?.click();
  await vi.waitFor(() => expect(written).toHaveBeenCalledWith("let x = 1;"));
  vi.unstubAllGlobals();
});
