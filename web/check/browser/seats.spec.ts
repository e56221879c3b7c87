// People with seats: a guest is invited to one, answers, votes, is late, skips, and gives it up.

import { expectOpenToAll } from "./accessibility";
import { asks, enter, guarded } from "./guarded";
import { comes, fillBlind, type Guest, meetingOf, seatLink, turn } from "./seats";
import { test as base, expect, type Page, type TestServer } from "./server";
import { composer, over, rail, transcript } from "./table";

const test = base.extend<object, { server: TestServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
  server: [({}, use) => guarded(use, "brisk"), { scope: "worker" }],
});
test.use({ actionTimeout: 10_000, contextOptions: { reducedMotion: "reduce" } });

const ANSWERED = "已作答，盲答轮结束后才能看到内容。";

/** The owner starts the meeting that is open. */
async function start(page: Page): Promise<void> {
  await page.getByRole("main").getByRole("button", { name: "开始会议" }).click();
}

/** A meeting that has a guest with a seat, before it starts; the owner's page shows it. */
async function seated(
  page: Page,
  server: TestServer,
  comesBy: (link: string) => Promise<Guest>,
  more: Parameters<typeof meetingOf>[1] = {},
): Promise<{ id: string; guest: Guest }> {
  await enter(page, server);
  const id = await meetingOf(page, more);
  const guest = await comesBy(await seatLink(page, id, "运维"));
  await page.goto(`/m/${id}`);
  return { id, guest };
}

test("a guest is invited to a seat, answers on their own, talks and votes", async ({
  page,
  browser,
  server,
}) => {
  test.slow();
  await enter(page, server);
  const id = await meetingOf(page);
  await page.goto(`/m/${id}`);
  await page.getByRole("button", { name: "更多操作" }).click();
  await page.getByRole("menuitem", { name: "邀请与访问" }).click();
  const dialog = page.getByRole("dialog", { name: "邀请与访问" });
  await dialog.getByRole("button", { name: "一个席位" }).click();
  await dialog.getByRole("textbox", { name: "会上的角色" }).fill("运维");
  await expectOpenToAll(page, "invitation to a seat");
  await dialog.getByRole("button", { name: "创建链接" }).click();
  const link = await dialog.getByRole("textbox", { name: "链接已创建，现在复制" }).inputValue();
  await expect(dialog.getByRole("list", { name: "还能使用的链接" })).toContainText("席位：运维");
  await page.keyboard.press("Escape");

  const guest = await comes(browser, server, link, "林客");
  const lin = guest.page;
  await expect(lin.getByText("你已以 林客 的身份入席，轮到你时会询问。")).toBeVisible();
  await expect(lin.getByText("会议开始后，轮到你时会在这里询问。", { exact: false })).toBeVisible();
  await expect(rail(page).getByRole("listitem").filter({ hasText: "林客" })).toContainText("在线");
  await expectOpenToAll(lin, "a guest waits for the start");

  await start(page);
  await expect(turn(lin)).toBeVisible();
  await expect(turn(lin)).toHaveAccessibleName("轮到你发言");
  await expect(lin).toHaveTitle(/^轮到你：第一年用/);
  await expect(rail(page).getByRole("listitem").filter({ hasText: "林客" })).toContainText("等待林客作答");
  // The end of the talk stays in sight above the form.
  await expect(transcript(lin).getByText("等待你作答", { exact: false })).toBeInViewport();
  // What the others say is not on the guest's page, in no part of it.
  await expect(lin.getByText(ANSWERED)).toHaveCount(2);
  await expect(lin.getByRole("tabpanel").getByText("盲答轮结束后才能看到各方的回答")).toBeVisible();
  await expect(lin.getByRole("alert")).toHaveCount(0);
  await turn(lin).getByRole("button", { name: "提交回答" }).click();
  await expect(turn(lin).getByRole("alert")).toHaveText("还有 3 处需要修改。");
  await expect(turn(lin).getByRole("textbox", { name: "你的立场" })).toBeFocused();
  await expectOpenToAll(lin, "a first answer with faults");
  await fillBlind(lin, "先用 SQLite", "一台机器就够了");
  await expect(turn(lin).getByRole("alert")).toHaveCount(0);
  await lin.reload();
  await expect(turn(lin).getByRole("textbox", { name: "你的论点 1" })).toHaveValue("一台机器就够了");
  await turn(lin).getByRole("button", { name: "提交回答" }).click();
  await expect(lin.getByText(ANSWERED)).toHaveCount(0);
  await expect(transcript(page).getByText("一台机器就够了").first()).toBeVisible();

  const words = turn(lin).getByRole("textbox", { name: "你的发言" });
  await expect(words).toBeVisible({ timeout: 60_000 });
  await expectOpenToAll(lin, "a turn in words");
  await words.fill("我们只有一台机器，**备份**最重要。");
  await words.press("Control+Enter");
  await expect(transcript(page).getByText("备份").first()).toBeVisible();

  await expect(turn(lin)).toHaveAccessibleName("轮到你投票", { timeout: 60_000 });
  await expect(lin.getByRole("button", { name: /条新内容$/ })).toHaveCount(0);
  await expectOpenToAll(lin, "a vote");
  await turn(lin).getByRole("textbox", { name: "给草案的分数" }).fill("90");
  await turn(lin).getByRole("button", { name: "是", exact: true }).click();
  await turn(lin).getByRole("textbox", { name: "理由" }).fill("够用，也容易换。");
  await turn(lin).getByRole("button", { name: "提交回答" }).click();
  await expect(turn(lin)).toHaveCount(0);
  await over(lin);
  await expect(lin).toHaveTitle(/^第一年用/);
  await page.goto(`/m/${id}?tab=votes`);
  await expect(page.getByRole("tabpanel").getByText("够用，也容易换。").first()).toBeVisible();
  await guest.leave();
});

