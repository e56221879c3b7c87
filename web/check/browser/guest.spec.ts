// A server that is guarded: its owner signs in and invites; a guest comes by the link, and goes when sent away.

import { asks, guarded, signIn } from "./guarded";
import { atPace, test as base, expect, type Page, type TestServer } from "./server";

const test = base.extend<object, { server: TestServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
  server: [({}, use) => guarded(use), { scope: "worker" }],
});
test.use({ actionTimeout: 10_000 });

/** Stands for the votes of a ballot that is not counted yet. */
const WITHHELD = "表决结束前不显示各人的投票";
/** A vote or a result: a line of its own. */
const VOTED = /^(赞成|反对|通过|未通过)$/m;

/** The owner makes a link in the window for it, and puts the window away. */
async function invite(page: Page): Promise<string> {
  await page.getByRole("button", { name: "更多操作" }).click();
  await page.getByRole("menuitem", { name: "邀请与访问" }).click();
  await page.getByRole("button", { name: "创建链接" }).click();
  const link = await page.getByRole("textbox", { name: "链接已创建，现在复制" }).inputValue();
  await page.keyboard.press("Escape");
  return link;
}

/** A guest takes the link, by a name of their own. */
async function join(page: Page, link: string, name: string): Promise<void> {
  await page.goto(link);
  await page.getByRole("textbox", { name: "你的名字" }).fill(name);
  await page.getByRole("button", { name: "进入会议" }).click();
  await expect(page).toHaveURL(/\/m\//);
}

test("a wrong password is refused in words that help", async ({ page }) => {
  await page.goto("/meetings");
  await expect(page.getByRole("heading", { name: "登录", level: 1 })).toBeVisible();
  await page.getByRole("textbox", { name: "名字" }).fill("owner");
  await page.getByLabel("密码").fill("not the password");
  await page.getByRole("button", { name: "登录", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText("请检查名字和密码");
  await expect(page).toHaveURL(/sign-in/);
});

test("a guest comes by the link, speaks, and goes when sent away", async ({ page, browser, server }) => {
  await page.goto("/new");
  await signIn(page);
  await expect(page).toHaveURL(/\/new$/);
  await page.getByRole("textbox", { name: /想弄清楚什么/ }).fill("请一位客人来谈谈");
  await page.getByRole("button", { name: "存为草稿" }).first().click();
  await expect(page).toHaveURL(/\/m\//);
  // A meeting that is started while a viewer is there runs at a reader's pace.
  await page.getByRole("main").getByRole("button", { name: "开始会议" }).click();
  await expect(page.getByRole("log", { name: "讨论" })).toBeVisible();
  const link = await invite(page);

  const elsewhere = await browser.newContext({ locale: "zh-CN", baseURL: server.url });
  const guest = await elsewhere.newPage();
  await join(guest, link, "林客");
  await guest.getByRole("textbox", { name: "发言" }).fill("我从使用者的角度补充一点。");
  await guest.getByRole("button", { name: "发送", exact: true }).click();
  await expect(page.getByRole("log").getByText("我从使用者的角度补充一点。").first()).toBeVisible();
  await expect(page.getByRole("log").getByText("林客").first()).toBeVisible();

  await expect(guest.getByRole("tab", { name: /^表决/ })).toBeVisible();
  await expect(guest.getByRole("button", { name: "暂停", exact: true })).toHaveCount(0);
  await expect(guest.getByRole("tab", { name: "评分" })).toHaveCount(0);
  await guest.getByRole("button", { name: "更多操作" }).click();
  await expect(guest.getByRole("menuitem", { name: "会议规则" })).toBeVisible();
  await expect(guest.getByRole("menuitem", { name: /暂停|结束会议|删除会议|邀请与访问/ })).toHaveCount(0);
  await guest.keyboard.press("Escape");

  await page.getByRole("button", { name: "更多操作" }).click();
  await page.getByRole("menuitem", { name: "邀请与访问" }).click();
  await page.getByRole("listitem").filter({ hasText: "林客" }).getByRole("button", { name: "移出" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "移出" }).click();
  await expect(page.getByText("已移出 林客")).toBeVisible();
  await expect(guest.getByRole("heading", { name: "你已不在这场会议中", level: 1 })).toBeVisible();
  await elsewhere.close();
});

test("a guest leaves by themselves, wide or on a phone", async ({ page, browser, server }) => {
  await page.goto("/new");
  await signIn(page);
  await page.getByRole("textbox", { name: /想弄清楚什么/ }).fill("客人可以先走");
  await page.getByRole("button", { name: "存为草稿" }).first().click();
  await expect(page).toHaveURL(/\/m\//);
  for (const [name, width] of [
    ["高客", 1280],
    ["矮客", 390],
  ] as const) {
    const link = await invite(page);
    const elsewhere = await browser.newContext({ locale: "zh-CN", baseURL: server.url });
    const guest = await elsewhere.newPage();
    await guest.setViewportSize({ width, height: 800 });
    await join(guest, link, name);
    if (width < 768) {
      await guest.getByRole("button", { name: "菜单" }).click();
    }
    await guest.getByRole("button", { name: `已登录：${name}` }).click();
    const refused: string[] = [];
    guest.on("response", (one) => void (one.status() === 401 && refused.push(one.url())));
    const ended = guest.waitForResponse((one) => one.request().method() === "DELETE");
    await guest.getByRole("menuitem", { name: /^离开会议/ }).click();
    await expect(guest.getByRole("heading", { name: "你已离开会议", level: 1 })).toBeVisible();
    await ended;
    await guest.waitForLoadState("networkidle");
    expect(refused).toEqual([]);
    await elsewhere.close();
    await page.reload();
  }
});

test("while a ballot is open a guest sees no score, and all of them afterwards", async ({
  page,
  browser,
  server,
}) => {
  // A ballot as fast as one reads.
  test.setTimeout(300_000);
  await page.goto("/new");
  await signIn(page);
  await page.getByRole("textbox", { name: /想弄清楚什么/ }).fill("票在计完之前不给客人看");
  await page.getByRole("button", { name: "存为草稿" }).first().click();
  await expect(page).toHaveURL(/\/m\//);
  const id = new URL(page.url()).pathname.split("/")[2] ?? "";
  const link = await invite(page);
  await page.goto("/");
  const at = (pace: "live" | "brisk") =>
    atPace((method, body) => asks(page, method, `/meetings/${id}/rules`, body), pace);
  await at("brisk");
  for (const _ of ["blind", "first"]) {
    await asks(page, "POST", `/meetings/${id}/advance`, { until: "round" });
    await expect
      .poll(async () => (await asks<{ state: string }>(page, "GET", `/meetings/${id}?messages=0`)).state, {
        timeout: 120_000,
      })
      .toBe("paused");
  }
  await at("live");
  const elsewhere = await browser.newContext({ locale: "zh-CN", baseURL: server.url });
  const guest = await elsewhere.newPage();
  const hears = guest.waitForResponse(/\/events/);
  await join(guest, link, "周客");
  await hears;
  await guest.getByRole("tab", { name: /^表决/ }).click();
  await page.goto(`/m/${id}?tab=votes`);
  await page.getByRole("button", { name: "继续", exact: true }).click();

  const latest = guest.getByRole("tabpanel").getByRole("region").first();
  const whileOpen: string[] = [];
  await expect
    .poll(
      async () => {
        const [text = ""] = await latest.allInnerTexts();
        if (text.includes(WITHHELD)) whileOpen.push(text);
        return whileOpen.length > 0 && !text.includes(WITHHELD);
      },
      { timeout: 90_000, intervals: [200] },
    )
    .toBe(true);
  expect(whileOpen.filter((text) => VOTED.test(text))).toEqual([]);
  await expect(latest.getByText(VOTED).first()).toBeVisible();
  await elsewhere.close();
});
