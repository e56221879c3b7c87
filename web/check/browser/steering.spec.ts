// A person steers a meeting that runs: pauses, answers, interrupts, calls, sends away, asks in, and ends it.

import type { Page } from "@playwright/test";
import { test as base, expect, type TestServer, withServer } from "./server";
import { asked, choose, composer, end, messages, rail, transcript } from "./table";

// As fast as one reads, so that there is something to steer.
const test = base.extend<object, { server: TestServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
  server: [({}, use) => withServer(use, "--pace", "live"), { scope: "worker" }],
});

const LONG = { limits: { max_rounds: 50 }, closing: { artifacts: [] } };

/** Opens a meeting of four, taking turns until it is ended. */
async function open(page: Page, server: TestServer, file: Record<string, unknown> = {}): Promise<string> {
  const id = await server.hold({ format: "discussion", rules: LONG, ...file });
  await page.goto(`/m/${id}`);
  await expect(transcript(page)).toBeVisible();
  return id;
}

const main = (page: Page) => page.getByRole("main");

test("a pause lets the speaker finish, by button and by key, and is taken back", async ({ page, server }) => {
  const id = await open(page, server);
  await expect(transcript(page).getByText("发言中")).toBeVisible();
  await main(page).getByRole("button", { name: "暂停", exact: true }).click();
  await expect(main(page).getByText("已暂停", { exact: true })).toBeVisible();
  await expect(transcript(page).getByText("你暂停了会议")).toBeVisible();
  expect((await messages(page)).length).toBeGreaterThan(0);

  await main(page).getByRole("button", { name: "继续", exact: true }).click();
  await expect(main(page).getByText("已暂停", { exact: true })).toBeHidden();
  await expect(transcript(page).getByText("发言中")).toBeVisible();

  await transcript(page).focus();
  await page.keyboard.press("p");
  await expect(main(page).getByText("即将暂停")).toBeVisible();
  await page.keyboard.press("p");
  await expect(main(page).getByText("即将暂停")).toBeHidden();
  await expect(main(page).getByRole("button", { name: "暂停", exact: true })).toBeVisible();

  await choose(page, "立即暂停");
  await expect(main(page).getByText("已暂停", { exact: true })).toBeVisible();
  await server.until(id, "paused");
  await page.keyboard.press("p");
  await expect(main(page).getByText("已暂停", { exact: true })).toBeHidden();
});

test("questions are put aside, come back, and are answered; the rest may stay open", async ({
  page,
  server,
}) => {
  const id = await server.hold({ format: "decision" });
  await server.until(id, "paused");
  await page.goto(`/m/${id}`);
  const questions = asked(page, "会议想先了解一些情况");
  await questions.getByRole("button", { name: "提交并继续" }).click();
  await expect(questions.getByText("需要回答，或选择“不回答，直接继续”").first()).toBeVisible();
  await questions.getByRole("button", { name: "稍后回答" }).click();
  await expect(questions).toBeHidden();
  const waits = page.getByRole("region", { name: "会议在等待回答" });
  await waits.getByRole("button", { name: "回答问题" }).click();
  const first = questions.getByRole("textbox").first();
  await first.fill("42");
  await questions.getByRole("button", { name: "提交并继续" }).click();
  await expect(questions).toBeHidden();
  await expect(waits).toBeHidden();
  const given = transcript(page).locator("[data-index]").filter({ hasText: "你让会议继续" });
  await expect(given).toContainText("42");
});

test("a word during a ballot warns before, and interrupts it", async ({ page, server }) => {
  const rules = { turns: { blind_round: false, mode: "serial_turn" }, limits: { max_rounds: 5 } };
  await open(page, server, { format: "consensus", rules, seats: 2 });
  const warning = main(page).getByText("发言会中断正在进行的表决");
  await composer(page).fill("先别表决，备份怎么做？");
  // A ballot of two lasts a second or two: no polling at intervals here.
  await warning.waitFor({ timeout: 60_000 });
  await composer(page).press("Enter");
  await expect(transcript(page).getByText("表决被插话中断，票数作废，先讨论再表决。")).toBeVisible();
  await expect(warning).toBeHidden();
  await expect(transcript(page).getByText("先别表决，备份怎么做？").first()).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("v");
  await expect(page.getByRole("complementary", { name: "侧栏" }).getByText("已中断").first()).toBeVisible();
});