test("in English, on a phone, in the dark: a first answer and a vote", async ({ page, browser, server }) => {
  test.slow();
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const { guest } = await seated(
    page,
    server,
    (link) => comes(browser, server, link, "Grace", { language: "en", theme: "dark", ...phone }),
    { lang: "en" },
  );
  const { page: grace } = guest;
  await start(page);
  await expect(turn(grace)).toHaveAccessibleName("It is your turn");
  await expectOpenToAll(grace, "a first answer on a phone");
  const [width, room] = await grace.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(width, "nothing scrolls sideways").toBeLessThanOrEqual(room ?? 0);
  const form = turn(grace);
  await form.getByRole("textbox", { name: "Your position" }).fill("SQLite");
  await form.getByRole("textbox", { name: "Your claims 1" }).fill("One machine is enough");
  await form.getByRole("textbox", { name: "How sure you are" }).fill("70");
  await form.getByRole("button", { name: "Submit answer" }).click();
  await expect(form.getByRole("textbox", { name: "Your message" })).toBeVisible({ timeout: 60_000 });
  await form.getByRole("button", { name: "Skip" }).click();
  await expect(form).toHaveAccessibleName("It is your turn to vote", { timeout: 60_000 });
  await expectOpenToAll(grace, "a vote on a phone");
  await form.getByRole("textbox", { name: "Score of the draft" }).fill("40");
  await form.getByRole("button", { name: "No", exact: true }).click();
  await form.getByRole("textbox", { name: "Your reason" }).fill("No backups yet.");
  await form.getByRole("button", { name: "Submit answer" }).click();
  await expect(form).toHaveCount(0);
  await guest.leave();
});

test("a turn that runs out is over, and its words can still be said", async ({ page, browser, server }) => {
  const { guest } = await seated(page, server, (link) => comes(browser, server, link, "迟客"), {
    turns: { blind_round: false, timeout_ms: 20_000, pace: "live" },
    rules: { decision: { ballots: false }, limits: { max_rounds: 3 } },
  });
  const { page: late } = guest;
  // What is being written in the composer outlives the turn.
  await composer(late).fill("开会之前写的半句");
  await start(page);
  await expect(turn(late)).toBeVisible({ timeout: 60_000 });
  await expect(composer(late)).toBeHidden();
  await expect(turn(late).getByRole("heading", { name: "轮到你发言" })).toBeFocused();
  await expect(turn(late).getByRole("timer")).toContainText(/剩余 \d+ 秒/);
  await expect(turn(late).getByText("作答时间只剩 30 秒。")).toBeAttached();
  await turn(late).getByRole("textbox", { name: "你的发言" }).fill("我来晚了，但备份要写进结论。");
  const alert = late.getByRole("alert").filter({ hasText: "这次发言已结束" });
  await expect(alert).toContainText("备份要写进结论", { timeout: 30_000 });
  await expect(composer(late)).toHaveValue("开会之前写的半句");
  await composer(late).fill("");
  await alert.getByRole("button", { name: "改为普通发言" }).click();
  await expect(composer(late)).toHaveValue("我来晚了，但备份要写进结论。");
  await expect(alert).toHaveCount(0);
  await guest.leave();
});

