// Formulas and diagrams in what is said: both are shown, in both languages, on a desktop and on a phone.

import { expectOpenToAll } from "./accessibility";
import { expect, type Page, type TestServer, test } from "./server";
import { en, pattern, texts, zh } from "./texts";

const TITLE = "How a vote goes";
const SAID = {
  "zh-CN": [
    "预算是$5，运费$3。半径满足 $x^2+y^2=r^2$，其中 $P_{总}$ 不变：",
    "",
    "$$",
    "\\sum_{i=1}^{n} \\frac{x_i}{2} \\le \\sqrt{n}",
    "$$",
    "",
    "```mermaid",
    "flowchart TD",
    "  A[开始] --> B{通过？}",
    "  B -->|是| C[结束]",
    '  click A href "https://example.org/evil"',
    "```",
    "",
    "```mermaid",
    "flowchart TD",
    "  A[unclosed --> ",
    "```",
  ],
  en: [
    "It costs $5 and $7. With \\(O(n \\log n)\\) steps:",
    "",
    "\\[ \\frac{a}{b} = \\frac{c}{d} \\]",
    "",
    "```mermaid",
    "sequenceDiagram",
    `  accTitle: ${TITLE}`,
    "  Ada->>Ben: proposes",
    "  Ben-->>Ada: agrees",
    "```",
    "",
    "```mermaid",
    "flowchart TD",
    "  A[unclosed --> ",
    "```",
  ],
};
const DIAGRAM = {
  "zh-CN": pattern`^${zh("ui.diagram")}`,
  en: en("ui.diagram_of", { title: TITLE }),
};
const PRICE = { "zh-CN": "预算是$5，运费$3。", en: "It costs $5 and $7." };

async function said(page: Page, server: TestServer, lines: string[]): Promise<void> {
  // It rests until its host speaks, and so is not over before.
  const id = await server.hold({ format: "discussion", rules: { turns: { floor: "host" } } });
  await server.until(id, "paused");
  await server.ask("POST", `/meetings/${id}/messages`, { content: lines.join("\n") });
  await server.ask("POST", `/meetings/${id}/end`, {});
  await server.until(id, "ended");
  await page.goto(`${server.url}/m/${id}`);
}

for (const locale of ["zh-CN", "en"] as const) {
  for (const width of [1280, 390]) {
    test(`${locale}, ${width} px: formulas and diagrams are shown`, async ({ browser, server }) => {
      // What draws is a megabyte of script, and the meeting is held at a reader's pace.
      test.slow();
      const context = await browser.newContext({ locale, viewport: { width, height: 800 } });
      const page = await context.newPage();
      const strangers: string[] = [];
      page.on("request", (request) => {
        if (!request.url().startsWith(server.url) && !request.url().startsWith("data:")) {
          strangers.push(request.url());
        }
      });
      const fetched = () =>
        page.evaluate(() =>
          performance.getEntriesByType("resource").some((one) => one.name.endsWith("/diagram.html")),
        );
      const say = texts(locale);
      await page.goto(server.url);
      await expect(page.getByTestId("topic")).toBeVisible();
      expect(await fetched(), "the first page has no use for it").toBe(false);

      await said(page, server, SAID[locale]);
      const message = page.locator("#transcript .markdown", { hasText: PRICE[locale] }).first();
      await message.scrollIntoViewIfNeeded();
      await expect(message.locator("math").first()).toBeVisible();
      await expect(message.locator("math mfrac").first()).toBeVisible();

      const drawing = message.getByRole("img", { name: DIAGRAM[locale] });
      await drawing.scrollIntoViewIfNeeded();
      await expect(drawing).toBeVisible({ timeout: 30_000 });
      expect(await drawing.evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth > 50)).toBe(
        true,
      );
      // What is no diagram stays a block of code.
      await expect(message.locator("pre", { hasText: "A[unclosed" })).toBeVisible();

      const frame = page.locator("iframe[src='/diagram.html']");
      await expect(frame).toHaveAttribute("sandbox", "allow-scripts");
      const inside = page.frames().find((one) => one.url().endsWith("/diagram.html"));
      expect(await inside?.evaluate(() => self.origin)).toBe("null");
      expect(
        await inside?.evaluate(() =>
          fetch("/api/v1/meetings").then(
            () => "reached",
            () => "refused",
          ),
        ),
      ).toBe("refused");

      await message
        .getByRole("button", { name: say("ui.show_source") })
        .first()
        .click();
      await expect(message.locator("pre").first()).toBeVisible();
      await message
        .getByRole("button", { name: say("ui.show_diagram") })
        .first()
        .click();
      await expect(drawing).toBeVisible();
      // Nothing is wider than the window.
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      await expectOpenToAll(page, `${locale} ${width}`);
      expect(strangers).toEqual([]);
      await context.close();
    });
  }
}
