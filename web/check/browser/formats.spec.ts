// Each format from its set-up to its result, as a person goes that way.

import type { Page } from "@playwright/test";
import { test as base, expect, type TestServer, withServer } from "./server";
import { asked, end, messages, over, seats, transcript } from "./table";

// Meetings that are not watched are answered quickly.
const test = base.extend<object, { server: TestServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
  server: [({}, use) => withServer(use, "--pace", "brisk"), { scope: "worker" }],
});

const TOPIC = "新服务用 SQLite 还是 PostgreSQL？";

/** Fills in the form for a format; the meeting has so many rounds at most. */
async function setUp(page: Page, format: string, rounds: number, seed = 5): Promise<void> {
  await page.goto("/new");
  await page.getByRole("textbox", { name: "想弄清楚什么？" }).fill(TOPIC);
  await page.getByRole("radio", { name: format }).check();
  await expect(page.getByText("这场会议将由模拟参会者演示")).toBeVisible();
  await page.getByRole("button", { name: /^规则/ }).click();
  await page.getByRole("textbox", { name: "最多谈几轮" }).fill(String(rounds));
  await page.getByRole("button", { name: /^议程与其他/ }).click();
  await page.getByRole("textbox", { name: "随机种子" }).fill(String(seed));
}

/** Begins the meeting, and remembers every step of it that the page shows as the present one. */
async function start(page: Page): Promise<void> {
  await page.getByRole("complementary", { name: "概览" }).getByRole("button", { name: "开始会议" }).click();
  await page.waitForURL(/\/m\/[0-9a-f-]{36}$/);
  // A window with questions may already stand before it.
  const bar = page.getByRole("list", { name: "会议进程", includeHidden: true });
  await bar.evaluate((bar) => {
    const steps: string[] = [];
    const look = () => {
      const now = bar.querySelector("[aria-current=step]")?.textContent;
      if (now && now !== steps.at(-1)) {
        steps.push(now);
      }
    };
    look();
    new MutationObserver(look).observe(bar, {
      subtree: true,
      childList: true,
      attributes: true,
      characterData: true,
    });
    Object.assign(window, { stepsSeen: steps });
  });
}

/** The steps that the page has shown, and all that it says the meeting has been through. */
async function steps(page: Page): Promise<{ seen: string[]; been: string[] }> {
  const seen = await page.evaluate(() => (window as unknown as { stepsSeen: string[] }).stepsSeen);
  const bar = page.getByRole("list", { name: "会议进程" });
  const been = await bar.getByRole("listitem").filter({ hasText: "（已完成）" }).allTextContents();
  return { seen, been: been.map((one) => one.replace("（已完成）", "")) };
}

/** Every participant has a message in the transcript. */
async function everybodySpoke(page: Page): Promise<void> {
  const names = await seats(page);
  expect(names.length).toBeGreaterThan(1);
  const said = await messages(page);
  expect(new Set(said.map((one) => one.name))).toEqual(new Set([...names, ...said.map((one) => one.name)]));
  expect(said.filter((one) => one.text.trim() === "")).toEqual([]);
}

/** Goes to the result, from one of its lines to the message that it rests on, and back. */
async function takeResult(page: Page, outcome: string | RegExp): Promise<void> {
  await (await over(page)).click();
  await expect(page.getByRole("heading", { level: 1, name: TOPIC })).toBeVisible();
  await expect(page.locator("#verdict").getByText(outcome).first()).toBeVisible();
  const conclusion = page.getByRole("region", { name: "结论" });
  await expect(conclusion.locator(".markdown")).not.toBeEmpty();
  const address = page.url();
  const line = page.getByRole("link", { name: /^查看消息 m\d+$/ }).first();
  await line.scrollIntoViewIfNeeded();
  await line.click();
  await page.waitForURL(/\/m\/[0-9a-f-]{36}\?at=\d+/);
  const row = transcript(page)
    .locator("[data-index]")
    .filter({ has: page.getByRole("button", { name: /^对.*这条消息的操作$/ }) });
  await expect(row.and(page.locator('[class*="shadow-[inset"]'))).toBeInViewport();
  await page.goBack();
  await page.waitForURL(address);
  await expect(conclusion).toBeVisible();
}

