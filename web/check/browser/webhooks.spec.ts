// Webhooks in the settings: created, tested, their log read, a message sent again, the secret rotated, deleted.

import { expectOpenToAll } from "./accessibility";
import { Receiver } from "./receiver";
import { test as base, expect, type Page, prefer } from "./server";

const test = base.extend<{ receiver: Receiver }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
  receiver: async ({}, use) => {
    const receiver = new Receiver();
    await receiver.start();
    await use(receiver);
    receiver.end();
  },
});

test.use({ actionTimeout: 10_000 });

/** The secret that is shown this once; then it is put away. */
async function secret(page: Page): Promise<string> {
  const line = page.getByRole("textbox", { name: /的密钥，现在复制$/ });
  const value = await line.inputValue();
  await page.getByRole("button", { name: "已保存，收起" }).click();
  await expect(line).toHaveCount(0);
  return value;
}

test("a webhook through its whole life", async ({ page, own, receiver }) => {
  await page.goto(`${own.url}/settings/webhooks`);
  await expect(page.getByText("还没有 Webhook")).toBeVisible();
  await expectOpenToAll(page, "no webhook");
  await page.getByRole("button", { name: "新建 Webhook" }).click();
  const form = page.getByRole("region", { name: "新建 Webhook" });
  await expect(form.getByRole("textbox", { name: "网址" })).toBeFocused();
  await form.getByRole("textbox", { name: "网址" }).fill(receiver.url);
  await form.getByRole("button", { name: "创建 Webhook" }).click();
  const kinds = form.getByRole("combobox", { name: "事件" });
  await expect(kinds).toHaveAttribute("aria-invalid", "true");
  await expectOpenToAll(page, "a refused webhook");
  await kinds.fill("finished");
  await page.getByRole("option", { name: "会议结束" }).click();
  await kinds.press("Escape");
  await form.getByRole("button", { name: "创建 Webhook" }).click();
  const first = await secret(page);
  receiver.secrets.push(first);

  const row = page.getByRole("list", { name: "Webhook" }).getByRole("listitem").first();
  await expect(row).toContainText(receiver.url);
  await expect(row).toContainText("事件：会议结束");
  await row.getByRole("button", { name: "测试" }).click();
  await expect(page.getByText(/对方回答 200/).first()).toBeVisible();
  expect(receiver.received).toMatchObject([{ type: "webhook.test", signed: [first] }]);

  // An event that the receiver refuses stands in the log, and is sent again on demand.
  receiver.status = 503;
  const id = await own.hold({ rules: { limits: { max_rounds: 1 } } });
  await own.until(id, "ended");
  await expect.poll(() => receiver.received.filter((one) => one.type === "meeting.event").length).toBe(1);
  await row.getByRole("button", { name: "投递记录" }).click();
  const log = row.getByRole("list", { name: "投递记录" });
  const failed = log.getByRole("listitem").filter({ hasText: "HTTP 503" }).first();
  await expect(failed).toContainText("失败");
  await expect(failed).toContainText("再试");
  await expectOpenToAll(page, "delivery log");
  receiver.status = 200;
  await failed.getByRole("button", { name: "重新投递" }).click();
  await expect(
    log.getByRole("listitem").filter({ hasText: "已送达" }).filter({ hasText: "事件" }),
  ).toBeVisible();
  const events = receiver.received.filter((one) => one.type === "meeting.event");
  expect(new Set(events.map((one) => one.id)).size, "the same message").toBe(1);

  // After a rotation both secrets sign.
  await row.getByRole("button", { name: "更换密钥" }).click();
  await expect(page.getByText(/旧密钥在 .* 之前仍然有效/)).toBeVisible();
  const second = await secret(page);
  expect(second).not.toBe(first);
  receiver.secrets.push(second);
  await row.getByRole("button", { name: "测试" }).click();
  await expect
    .poll(() => receiver.received.at(-1))
    .toMatchObject({
      type: "webhook.test",
      signed: [first, second],
    });

  const off = row.getByRole("switch", { name: "启用" });
  await off.click();
  await expect(off).toHaveAttribute("aria-checked", "false");
  await row.getByRole("button", { name: "删除" }).click();
  const sure = page.getByRole("alertdialog", { name: "删除这个 Webhook？" });
  await expectOpenToAll(page, "deleting a webhook");
  await sure.getByRole("button", { name: "删除" }).click();
  await expect(page.getByText("还没有 Webhook")).toBeVisible();
});

test("an address that does not answer is told as it is, in English, on a phone", async ({
  page,
  own,
  receiver,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await prefer(page, { language: "en" });
  await own.ask("POST", "/webhooks", { url: receiver.url, agent: "reviewer", events: [] });
  receiver.end();
  await page.goto(`${own.url}/settings/webhooks`);
  const row = page.getByRole("list", { name: "Webhooks" }).getByRole("listitem").first();
  await expect(row).toContainText("Turns of reviewer");
  await row.getByRole("button", { name: "Test", exact: true }).click();
  await expect(page.getByText(/^The test failed: /).first()).toBeVisible();
  await row.getByRole("button", { name: "Delivery log" }).click();
  await expect(row.getByRole("list", { name: "Delivery log" })).toContainText("Failed");
  await expectOpenToAll(page, "webhooks on a phone");
  const [width, room] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(width, "nothing scrolls sideways").toBeLessThanOrEqual(room ?? 0);
});
