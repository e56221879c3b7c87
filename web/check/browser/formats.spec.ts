// Each format from its set-up to its result, as a person goes that way.

import type { Page } from "@playwright/test";
import { test as base, expect, type TestServer, withServer } from "./server";
import { asked, end, MESSAGE_MENU, messages, over, seats, transcript } from "./table";
import { anyOf, pattern, zh } from "./texts";

// Meetings that are not watched are answered quickly.
const test = base.extend<object, { server: TestServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
  server: [({}, use) => withServer(use, "--pace", "brisk"), { scope: "worker" }],
});

const TOPIC = "新服务用 SQLite 还是 PostgreSQL？";

type Format = "consensus" | "discussion" | "decision" | "brainstorm" | "room";
type Phase = "blind" | "discussion" | "summary" | "ballot" | "conclusion";
type Outcome = "accepted" | "round_limit" | "converged" | "completed";

const phases = (...of: Phase[]) => of.map((phase) => zh(`table.phase.${phase}`));
/** Any of these outcomes. */
const outcomes = (...of: Outcome[]) => anyOf(...of.map((one) => zh(`result.outcome.${one}`)));

/** Fills in the form for a format; the meeting has so many rounds at most. */
async function setUp(page: Page, format: Format, rounds: number, seed = 5): Promise<void> {
  await page.goto("/new");
  await page.getByRole("textbox", { name: zh("create.topic.label") }).fill(TOPIC);
  await page.getByRole("radio", { name: zh.message(`rules-format-${format}`) }).check();
  await expect(page.getByText(zh("create.cast.simulate_only"))).toBeVisible();
  await page.getByRole("button", { name: pattern`^${zh("create.rules.section")}` }).click();
  await page.getByRole("textbox", { name: zh.message("rules-label-limits-max-rounds") }).fill(String(rounds));
  await page.getByRole("button", { name: pattern`^${zh("create.more.section")}` }).click();
  await page.getByRole("textbox", { name: zh("create.more.seed") }).fill(String(seed));
}

/** Begins the meeting, and remembers every step of it that the page shows as the present one. */
async function start(page: Page): Promise<void> {
  await page
    .getByRole("complementary", { name: zh("create.go.title") })
    .getByRole("button", { name: zh("create.go.start") })
    .click();
  await page.waitForURL(/\/m\/[0-9a-f-]{36}$/);
  // A window with questions may already stand before it.
  const bar = page.getByRole("list", { name: zh("table.phase.title"), includeHidden: true });
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
  const bar = page.getByRole("list", { name: zh("table.phase.title") });
  const been = await bar
    .getByRole("listitem")
    .filter({ hasText: zh("table.phase.been") })
    .allTextContents();
  return { seen, been: been.map((one) => one.replace(zh("table.phase.been"), "")) };
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
  const conclusion = page.getByRole("region", { name: zh("result.part.conclusion") });
  await expect(conclusion.locator(".markdown")).not.toBeEmpty();
  const address = page.url();
  const line = page
    .getByRole("link", { name: pattern`^${zh.like("result.to_message", { id: /m\d+/ })}$` })
    .first();
  await line.scrollIntoViewIfNeeded();
  await line.click();
  await page.waitForURL(/\/m\/[0-9a-f-]{36}\?at=\d+/);
  const row = transcript(page)
    .locator("[data-index]")
    .filter({ has: page.getByRole("button", { name: MESSAGE_MENU }) });
  await expect(row.and(page.locator('[class*="shadow-[inset"]'))).toBeInViewport();
  await page.goBack();
  await page.waitForURL(address);
  await expect(conclusion).toBeVisible();
}

test("consensus: written alone, talked over, voted, accepted", async ({ page }) => {
  await setUp(page, "consensus", 2);
  await start(page);
  await over(page);
  const { been } = await steps(page);
  expect(been).toEqual(
    expect.arrayContaining(phases("blind", "discussion", "summary", "ballot", "conclusion")),
  );
  await everybodySpoke(page);
  await takeResult(page, outcomes("accepted", "round_limit"));
});