test("somebody is called, sent away with what was said left standing, and somebody else asked in", async ({
  page,
  server,
}) => {
  await open(page, server);
  const seat = (name: string) =>
    rail(page)
      .getByRole("listitem")
      .filter({ has: page.getByRole("button", { name: new RegExp(`^${name}`) }) });
  await expect(transcript(page).getByRole("button", { name: "对林晚这条消息的操作" })).toBeVisible({
    timeout: 30_000,
  });

  // Paused, so that no other participant gets the floor during the mention.
  await main(page).getByRole("button", { name: "暂停", exact: true }).click();
  await expect(main(page).getByText("已暂停", { exact: true })).toBeVisible();
  const before = (await messages(page)).map((one) => one.name);
  expect(before).not.toContain("沈川");
  await seat("沈川").getByRole("button").click();
  const card = page.getByRole("dialog", { name: "沈川", exact: true });
  await card.getByRole("button", { name: "请其发言" }).click();
  await expect(page.getByText("已请沈川发言")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(card).toBeHidden();
  await main(page).getByRole("button", { name: "继续", exact: true }).click();
  // The mentioned participant speaks next, out of the order of the seats.
  await expect(transcript(page).getByRole("button", { name: "对沈川这条消息的操作" })).toBeVisible({
    timeout: 30_000,
  });
  expect((await messages(page)).map((one) => one.name).slice(0, before.length + 1)).toEqual([
    ...before,
    "沈川",
  ]);
  await transcript(page).press("End");

  await seat("林晚").getByRole("button").click();
  const leaving = page.getByRole("dialog", { name: "林晚", exact: true });
  await leaving.getByRole("button", { name: "请其离席" }).click();
  await page
    .getByRole("alertdialog", { name: "请林晚离席" })
    .getByRole("button", { name: "请其离席" })
    .click();
  await expect(transcript(page).getByText("林晚 离席")).toBeVisible();
  await expect(rail(page).getByText("已离席 1 位")).toBeVisible();
  await expect(rail(page).getByText("参会者 3 位")).toBeVisible();
  expect((await messages(page)).map((one) => one.name)).toContain("林晚");

  await rail(page).getByRole("button", { name: "添加参会者" }).click();
  const add = page.getByRole("dialog", { name: "添加参会者" });
  await add.getByRole("button", { name: "一句话描述" }).click();
  await add.getByRole("textbox", { name: "想要一位什么样的参会者" }).fill("一位熟悉数据保护法规的法务");
  await add.getByRole("button", { name: "添加", exact: true }).click();
  await expect(add).toBeHidden();
  await expect(rail(page).getByText("参会者 4 位")).toBeVisible({ timeout: 30_000 });
});

test("minutes are asked for and shown; a point is put on the agenda and taken off again", async ({
  page,
  server,
}) => {
  await open(page, server);
  await expect(
    transcript(page)
      .getByRole("button", { name: /^对.*这条消息的操作$/ })
      .first(),
  ).toBeVisible({ timeout: 30_000 });
  const panel = page.getByRole("complementary", { name: "侧栏" });
  await transcript(page).focus();
  await page.keyboard.press("m");
  await panel.getByRole("button", { name: "撰写纪要" }).click();
  const request = page.getByRole("dialog", { name: "撰写纪要" });
  await request.getByRole("textbox", { name: "侧重什么（可不填）" }).fill("重点写风险");
  await request.getByRole("button", { name: "撰写纪要" }).click();
  await expect(panel.getByText("第 1 版")).toBeVisible({ timeout: 40_000 });
  await expect(panel.getByRole("article")).not.toBeEmpty();
  await expect(transcript(page).getByText("纪要 v1")).toBeAttached();

  await transcript(page).focus();
  await page.keyboard.press("a");
  await panel.getByRole("button", { name: "添加议题" }).click();
  await panel.getByRole("textbox", { name: "议题" }).fill("备份怎么做");
  await panel.getByRole("button", { name: "添加议题" }).last().click();
  const point = panel.getByRole("checkbox", { name: "完成：备份怎么做" });
  await expect(point).toBeVisible();
  await expect(transcript(page).getByText("议程新增：备份怎么做")).toBeAttached();
  await panel.getByRole("button", { name: "移除：备份怎么做" }).click();
  await expect(point).toBeHidden();
  await page.getByRole("button", { name: "撤销" }).click();
  await expect(point).toBeVisible();
  await point.check();
  await expect(point).toBeChecked();
  await end(page, "够了");
});
