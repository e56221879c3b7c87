// The page out of the binary: it comes up at each of its addresses, under its policy, and is kept as it should be.

import { expect, test } from "./server";
import { zh } from "./texts";

test("the page comes up at its addresses and breaks no rule of its policy", async ({ page, faults }) => {
  for (const address of ["/", "/new", "/meetings", "/agents", "/settings"]) {
    const response = await page.goto(address);
    expect(response?.status(), address).toBe(200);
    await expect(page.getByRole("main"), address).toBeVisible();
  }
  // That no Ollama answers on this machine is an answer (502), which a browser notes down by itself.
  expect(faults.found.filter((fault) => !fault.includes("status of 502"))).toEqual([]);
});

test("the policy keeps away what is not ours", async ({ page, faults }) => {
  await page.goto("/");
  await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "document.title = 'ran'";
    document.body.append(script);
  });
  await expect(page).not.toHaveTitle("ran");
  expect(faults.found.some((fault) => fault.includes("script-src"))).toBe(true);
});

test("an address that nobody knows is 404 and says so in the page", async ({ page }) => {
  const response = await page.goto("/nothing-here");
  expect(response?.status()).toBe(404);
  await expect(page.getByRole("main")).toBeVisible();
  await expect(page.getByRole("main").getByRole("link", { name: zh("shell.to_home") })).toBeVisible();
});

test("a second visit fetches nothing that has not changed", async ({ page, server }) => {
  await page.goto("/");
  await expect(page.getByRole("main")).toBeVisible();
  const { etag = "" } = (await page.request.get(server.url)).headers();
  const known = await page.request.get(server.url, { headers: { "if-none-match": etag } });
  expect(known.status()).toBe(304);
  // What other pages need is fetched a moment later.
  const resources = () => page.evaluate(() => performance.getEntriesByType("resource").length);
  await expect(async () => {
    const before = await resources();
    await page.waitForTimeout(1000);
    expect(await resources()).toBe(before);
  }).toPass();
  await page.reload();
  await expect(page.getByRole("main")).toBeVisible();
  const fetched = await page.evaluate(() =>
    performance.getEntriesByType("resource").flatMap((entry) => {
      const isAsset = entry instanceof PerformanceResourceTiming && entry.name.includes("/assets/");
      return isAsset ? [entry.transferSize] : [];
    }),
  );
  expect(fetched.length).toBeGreaterThan(0);
  expect(fetched.filter((bytes) => bytes > 0)).toEqual([]);
});