test("an answer that cannot be read is asked for once more, with the reason and the draft", async ({
  page,
  browser,
  server,
}) => {
  const { guest } = await seated(page, server, (link) => comes(browser, server, link, "再客"));
  const { page: again } = guest;
  await start(page);
  await expect(turn(again)).toBeVisible();
  await fillBlind(again, "先用 SQLite", "一台机器就够了");
  // The same person answers with a program, and not as it was asked for.
  const open = await asks<{ items: { ticket: string }[] }>(again, "GET", "/turns");
  await asks(again, "POST", `/turns/${open.items[0]?.ticket}/answer`, { fields: { position: 7 } });
  await expect(turn(again).getByRole("alert")).toContainText("position", { timeout: 20_000 });
  await expect(again.getByText("这次发言已结束", { exact: false })).toHaveCount(0);
  await expect(turn(again).getByRole("textbox", { name: "你的立场" })).toHaveValue("先用 SQLite");
  await turn(again).getByRole("button", { name: "提交回答" }).click();
  await expect(transcript(page).getByText("一台机器就够了").first()).toBeVisible();
  await guest.leave();
});

test("who looks elsewhere is notified, where they allowed it", async ({ page, browser, server }) => {
  const { guest } = await seated(page, server, (link) =>
    comes(browser, server, link, "远客", { permissions: ["notifications"] }),
  );
  const { page: away } = guest;
  // The tab is in the background, and what it shows outside of itself is written down.
  await away.addInitScript(() => {
    const notices = { shown: [] as string[], closed: [] as string[] };
    Object.assign(window, { notices });
    Object.defineProperty(document, "visibilityState", { get: () => "hidden" });
    const Real = window.Notification;
    window.Notification = class extends Real {
      constructor(title: string, options?: NotificationOptions) {
        super(title, options);
        notices.shown.push(title);
      }
      override close() {
        notices.closed.push(this.title);
        super.close();
      }
    };
  });
  await away.reload();
  await expect(away.getByText("轮到你时会在这里询问", { exact: false })).toBeVisible();
  await expect(away.getByRole("button", { name: "开启通知" })).toHaveCount(0);
  expect(await away.evaluate(() => [Notification.permission, isSecureContext])).toEqual(["granted", true]);
  await start(page);
  await expect(turn(away)).toBeAttached();
  const told = (name: "shown" | "closed") =>
    away.evaluate((list) => Reflect.get(Reflect.get(window, "notices"), list) as string[], name);
  await expect.poll(() => told("shown")).toEqual([expect.stringMatching(/^第一年用.*：轮到你了/)]);
  await fillBlind(away, "先用 SQLite", "一台机器就够了");
  await turn(away).getByRole("button", { name: "提交回答" }).click();
  const [first] = await told("shown");
  await expect.poll(() => told("closed")).toContain(first);
  await guest.leave();
});

test("the owner takes a seat and gives it up", async ({ page, server }) => {
  await enter(page, server);
  // At a reader's pace, so that the meeting is not over at once without the owner.
  const id = await meetingOf(page, { turns: { pace: "live" } });
  await page.goto(`/m/${id}`);
  await rail(page).getByRole("button", { name: "入席" }).click();
  const dialog = page.getByRole("dialog", { name: "入席" });
  await dialog.getByRole("textbox", { name: "会上的名字" }).fill("老周");
  await dialog.getByRole("textbox", { name: "角色" }).fill("负责人");
  await expectOpenToAll(page, "taking a seat");
  await dialog.getByRole("button", { name: "入席" }).click();
  const row = rail(page).getByRole("listitem").filter({ hasText: "老周" });
  await expect(row).toContainText("你");
  await expect(page.getByText("你以 老周 的身份入席。", { exact: false })).toBeVisible();
  await start(page);
  await expect(turn(page)).toBeVisible();
  await row.getByRole("button").click();
  await page.getByRole("button", { name: "离席", exact: true }).click();
  await page.getByRole("alertdialog", { name: "要离席吗？" }).getByRole("button", { name: "离席" }).click();
  await expect(turn(page)).toHaveCount(0);
  await expect(composer(page)).toBeVisible();
  await expect(row).toHaveCount(0);
});
