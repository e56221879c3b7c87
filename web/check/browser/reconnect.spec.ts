// The line to the server is lost and found again: the page says so, and nothing is lost or doubled.

import type { Page } from "@playwright/test";
import { test as base, expect, type TestServer, withServer } from "./server";
import { composer, ENDED, letters, MESSAGE_MENU, messages, transcript } from "./table";
import { zh } from "./texts";

// As fast as one reads, so that there is something to do meanwhile.
const test = base.extend<{ own: TestServer }, { server: TestServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
  server: [({}, use) => withServer(use, "--pace", "live"), { scope: "worker" }],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
  own: ({}, use) => withServer(use, "--pace", "live"),
});

const lost = (page: Page) => page.getByRole("status").filter({ hasText: zh.like("talk.lost") });
const saidBy = (page: Page) => transcript(page).getByRole("button", { name: MESSAGE_MENU });

/** Opens a running meeting, once it has a message. */
async function open(page: Page, server: TestServer, max_rounds: number): Promise<string> {
  const rules = { limits: { max_rounds }, closing: { artifacts: [] } };
  const id = await server.hold({ format: "discussion", rules }, false);
  await page.goto(`${server.url}/m/${id}`);
  // Started while it is watched, it runs at a reader's pace.
  await page.getByRole("button", { name: zh("table.next.start"), exact: true }).click();
  await expect(saidBy(page).first()).toBeVisible({ timeout: 30_000 });
  return id;
}

/** The page shows every message of the meeting, each once, in its order, and word for word. */
async function expectWhole(page: Page, server: TestServer, id: string): Promise<void> {
  await expect(page.getByRole("main").getByText(ENDED).last()).toBeVisible({ timeout: 75_000 });
  const { items } = await server.ask<{ items: { seq: number; content: string }[] }>(
    "GET",
    `/meetings/${id}/messages?limit=200`,
  );
  const told = items.sort((a, b) => a.seq - b.seq).map((one) => letters(one.content));
  expect(told.length).toBeGreaterThan(3);
  expect((await messages(page)).map((one) => letters(one.text))).toEqual(told);
}

test("the server dies in mid-meeting and comes back: the meeting goes on in the page without a reload", async ({
  page,
  own,
}) => {
  const id = await open(page, own, 1);
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  await expect(transcript(page).getByText(zh("talk.speaking"))).toBeVisible();
  await own.kill();
  await expect(lost(page)).toBeVisible();
  await composer(page).fill("写到一半的话");
  await expect(page.getByText(zh("talk.why_offline"))).toBeVisible();
  await expect(page.getByRole("button", { name: zh("talk.send"), exact: true })).toBeDisabled();

  await own.start("--pace", "live");
  await expect(lost(page)).toBeHidden({ timeout: 40_000 });
  await expect(composer(page)).toHaveValue("写到一半的话");
  await expect(transcript(page).getByText(zh("talk.recovered"))).toHaveCount(1);
  await own.pace(id, "brisk");
  await expectWhole(page, own, id);
  expect(await page.evaluate(() => "sameDocument" in window)).toBe(true);
});

test("the browser goes offline and online again", async ({ page, server, context }) => {
  const id = await open(page, server, 1);
  await context.setOffline(true);
  await expect(lost(page)).toBeVisible({ timeout: 30_000 });
  await context.setOffline(false);
  await expect(lost(page)).toBeHidden({ timeout: 40_000 });
  await server.pace(id, "brisk");
  await expectWhole(page, server, id);
});

test("a tab out of sight has everything when it is looked at again", async ({ page, server }) => {
  // On a busy machine it takes longer than the usual limit.
  test.slow();
  await page.clock.install();
  const id = await open(page, server, 3);
  const hide = (state: "hidden" | "visible") =>
    page.evaluate((state) => {
      Object.defineProperty(document, "visibilityState", { configurable: true, get: () => state });
      Object.defineProperty(document, "hidden", { configurable: true, get: () => state === "hidden" });
      document.dispatchEvent(new Event("visibilitychange"));
    }, state);
  const letGo = page.waitForEvent("requestfailed", (request) => request.url().includes(`/${id}/events`));
  await hide("hidden");
  // It is let go half a minute later.
  await page.clock.fastForward(31_000);
  await letGo;
  await server.pace(id, "brisk");
  await server.until(id, "ended");
  await hide("visible");
  await expectWhole(page, server, id);
});
