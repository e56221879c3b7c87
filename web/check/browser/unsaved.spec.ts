// What was typed in a window is not lost by the browser's Back.

import { expect, test } from "./server";
import { zh } from "./texts";

test("Back asks before what was typed is lost, and goes on once it may be", async ({ page, server }) => {
  const id = await server.hold({}, false);
  // A step within the page, as one goes from the list to a meeting.
  await page.goto("/meetings");
  await page.getByRole("main").locator(`a[href^="/m/${id}"]`).first().click();
  await expect(page).toHaveURL(new RegExp(`/m/${id}`));
  await page.getByRole("button", { name: zh("table.menu.title") }).click();
  await page.getByRole("menuitem", { name: zh("table.menu.announce") }).click();
  const text = page.getByRole("dialog").getByRole("textbox");
  await text.fill("写到一半");
  await page.goBack();
  await page
    .getByRole("alertdialog")
    .getByRole("button", { name: zh("ui.cancel") })
    .click();
  await expect(text).toHaveValue("写到一半");
  await expect(page).toHaveURL(new RegExp(`/m/${id}`));
  await page.goBack();
  await page
    .getByRole("alertdialog")
    .getByRole("button", { name: zh("ui.discard") })
    .click();
  await expect(page).toHaveURL(/\/meetings/);
  await expect(page.getByRole("dialog")).toHaveCount(0);
});
