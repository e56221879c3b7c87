// Waits until a page has come to rest, and checks it in light and dark.

import { violations } from "./axe";
import { expect, type Page } from "./server";
import { anyOf, en, pattern, zh } from "./texts";

const LOADING = pattern`^${anyOf(...[zh, en].flatMap((say) => [say("shell.loading"), say("talk.loading")]))}$`;

/** Waits until a page shows what it is about, and nothing is still on its way. */
export async function settled(page: Page): Promise<void> {
  // By its id: a dialog over the page hides what is under it from queries by role.
  await expect(page.locator("#main")).toBeVisible();
  await expect(page.getByText(LOADING)).toHaveCount(0);
  // Colours in a transition have no stable contrast: transitions start with the next frame, and on a busy
  // machine some start when others have ended.
  await page.evaluate(async () => {
    for (let turns = 0; turns < 20; turns += 1) {
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
      const passing = document
        .getAnimations()
        .filter((one) => one.effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY);
      if (passing.length === 0) {
        return;
      }
      await Promise.allSettled(passing.map((one) => one.finished));
    }
  });
}

/** Paints the open page light or dark, as another window of this browser would. */
export async function paint(page: Page, theme: "light" | "dark"): Promise<void> {
  await page.evaluate((wanted) => {
    localStorage.setItem("quorate.theme", wanted);
    dispatchEvent(new StorageEvent("storage", { key: "quorate.theme" }));
  }, theme);
  await expect(page.locator("html")).toHaveAttribute("data-theme", theme);
}

/** The page is accessible, light and dark. */
export async function expectOpenToAll(page: Page, what: string): Promise<void> {
  for (const [theme, rules] of [
    ["light", "all"],
    ["dark", "colours"],
  ] as const) {
    await paint(page, theme);
    await settled(page);
    expect.soft(await violations(page, rules), `${what}, ${theme}`).toEqual([]);
  }
}
