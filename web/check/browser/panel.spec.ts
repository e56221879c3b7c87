// The side panel is read while ballots come and are counted: what stands in it stays where it is.

import { expect, test } from "./server";
import { zh } from "./texts";

test("a ballot that comes, and one that is counted, move nothing in the panel", async ({ page, own }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.addInitScript(() => {
    const kept = window as unknown as { moved: string[] };
    kept.moved = [];
    interface Shift extends PerformanceEntry {
      sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
    }
    new PerformanceObserver((list) => {
      for (const { node, previousRect: from, currentRect: to } of (list.getEntries() as Shift[]).flatMap(
        (shift) => shift.sources,
      )) {
        const inPanel = node?.parentElement?.closest("aside [role=tabpanel]");
        // A reason may take more than the two lines that are kept for it.
        if (inPanel && from.height > 0 && to.height > 0 && Math.abs(from.top - to.top) > 48) {
          kept.moved.push(`${node?.textContent?.slice(0, 40)}: ${from.top} to ${to.top}`);
        }
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  const id = await own.hold({}, false);
  await page.goto(`${own.url}/m/${id}?tab=votes`);
  await expect(page.getByRole("tab", { name: zh("table.panel.votes"), selected: true })).toBeVisible();
  await own.ask("POST", `/meetings/${id}/start`);
  await own.until(id, "ended");
  await expect(page.getByRole("region", { name: zh("panel.votes.number", { n: 2 }) })).toContainText(
    zh("panel.votes.passed"),
  );
  expect(await page.evaluate(() => (window as unknown as { moved: string[] }).moved)).toEqual([]);
});
