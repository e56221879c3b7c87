// The first minutes: nothing moves while a page loads, Enter starts a meeting, and each format has a demo.

import { expect, type Page, test } from "./server";

/** How far things have moved without being asked, by the measure of browsers. */
async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const kept = window as unknown as { moved: number };
    kept.moved = 0;
    new PerformanceObserver((list) => {
      for (const one of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
      })[]) {
        kept.moved += one.hadRecentInput ? 0 : one.value;
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  return () => page.evaluate(() => (window as unknown as { moved: number }).moved);
}

for (const width of [1280, 390]) {
  test(`nothing moves while pages load, ${width} px wide`, async ({ page, server }) => {
    const id = await server.hold();
    await server.until(id, "ended");
    await page.setViewportSize({ width, height: 800 });
    const moved = await watchShifts(page);
    for (const path of ["/", "/new", "/meetings", `/m/${id}`, `/m/${id}/result`, "/settings/providers"]) {
      await page.goto(path, { waitUntil: "networkidle" });
      expect(await moved(), path).toBeLessThanOrEqual(0.05);
    }
  });
}

for (const width of [1280, 390]) {
  test(`the head of the start page stands before its scripts, where they put it, ${width} px wide`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    let come = () => {};
    const released = new Promise<void>((done) => {
      come = done;
    });
    await page.route("**/assets/*.js", async (route) => {
      await released;
      await route.continue();
    });
    await page.goto("/", { waitUntil: "commit" });
    const title = page.getByRole("heading", { level: 1 });
    await expect(title).toBeVisible();
    await expect(page.getByTestId("topic")).toHaveCount(0);
    const [before, said] = [await title.boundingBox(), await title.textContent()];
    come();
    await expect(page.getByTestId("topic")).toBeVisible();
    await expect(title).toHaveText(said ?? "");
    expect(await title.boundingBox()).toEqual(before);
  });
}

test("a question and Enter are a meeting", async ({ page }) => {
  await page.goto("/");
  const topic = page.getByTestId("topic");
  await expect(topic).toBeFocused();
  await expect(page.getByTestId("start")).toBeEnabled();
  await topic.fill("Which database?");
  await topic.press("Shift+Enter");
  await topic.pressSequentially("We are four.");
  await topic.press("Enter");
  await page.waitForURL(/\/m\/[0-9a-f-]+/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Which database?");
});

test("a demo of each format begins with one press", async ({ page }) => {
  for (const format of ["consensus", "discussion", "decision", "room", "brainstorm"]) {
    await page.goto("/");
    await page.getByTestId(`demo-${format}`).click();
    await page.waitForURL(/\/m\/[0-9a-f-]+/);
    // It plays whoever watches: nobody is asked anything before it begins.
    await expect(page.locator("#transcript [data-index]").nth(1)).toBeVisible();
    await expect(page.getByRole("dialog")).toHaveCount(0);
  }
});
