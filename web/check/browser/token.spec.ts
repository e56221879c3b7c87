// Access from this machine, too, needs the token of the server.

import { expect, TestServer, test } from "./server";
import { zh } from "./texts";

const TOKEN = "0123456789abcdef0123";

test("the address that is printed opens the page once and for all", async ({ page }) => {
  const server = new TestServer();
  server.token = TOKEN;
  await server.start();
  try {
    await page.goto(`${server.url}/meetings`);
    await expect(page).toHaveURL(/\/sign-in/);
    await page.getByLabel(zh("signin.token")).fill("not-the-token-at-all");
    await page.getByRole("button", { name: zh("signin.do") }).click();
    await expect(page.getByText(zh.message("server-wrong-token")).first()).toBeVisible();
    await page.getByLabel(zh("signin.token")).fill(TOKEN);
    await page.getByRole("button", { name: zh("signin.do") }).click();
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
