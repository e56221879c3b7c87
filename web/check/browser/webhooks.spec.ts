// Webhooks in the settings: created, tested, their log read, a message sent again, the secret rotated, deleted.

import { expectOpenToAll } from "./accessibility";
import { Receiver } from "./receiver";
import { test as base, expect, type Page, prefer } from "./server";
import { en, pattern, zh } from "./texts";

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
  const line = page.getByRole("textbox", { name: pattern`${zh.like("settings.webhooks.secret")}$` });
  const value = await line.inputValue();
  await page.getByRole("button", { name: zh("join.kept") }).click();
  await expect(line).toHaveCount(0);
  return value;
}

test("a webhook through its whole life", async ({ page, own, receiver }) => {
  await page.goto(`${own.url}/settings/webhooks`);
  await expect(page.getByText(zh("settings.webhooks.none"))).toBeVisible();
  await expectOpenToAll(page, "no webhook");
  await page.getByRole("button", { name: zh("settings.webhooks.new") }).click();
  const form = page.getByRole("region", { name: zh("settings.webhooks.new") });
  await expect(form.getByRole("textbox", { name: zh("settings.webhooks.url") })).toBeFocused();
  await form.getByRole("textbox", { name: zh("settings.webhooks.url") }).fill(receiver.url);
  await form.getByRole("button", { name: zh("settings.webhooks.make") }).click();
  const kinds = form.getByRole("combobox", { name: zh("settings.webhooks.events") });
  await expect(kinds).toHaveAttribute("aria-invalid", "true");
  await expectOpenToAll(page, "a refused webhook");
  await kinds.fill("finished");
  await page.getByRole("option", { name: zh("settings.event.finished") }).click();
  await kinds.press("Escape");
  await form.getByRole("button", { name: zh("settings.webhooks.make") }).click();
  const first = await secret(page);
  receiver.secrets.push(first);

  const row = page
    .getByRole("list", { name: zh("settings.part.webhooks") })
    .getByRole("listitem")
    .first();
  await expect(row).toContainText(receiver.url);
  await expect(row).toContainText(
    zh("settings.webhooks.events_of", { events: zh("settings.event.finished") }),
  );
  await row.getByRole("button", { name: zh("settings.webhooks.test") }).click();
  await expect(page.getByText(zh.like("settings.webhooks.test_ok", { status: 200 })).first()).toBeVisible();
  expect(receiver.received).toMatchObject([{ type: "webhook.test", signed: [first] }]);

  // An event that the receiver refuses stands in the log, and is sent again on demand.
  receiver.status = 503;
  const id = await own.hold({ rules: { limits: { max_rounds: 1 } } });
  await own.until(id, "ended");
  await expect.poll(() => receiver.received.filter((one) => one.type === "meeting.event").length).toBe(1);
  await row.getByRole("button", { name: zh("settings.webhooks.log") }).click();
  const log = row.getByRole("list", { name: zh("settings.webhooks.log") });
  const failed = log.getByRole("listitem").filter({ hasText: "HTTP 503" }).first();
  await expect(failed).toContainText(zh("settings.webhooks.outcome.failed"));
  await expect(failed).toContainText(zh.like("settings.webhooks.next"));
  await expectOpenToAll(page, "delivery log");
  receiver.status = 200;
  await failed.getByRole("button", { name: zh("settings.webhooks.redeliver") }).click();
  const delivered = log.getByRole("listitem").filter({ hasText: zh("settings.webhooks.outcome.delivered") });
  await expect(delivered.filter({ hasText: zh("settings.webhooks.kind.event") })).toBeVisible();
  const events = receiver.received.filter((one) => one.type === "meeting.event");
  expect(new Set(events.map((one) => one.id)).size, "the same message").toBe(1);

  // After a rotation both secrets sign.
  await row.getByRole("button", { name: zh("settings.webhooks.rotate") }).click();
  await expect(page.getByText(zh.like("settings.webhooks.rotated_note"))).toBeVisible();
  const second = await secret(page);
  expect(second).not.toBe(first);
  receiver.secrets.push(second);
  await row.getByRole("button", { name: zh("settings.webhooks.test") }).click();
  await expect
    .poll(() => receiver.received.at(-1))
    .toMatchObject({
      type: "webhook.test",
      signed: [first, second],
    });

  const off = row.getByRole("switch", { name: zh("settings.webhooks.enabled") });
  await off.click();
  await expect(off).toHaveAttribute("aria-checked", "false");
  await row.getByRole("button", { name: zh("ui.delete") }).click();
  const sure = page.getByRole("alertdialog", { name: zh("settings.webhooks.delete_title") });
  await expectOpenToAll(page, "deleting a webhook");
  await sure.getByRole("button", { name: zh("ui.delete") }).click();
  await expect(page.getByText(zh("settings.webhooks.none"))).toBeVisible();
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
  const row = page
    .getByRole("list", { name: en("settings.part.webhooks") })
    .getByRole("listitem")
    .first();
  await expect(row).toContainText(en("settings.webhooks.turns_of", { agent: "reviewer" }));
  await row.getByRole("button", { name: en("settings.webhooks.test"), exact: true }).click();
  await expect(page.getByText(pattern`^${en.like("settings.webhooks.test_failed")}`).first()).toBeVisible();
  await row.getByRole("button", { name: en("settings.webhooks.log") }).click();
  await expect(row.getByRole("list", { name: en("settings.webhooks.log") })).toContainText(
    en("settings.webhooks.outcome.failed"),
  );
  await expectOpenToAll(page, "webhooks on a phone");
  const [width, room] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(width, "nothing scrolls sideways").toBeLessThanOrEqual(room ?? 0);
});
