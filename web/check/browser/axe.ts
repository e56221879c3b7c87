// The findings of axe on a page.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import type axe from "axe-core";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const ALL: axe.RunOnly = {
  type: "tag",
  values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
};
/** The rules that another choice of colours can break. */
const COLOURS: axe.RunOnly = { type: "rule", values: ["color-contrast", "link-in-text-block"] };

/** The violations, a line each; none for an accessible page. */
export async function violations(page: Page, of: "all" | "colours" = "all"): Promise<string[]> {
  // Evaluated by the debugger, which the page's own policy does not bind.
  if (await page.evaluate(() => !("axe" in window))) {
    await page.evaluate(source);
  }
  return page.evaluate(
    async (runOnly) => {
      const run = (window as unknown as { axe: typeof axe }).axe.run;
      // The only frames are those that diagrams are drawn in, which nobody sees.
      const found = await run(document, { runOnly, resultTypes: ["violations"], iframes: false });
      return found.violations.flatMap((one) =>
        one.nodes.map(
          (node) =>
            `${one.id} (${one.impact}): ${node.target.join(" ")} — ${node.failureSummary?.split("\n")[1]?.trim() ?? one.help}`,
        ),
      );
    },
    of === "all" ? ALL : COLOURS,
  );
}
