// At this machine, too, nobody comes in without the token of the server.

import { expect, House, test } from "./house";

const TOKEN = "0123456789abcdef0123";

test("the address that is printed opens the page once and for all", async ({ page }) => {
  const house = new House();
  house.token = TOKEN;
  await house.start();
  try {
    await page.goto(`${house.url}/meetings`);
    await expect(page).toHaveURL(/\/sign-in/);
    await page.getByLabel("令牌").fill("not-the-token-at-all");
    await page.getByRole("button", { name: "登录" }).click();
    await expect(page.getByText("令牌不对").first()).toBeVisible();
    await page.getByLabel("令牌").fill(TOKEN);
    await page.getByRole("button", { name: "登录" }).click();
    await expect(page).toHaveURL(`${house.url}/meetings`);

    await page.context().clearCookies();
    await page.goto(`${house.url}/new?token=${TOKEN}`);
    await expect(page).toHaveURL(`${house.url}/new`);
    await expect(page.getByRole("main")).toBeVisible();
    // It lasts over a restart.
    await house.kill();
    await house.start();
    await page.goto(`${house.url}/meetings`);
    await expect(page).toHaveURL(`${house.url}/meetings`);
  } finally {
    await house.end();
  }
});
