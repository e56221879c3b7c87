// Access from this machine, too, needs the token of the server.

import { expect, TestServer, test } from "./server";

const TOKEN = "0123456789abcdef0123";

test("the address that is printed opens the page once and for all", async ({ page }) => {
  const server = new TestServer();
  server.token = TOKEN;
  await server.start();
  try {
    await page.goto(`${server.url}/meetings`);
    await expect(page).toHaveURL(/\/sign-in/);
    await page.getByLabel("令牌").fill("not-the-token-at-all");
    await page.getByRole("button", { name: "登录" }).click();
    await expect(page.getByText("令牌不对").first()).toBeVisible();
    await page.getByLabel("令牌").fill(TOKEN);
    await page.getByRole("button", { name: "登录" }).click();
    await expect(page).toHaveURL(`${server.url}/meetings`);

    await page.context().clearCookies();
    await page.goto(`${server.url}/new?token=${TOKEN}`);
    await expect(page).toHaveURL(`${server.url}/new`);
    await expect(page.getByRole("main")).toBeVisible();
    // It lasts over a restart.
    await server.kill();
    await server.start();
    await page.goto(`${server.url}/meetings`);
    await expect(page).toHaveURL(`${server.url}/meetings`);
  } finally {
    await server.end();
  }
});