test("decision: what is missing is asked first, and three artifacts come of it", async ({ page }) => {
  await setUp(page, "decision", 2);
  await start(page);
  const questions = asked(page, zh("table.pause.missing_info.title"));
  await questions.getByRole("textbox").first().fill("30");
  await questions.getByRole("button", { name: zh("table.ask.do.send") }).click();
  await expect(questions).toBeHidden();
  await over(page);
  expect((await steps(page)).seen[0]).toBe(zh("table.phase.preparation"));
  await everybodySpoke(page);
  await takeResult(page, outcomes("converged", "round_limit", "completed"));
  for (const part of ["actions", "risks", "artifacts"] as const) {
    const name = zh(`result.part.${part}`);
    await expect(page.getByRole("region", { name, exact: true })).toBeVisible();
  }
});

test("discussion: whoever hosts gives the floor, and minutes are kept", async ({ page }) => {
  await setUp(page, "discussion", 2);
  const floor = page.getByRole("group", { name: zh.message("rules-label-turns-floor") });
  await floor.getByRole("button", { name: zh.message("rules-choice-turns-floor-host") }).click();
  await start(page);
  const host = asked(page, zh("table.pause.awaiting_host.title"));
  const words = host.getByRole("textbox", { name: zh("table.host.message") });
  await words.fill("请每个人先说自己的立场。");
  for (const name of await seats(page)) {
    await host.getByRole("button", { name: `@${name}` }).click();
  }
  await host.getByRole("button", { name: zh("table.ask.do.send") }).click();
  // Those who answer quote it.
  await expect(transcript(page).getByText("请每个人先说自己的立场。").first()).toBeVisible();
  await expect(words).toBeEmpty();
  await words.fill("还有谁要补充？");
  await host.getByRole("button", { name: zh("table.ask.do.send") }).click();
  await expect(host.getByText(zh.message("refusal-nobody-mentioned"))).toBeVisible();
  await host.getByRole("button", { name: /^@/ }).first().click();
  await host.getByRole("button", { name: zh("table.ask.do.send") }).click();
  await over(page);
  await everybodySpoke(page);
  await takeResult(page, zh("result.outcome.completed"));
  await expect(
    page
      .getByRole("region", { name: zh("result.part.minutes") })
      .getByRole("link", { name: zh.like("result.to_message") })
      .first(),
  ).toBeVisible();
});

test("brainstorm: a team is proposed, each round asks, and ideas grow out of each other", async ({
  page,
}) => {
  await setUp(page, "brainstorm", 2);
  await start(page);
  const first = asked(page, zh("table.pause.check_in.first"));
  const next = asked(page, zh("table.pause.check_in.title"));
  await first.getByRole("textbox", { name: zh.message("question-anything-to-add") }).fill("只有一台服务器。");
  await first.getByRole("button", { name: zh("table.ask.do.send") }).click();
  const team = asked(page, zh("table.pause.need_approval.title"));
  await expect(team.getByRole("checkbox").first()).toBeVisible();
  const proposed = await team.getByRole("checkbox").count();
  expect(proposed).toBeGreaterThan(1);
  await team.getByRole("checkbox").last().uncheck();
  await team.getByRole("button", { name: zh("table.ask.do.send") }).click();
  await expect(next).toBeVisible();
  expect(await seats(page)).toHaveLength(proposed - 1);
  await next.getByRole("button", { name: zh("table.ask.do.go_on"), exact: true }).click();
  await over(page);
  await everybodySpoke(page);
  await takeResult(page, zh("result.outcome.completed"));
  await expect(
    page
      .getByRole("region", { name: zh("result.part.best") })
      .getByRole("listitem")
      .first(),
  ).toBeVisible();
});

test("room: it talks until there is nothing new, goes on when told, and a person ends it", async ({
  page,
}) => {
  // A seed with which somebody holds another position at the end: each is linked to its message.
  await setUp(page, "room", 100, 7);
  await start(page);
  const silent = asked(page, zh("table.pause.nothing_new.title"));
  await silent.getByRole("radio", { name: zh("table.choice.continue") }).check();
  await silent.getByRole("button", { name: zh("table.ask.do.go_on"), exact: true }).click();
  await silent.getByRole("button", { name: zh("table.ask.later") }).click();
  await end(page, "说够了");
  await everybodySpoke(page);
  await takeResult(page, zh("result.outcome.completed_by_note_you", { note: "说够了" }));
});
