// Two people at one meeting: each sees at once what the other does.

import { test as base, expect, type Page, type TestServer, withServer } from "./server";
import { pattern, zh } from "./texts";

// As fast as one reads, so that there is something to do meanwhile.
const test = base.extend<object, { server: TestServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
  server: [({}, use) => withServer(use, "--pace", "live"), { scope: "worker" }],
});

test.use({ actionTimeout: 10_000 });

/** Opens the meeting in a browser of its own. */
async function sit(page: Page, server: TestServer, id: string): Promise<void> {
  await page.goto(`${server.url}/m/${id}`);
  await expect(page.getByRole("log", { name: zh("talk.transcript") })).toBeVisible();
}

test("what one says, the other reads; what one pauses, rests for both", async ({ page, browser, server }) => {
  const id = await server.hold({ topic: "两个人看着的会议" }, false);
  await page.goto(`/m/${id}`);
  await page
    .getByRole("main")
    .getByRole("button", { name: zh("talk.start") })
    .click();
  await expect(page.getByRole("log", { name: zh("talk.transcript") })).toBeVisible();
  const elsewhere = await browser.newContext({ locale: "zh-CN" });
  const other = await elsewhere.newPage();
  await sit(other, server, id);

  await page.getByRole("textbox", { name: zh("talk.say") }).fill("请也考虑迁移的代价。");
  await page.getByRole("button", { name: zh("talk.send"), exact: true }).click();
  for (const one of [page, other]) {
    await expect(one.getByRole("log").getByText("请也考虑迁移的代价。").first()).toBeVisible();
  }
  await other.getByRole("textbox", { name: zh("talk.say") }).fill("还有回退的办法。");
  await other.getByRole("textbox", { name: zh("talk.say") }).press("Control+Enter");
  await expect(page.getByRole("log").getByText("还有回退的办法。").first()).toBeVisible();

  await page.getByRole("button", { name: zh("table.menu.title") }).click();
  await page.getByRole("menuitem", { name: pattern`^${zh("table.menu.pause_now")}` }).click();
  for (const one of [page, other]) {
    await expect(
      one.getByRole("banner").or(one.locator("main header")).getByText(zh("table.paused")),
    ).toBeVisible();
  }
  await other.getByRole("button", { name: zh("table.next.resume"), exact: true }).click();
  await expect(page.getByRole("button", { name: zh("table.next.pause"), exact: true })).toBeVisible();
  await elsewhere.close();
});
