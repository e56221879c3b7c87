// Two people at one meeting: each sees at once what the other does.

import { test as base, expect, type Page, type TestServer, withServer } from "./server";

// As fast as one reads, so that there is something to do meanwhile.
const test = base.extend<object, { server: TestServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
  server: [({}, use) => withServer(use, "--pace", "live"), { scope: "worker" }],
});

test.use({ actionTimeout: 10_000 });

/** Opens the meeting in a browser of its own. */
async function sit(page: Page, server: TestServer, id: string): Promise<void> {
  await page.goto(`${server.url}/m/${id}`);
  await expect(page.getByRole("log", { name: "讨论" })).toBeVisible();
}

test("what one says, the other reads; what one pauses, rests for both", async ({ page, browser, server }) => {
  const id = await server.hold({ topic: "两个人看着的会议" }, false);
  await page.goto(`/m/${id}`);
  await page.getByRole("main").getByRole("button", { name: "开始会议" }).click();
  await expect(page.getByRole("log", { name: "讨论" })).toBeVisible();
  const elsewhere = await browser.newContext({ locale: "zh-CN" });
  const other = await elsewhere.newPage();
  await sit(other, server, id);

  await page.getByRole("textbox", { name: "发言" }).fill("请也考虑迁移的代价。");
  await page.getByRole("button", { name: "发送", exact: true }).click();
  for (const one of [page, other]) {
    await expect(one.getByRole("log").getByText("请也考虑迁移的代价。").first()).toBeVisible();
  }
  await other.getByRole("textbox", { name: "发言" }).fill("还有回退的办法。");
  await other.getByRole("textbox", { name: "发言" }).press("Control+Enter");
  await expect(page.getByRole("log").getByText("还有回退的办法。").first()).toBeVisible();

  await page.getByRole("button", { name: "更多操作" }).click();
  await page.getByRole("menuitem", { name: /^立即暂停/ }).click();
  for (const one of [page, other]) {
    await expect(one.getByRole("banner").or(one.locator("main header")).getByText("已暂停")).toBeVisible();
  }
  await other.getByRole("button", { name: "继续", exact: true }).click();
  await expect(page.getByRole("button", { name: "暂停", exact: true })).toBeVisible();
  await elsewhere.close();
});