test("consensus: written alone, talked over, voted, accepted", async ({ page }) => {
  await setUp(page, "共识", 2);
  await start(page);
  await over(page);
  const { been } = await steps(page);
  expect(been).toEqual(expect.arrayContaining(["盲答", "讨论", "摘要", "表决", "结论"]));
  await everybodySpoke(page);
  await takeResult(page, /表决通过|未达成一致/);
});

test("decision: what is missing is asked first, and three artifacts come of it", async ({ page }) => {
  await setUp(page, "决策", 2);
  await start(page);
  const questions = asked(page, "会议想先了解一些情况");
  await questions.getByRole("textbox").first().fill("30");
  await questions.getByRole("button", { name: "提交并继续" }).click();
  await expect(questions).toBeHidden();
  await over(page);
  expect((await steps(page)).seen[0]).toBe("准备");
  await everybodySpoke(page);
  await takeResult(page, /讨论收敛|轮次用完|讨论完成/);
  for (const part of ["行动项", "风险", "交付物"]) {
    await expect(page.getByRole("region", { name: part, exact: true })).toBeVisible();
  }
});

test("discussion: whoever hosts gives the floor, and minutes are kept", async ({ page }) => {
  await setUp(page, "讨论", 2);
  await page.getByRole("group", { name: "谁给发言权" }).getByRole("button", { name: "由主持人点名" }).click();
  await start(page);
  const host = asked(page, "请以主持人身份发言");
  const words = host.getByRole("textbox", { name: "主持人发言" });
  await words.fill("请每个人先说自己的立场。");
  for (const name of await seats(page)) {
    await host.getByRole("button", { name: `@${name}` }).click();
  }
  await host.getByRole("button", { name: "提交并继续" }).click();
  // Those who answer quote it.
  await expect(transcript(page).getByText("请每个人先说自己的立场。").first()).toBeVisible();
  await expect(words).toBeEmpty();
  await words.fill("还有谁要补充？");
  await host.getByRole("button", { name: "提交并继续" }).click();
  await expect(host.getByText("没有提到在座的任何人")).toBeVisible();
  await host.getByRole("button", { name: /^@/ }).first().click();
  await host.getByRole("button", { name: "提交并继续" }).click();
  await over(page);
  await everybodySpoke(page);
  await takeResult(page, "讨论完成");
  await expect(
    page
      .getByRole("region", { name: "纪要" })
      .getByRole("link", { name: /^查看消息/ })
      .first(),
  ).toBeVisible();
});

test("brainstorm: a team is proposed, each round asks, and ideas grow out of each other", async ({
  page,
}) => {
  await setUp(page, "头脑风暴", 2);
  await start(page);
  const first = asked(page, "讨论开始前");
  const next = asked(page, "下一轮开始前");
  await first.getByRole("textbox", { name: "有什么要补充的信息？" }).fill("只有一台服务器。");
  await first.getByRole("button", { name: "提交并继续" }).click();
  const team = asked(page, "请确认参会人员");
  await expect(team.getByRole("checkbox").first()).toBeVisible();
  const proposed = await team.getByRole("checkbox").count();
  expect(proposed).toBeGreaterThan(1);
  await team.getByRole("checkbox").last().uncheck();
  await team.getByRole("button", { name: "提交并继续" }).click();
  await expect(next).toBeVisible();
  expect(await seats(page)).toHaveLength(proposed - 1);
  await next.getByRole("button", { name: "继续", exact: true }).click();
  await over(page);
  await everybodySpoke(page);
  await takeResult(page, "讨论完成");
  await expect(page.getByRole("region", { name: "最佳想法" }).getByRole("listitem").first()).toBeVisible();
});

test("room: it talks until there is nothing new, goes on when told, and a person ends it", async ({
  page,
}) => {
  // A seed with which somebody holds another position at the end: each is linked to its message.
  await setUp(page, "聊天室", 100, 7);
  await start(page);
  const silent = asked(page, "讨论没有新的内容了");
  await silent.getByRole("radio", { name: "继续讨论" }).check();
  await silent.getByRole("button", { name: "继续", exact: true }).click();
  await silent.getByRole("button", { name: "稍后回答" }).click();
  await end(page, "说够了");
  await everybodySpoke(page);
  await takeResult(page, /由你结束：说够了/);
});
