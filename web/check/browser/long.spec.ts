// A meeting of ten thousand messages: it opens at its end, is read from there on, and never shows a hole.

import { importLong } from "./long";
import { holes, rest, rowAtEye, topOf } from "./scroll";
import { test as base, expect, type Page, TestServer } from "./server";
import { pattern, zh } from "./texts";

const SIZE = 10_000;

const test = base.extend<object, { long: string }>({
  long: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
    async ({}, use) => {
      const server = new TestServer();
      // Meetings are imported while no server has the database.
      const id = importLong(server, SIZE);
      await server.start();
      await use(`${server.url}/m/${id}`);
      await server.end();
    },
    { scope: "worker", timeout: 120_000 },
  ],
});

/** Opens it, and waits for its last message. */
async function open(page: Page, long: string): Promise<void> {
  await page.goto(long);
  await expect(page.getByText(`第 ${SIZE} 条。`)).toBeInViewport();
}

/** The bytes that the interface has sent this page, as they crossed the line. */
async function fromInterface(page: Page): Promise<number> {
  return page.evaluate(() => {
    const bytes = performance
      .getEntriesByType("resource")
      .flatMap((one) =>
        one instanceof PerformanceResourceTiming && one.name.includes("/api/") ? [one.transferSize] : [],
      );
    return bytes.reduce((sum, one) => sum + one, 0);
  });
}

test("it opens at its last message, with little of it in the document and little of it fetched", async ({
  page,
  long,
}) => {
  await open(page, long);
  await rest(page);
  expect(await page.locator("#transcript *").count()).toBeLessThanOrEqual(600);
  expect(await fromInterface(page)).toBeLessThanOrEqual(300_000);
  expect(await holes(page)).toEqual([]);
});

test("whoever scrolls up has older pages put above, and what is read stays where it is", async ({
  page,
  long,
}) => {
  await open(page, long);
  // Each older page is held back until what is under the eye has been noted.
  let release: (() => void) | undefined;
  await page.route(/\/log\?.*before=/, async (route) => {
    await new Promise<void>((go) => {
      release = go;
    });
    await route.continue();
  });
  await page.getByRole("log", { name: zh("talk.transcript") }).hover();
  for (let pages = 0; pages < 3; pages++) {
    while (!release) {
      await page.mouse.wheel(0, -2_500);
      await rest(page);
    }
    const seen = await rowAtEye(page);
    const before = await topOf(page, seen);
    release();
    release = undefined;
    // A page of older lines is a hundred rows and more above it.
    await expect.poll(async () => (await rowAtEye(page)).index).toBeGreaterThan(seen.index + 50);
    await rest(page);
    const after = await topOf(page, seen);
    expect(Math.abs(after - before), `page ${pages + 1}`).toBeLessThanOrEqual(2);
    expect(await holes(page)).toEqual([]);
  }
});

test("a round far away is one step away, and so is the way back", async ({ page, long }) => {
  await open(page, long);
  const rounds = page.getByRole("navigation", { name: zh("table.rounds") });
  await rounds.getByRole("button", { name: pattern`^${zh.like("table.round", { n: /\d+/ })}$` }).click();
  await page.getByRole("menuitem", { name: pattern`^${zh("table.round", { n: 7 })}` }).click();
  await expect(page.getByText("第 193 条。")).toBeInViewport();
  await rest(page);
  expect(await holes(page)).toEqual([]);
  await page.getByRole("button", { name: zh("talk.back") }).click();
  await expect(page.getByText(`第 ${SIZE} 条。`)).toBeInViewport();
  await rest(page);
  expect(await holes(page)).toEqual([]);
});

test("wherever one jumps to, something stands there", async ({ page, long }) => {
  await open(page, long);
  const seed = 7;
  let state = seed;
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
  for (let jump = 1; jump <= 25; jump++) {
    const share = random();
    await page.locator("#transcript").evaluate((box, to) => {
      box.scrollTop = to * (box.scrollHeight - box.clientHeight);
    }, share);
    await rest(page);
    expect(await holes(page), `jump ${jump}, to ${share.toFixed(2)}`).toEqual([]);
    expect(await page.locator("#transcript *").count()).toBeLessThanOrEqual(600);
  }
});
