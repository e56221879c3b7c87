// A meeting that was exported as a folder is imported as it is, and one that is kept for proof says what to do instead.

import { expectOpenToAll } from "./accessibility";
import { expect, test } from "./server";
import { zh } from "./texts";

test.use({ actionTimeout: 10_000 });

test("an exported meeting comes back by its ZIP file", async ({ page, own }) => {
  const id = await own.hold({ topic: "先迁哪张表？", rules: { limits: { max_rounds: 1 } } });
  await own.until(id, "ended");
  const exported = async (format: string) => {
    const answer = await page.request.get(`${own.url}/api/v1/meetings/${id}/export?format=${format}`);
    return { name: `会议.${format === "files" ? "zip" : format}`, mimeType: "", buffer: await answer.body() };
  };
  await page.goto(`${own.url}/meetings`);
  await page.getByRole("button", { name: zh("history.import") }).click();
  const window = page.getByRole("dialog", { name: zh("dialog.import.title") });
  await window.locator("input[type=file]").setInputFiles([await exported("files"), await exported("jsonl")]);
  await expect(window.getByText("先迁哪张表？")).toBeVisible();
  await expect(window.getByText(zh("dialog.import.unfit.log"))).toBeVisible();
  await expectOpenToAll(page, "files to import");
  await window.getByRole("button", { name: zh("dialog.import.do"), exact: true }).click();
  const link = window.getByRole("link", { name: "先迁哪张表？" });
  await expect(link).toBeVisible();
  await expectOpenToAll(page, "an imported file");
  await link.click();
  await expect(page).toHaveURL(/\/m\/[0-9a-f-]+/);
  expect(page.url()).not.toContain(id);
  await expect(page.getByRole("heading", { name: "先迁哪张表？", level: 1 })).toBeVisible();
});
