// A server that is guarded: its owner signs in and invites; a guest comes by the link, and goes when sent away.

import { asks, guarded, signIn } from "./guarded";
import { atPace, test as base, expect, type Page, type TestServer } from "./server";
import { anyOf, pattern, zh } from "./texts";

const test = base.extend<object, { server: TestServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
  server: [({}, use) => guarded(use), { scope: "worker" }],
});
test.use({ actionTimeout: 10_000 });

/** Stands for the votes of a ballot that is not counted yet. */
const WITHHELD = zh.like("panel.votes.withheld");
const VOTES = ["table.vote.pass", "table.vote.fail", "panel.votes.passed", "panel.votes.not_passed"] as const;
/** A vote or a result: a line of its own. */
const VOTED = new RegExp(pattern`^${anyOf(...VOTES.map((key) => zh(key)))}$`, "m");

/** The owner makes a link in the window for it, and puts the window away. */
async function invite(page: Page): Promise<string> {
  await page.getByRole("button", { name: zh("table.menu.title") }).click();
  await page.getByRole("menuitem", { name: zh("table.menu.invite") }).click();
  await page.getByRole("button", { name: zh("join.make_link") }).click();
  const link = await page.getByRole("textbox", { name: zh("join.link_made") }).inputValue();
  await page.keyboard.press("Escape");
  return link;
}

/** A guest takes the link, by a name of their own. */
async function join(page: Page, link: string, name: string): Promise<void> {
  await page.goto(link);
  await page.getByRole("textbox", { name: zh("join.name") }).fill(name);
  await page.getByRole("button", { name: zh("join.do") }).click();
  await expect(page).toHaveURL(/\/m\//);
}

test("a wrong password is refused in words that help", async ({ page }) => {
  await page.goto("/meetings");
  await expect(page.getByRole("heading", { name: zh("signin.title"), level: 1 })).toBeVisible();
  await page.getByRole("textbox", { name: zh("signin.name") }).fill("owner");
  await page.getByLabel(zh("signin.password")).fill("not the password");
  await page.getByRole("button", { name: zh("signin.do"), exact: true }).click();
  await expect(page.getByRole("alert")).toContainText(zh("signin.wrong_hint"));
  await expect(page).toHaveURL(/sign-in/);
});

test("a guest comes by the link, speaks, and goes when sent away", async ({ page, browser, server }) => {
  await page.goto("/new");
  await signIn(page);
  await expect(page).toHaveURL(/\/new$/);
  await page.getByRole("textbox", { name: zh("create.topic.label") }).fill("请一位客人来谈谈");
  await page
    .getByRole("button", { name: zh("create.go.draft") })
    .first()
    .click();
  await expect(page).toHaveURL(/\/m\//);
  // A meeting that is started while a viewer is there runs at a reader's pace.
  await page
    .getByRole("main")
    .getByRole("button", { name: zh("talk.start") })
    .click();
  await expect(page.getByRole("log", { name: zh("talk.transcript") })).toBeVisible();
  const link = await invite(page);

  const elsewhere = await browser.newContext({ locale: "zh-CN", baseURL: server.url });
  const guest = await elsewhere.newPage();
  await join(guest, link, "林客");
  await guest.getByRole("textbox", { name: zh("talk.say") }).fill("我从使用者的角度补充一点。");
  await guest.getByRole("button", { name: zh("talk.send"), exact: true }).click();
  await expect(page.getByRole("log").getByText("我从使用者的角度补充一点。").first()).toBeVisible();
  await expect(page.getByRole("log").getByText("林客").first()).toBeVisible();

  await expect(guest.getByRole("tab", { name: pattern`^${zh("table.panel.votes")}` })).toBeVisible();
  await expect(guest.getByRole("button", { name: zh("table.next.pause"), exact: true })).toHaveCount(0);
  await expect(guest.getByRole("tab", { name: zh("table.panel.hidden") })).toHaveCount(0);
  await guest.getByRole("button", { name: zh("table.menu.title") }).click();
  await expect(guest.getByRole("menuitem", { name: zh("table.menu.rules") })).toBeVisible();
  for (const action of ["pause_now", "pause_after", "end", "delete", "invite"] as const) {
    await expect(guest.getByRole("menuitem", { name: zh(`table.menu.${action}`) })).toHaveCount(0);
  }
  await guest.keyboard.press("Escape");

  await page.getByRole("button", { name: zh("table.menu.title") }).click();
  await page.getByRole("menuitem", { name: zh("table.menu.invite") }).click();
  await page
    .getByRole("listitem")
    .filter({ hasText: "林客" })
    .getByRole("button", { name: zh("join.send_away") })
    .click();
  await page
    .getByRole("alertdialog")
    .getByRole("button", { name: zh("join.send_away") })
    .click();
  await expect(page.getByText(zh("join.sent_away", { name: "林客" }))).toBeVisible();
  await expect(guest.getByRole("heading", { name: zh("signin.guest_over"), level: 1 })).toBeVisible();
  await elsewhere.close();
});

test("a guest leaves by themselves, wide or on a phone", async ({ page, browser, server }) => {
  await page.goto("/new");
  await signIn(page);
  await page.getByRole("textbox", { name: zh("create.topic.label") }).fill("客人可以先走");
  await page
    .getByRole("button", { name: zh("create.go.draft") })
    .first()
    .click();
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
      await guest.getByRole("button", { name: zh("shell.menu") }).click();
    }
    await guest.getByRole("button", { name: zh("shell.signed_in", { name }) }).click();
    const refused: string[] = [];
    guest.on("response", (one) => void (one.status() === 401 && refused.push(one.url())));
    const ended = guest.waitForResponse((one) => one.request().method() === "DELETE");
    await guest.getByRole("menuitem", { name: pattern`^${zh("shell.leave")}` }).click();
    await expect(guest.getByRole("heading", { name: zh("signin.left_over"), level: 1 })).toBeVisible();
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
  await page.getByRole("textbox", { name: zh("create.topic.label") }).fill("票在计完之前不给客人看");
  await page
    .getByRole("button", { name: zh("create.go.draft") })
    .first()
    .click();
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
  await guest.getByRole("tab", { name: pattern`^${zh("table.panel.votes")}` }).click();
  await page.goto(`/m/${id}?tab=votes`);
  await page.getByRole("button", { name: zh("table.next.resume"), exact: true }).click();

  const latest = guest.getByRole("tabpanel").getByRole("region").first();
  const whileOpen: string[] = [];
  await expect
    .poll(
      async () => {
        const [text = ""] = await latest.allInnerTexts();
        if (WITHHELD.test(text)) whileOpen.push(text);
        return whileOpen.length > 0 && !WITHHELD.test(text);
      },
      { timeout: 90_000, intervals: [200] },
    )
    .toBe(true);
  expect(whileOpen.filter((text) => VOTED.test(text))).toEqual([]);
  await expect(latest.getByText(VOTED).first()).toBeVisible();
  await elsewhere.close();
});
