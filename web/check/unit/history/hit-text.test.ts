// @vitest-environment node
// Search hits without the signs of Markdown.

import { expect, test } from "vitest";
import { plainPieces } from "../../../app/src/features/history/hit-text";

/** `[…]` is what was looked for. */
const plain = (text: string) =>
  plainPieces(
    text.split(/(⟦[^⟧]*⟧)/).map((part) => ({ text: part.replace(/[⟦⟧]/g, ""), hit: part.startsWith("⟦") })),
  )
    .map(({ text: left, hit }) => (hit ? `⟦${left}⟧` : left))
    .join("");

test.each([
  ["…**⟦自建⟧** 更贵", "…⟦自建⟧ 更贵"],
  ["## 结论\n- 选 `⟦采购⟧`", "结论\n选 ⟦采购⟧"],
  ["> 引用 _⟦自建⟧_", "引用 ⟦自建⟧"],
  ["见[⟦报告⟧](https://example.org/a)。", "见⟦报告⟧。"],
  ["[c25] 许岩：⟦自建⟧", "许岩：⟦自建⟧"],
  ["- [c1] ⟦自建⟧更贵", "⟦自建⟧更贵"],
  ["先用⟦自建⟧ - [c13] 一年两万六\n- [c14] 少一个服务", "先用⟦自建⟧ · 一年两万六\n· 少一个服务"],
  ["decide ⟦again⟧ [m4, m6]. Then [c2] more", "decide ⟦again⟧. Then more"],
  ["…c3] ⟦自建⟧更贵", "…⟦自建⟧更贵"],
  ["…4, m6]. Then ⟦again⟧ [m1…", "…. Then ⟦again⟧…"],
  ["…在 2024] ⟦自建⟧", "…在 2024] ⟦自建⟧"],
  ["⟦自建⟧ - 采购", "⟦自建⟧ - 采购"],
  ["max_⟦rounds⟧ = 3 * 4", "max_⟦rounds⟧ = 3 * 4"],
  ["**3 倍**的⟦钱⟧", "3 倍的⟦钱⟧"],
  ["|a|⟦b⟧|\n|---|---|", "a⟦b⟧\n"],
  ["2024-11 ~ 12，C# 与 ⟦Rust⟧", "2024-11 ~ 12，C# 与 ⟦Rust⟧"],
])("%s", (text, left) => {
  expect(plain(text)).toBe(left);
});
