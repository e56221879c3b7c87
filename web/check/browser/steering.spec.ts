// A person steers a meeting that runs: pauses, answers, interrupts, calls, sends away, asks in, and ends it.

import type { Page } from "@playwright/test";
import { test as base, expect, type TestServer, withServer } from "./server";
import { asked, choose, composer, end, MESSAGE_MENU, messages, rail, transcript } from "./table";
import { zh } from "./texts";

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
const panelOf = (page: Page) => page.getByRole("complementary", { name: zh("table.panel.title") });

test("a pause lets the speaker finish, by button and by key, and is taken back", async ({ page, server }) => {
  const id = await open(page, server);
  await expect(transcript(page).getByText(zh("talk.speaking"))).toBeVisible();
  await main(page)
    .getByRole("button", { name: zh("table.next.pause"), exact: true })
    .click();
  await expect(main(page).getByText(zh("table.paused"), { exact: true })).toBeVisible();
  await expect(transcript(page).getByText(zh("talk.paused_by", { name: zh("talk.you") }))).toBeVisible();
  expect((await messages(page)).length).toBeGreaterThan(0);

  await main(page)
    .getByRole("button", { name: zh("table.next.resume"), exact: true })
    .click();
  await expect(main(page).getByText(zh("table.paused"), { exact: true })).toBeHidden();
  await expect(transcript(page).getByText(zh("talk.speaking"))).toBeVisible();

  await transcript(page).focus();
  await page.keyboard.press("p");
  await expect(main(page).getByText(zh("table.will_pause"))).toBeVisible();
  await page.keyboard.press("p");
  await expect(main(page).getByText(zh("table.will_pause"))).toBeHidden();
  await expect(main(page).getByRole("button", { name: zh("table.next.pause"), exact: true })).toBeVisible();

  await choose(page, zh("table.menu.pause_now"));
  await expect(main(page).getByText(zh("table.paused"), { exact: true })).toBeVisible();
  await server.until(id, "paused");
  await page.keyboard.press("p");
  await expect(main(page).getByText(zh("table.paused"), { exact: true })).toBeHidden();
});

test("questions are put aside, come back, and are answered; the rest may stay open", async ({
  page,
  server,
}) => {
  const id = await server.hold({ format: "decision" });
  await server.until(id, "paused");
  await page.goto(`/m/${id}`);
  const questions = asked(page, zh("table.pause.missing_info.title"));
  await questions.getByRole("button", { name: zh("table.ask.do.send") }).click();
  const missing = zh("table.ask.missing", { button: zh("table.ask.rest.skip_all") });
  await expect(questions.getByText(missing).first()).toBeVisible();
  await questions.getByRole("button", { name: zh("table.ask.later") }).click();
  await expect(questions).toBeHidden();
  const waits = page.getByRole("region", { name: zh("table.ask.region") });
  await waits.getByRole("button", { name: zh("table.next.answer") }).click();
  const first = questions.getByRole("textbox").first();
  await first.fill("42");
  await questions.getByRole("button", { name: zh("table.ask.do.send") }).click();
  await expect(questions).toBeHidden();
  await expect(waits).toBeHidden();
  const resumed = zh("talk.resumed", { name: zh("talk.you") });
  const given = transcript(page).locator("[data-index]").filter({ hasText: resumed });
  await expect(given).toContainText("42");
});

test("a word during a ballot warns before, and interrupts it", async ({ page, server }) => {
  const rules = { turns: { blind_round: false, mode: "serial_turn" }, limits: { max_rounds: 5 } };
  await open(page, server, { format: "consensus", rules, seats: 2 });
  const warning = main(page).getByText(zh("talk.interrupts"));
  await composer(page).fill("先别表决，备份怎么做？");
  // A ballot of two lasts a second or two: no polling at intervals here.
  await warning.waitFor({ timeout: 60_000 });
  await composer(page).press("Enter");
  await expect(transcript(page).getByText(zh("talk.ballot_interrupted"))).toBeVisible();
  await expect(warning).toBeHidden();
  await expect(transcript(page).getByText("先别表决，备份怎么做？").first()).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("v");
  await expect(panelOf(page).getByText(zh("panel.votes.interrupted")).first()).toBeVisible();
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
  await expect(
    transcript(page).getByRole("button", { name: zh("talk.message_menu", { name: "林晚" }) }),
  ).toBeVisible({
    timeout: 30_000,
  });

  // Paused, so that no other participant gets the floor during the mention.
  await main(page)
    .getByRole("button", { name: zh("table.next.pause"), exact: true })
    .click();
  await expect(main(page).getByText(zh("table.paused"), { exact: true })).toBeVisible();
  const before = (await messages(page)).map((one) => one.name);
  expect(before).not.toContain("沈川");
  await seat("沈川").getByRole("button").click();
  const card = page.getByRole("dialog", { name: "沈川", exact: true });
  await card.getByRole("button", { name: zh("table.rail.request") }).click();
  await expect(page.getByText(zh("table.rail.requested", { name: "沈川" }))).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(card).toBeHidden();
  await main(page)
    .getByRole("button", { name: zh("table.next.resume"), exact: true })
    .click();
  // The mentioned participant speaks next, out of the order of the seats.
  await expect(
    transcript(page).getByRole("button", { name: zh("talk.message_menu", { name: "沈川" }) }),
  ).toBeVisible({
    timeout: 30_000,
  });
  expect((await messages(page)).map((one) => one.name).slice(0, before.length + 1)).toEqual([
    ...before,
    "沈川",
  ]);
  await transcript(page).press("End");

  await seat("林晚").getByRole("button").click();
  const leaving = page.getByRole("dialog", { name: "林晚", exact: true });
  await leaving.getByRole("button", { name: zh("table.rail.remove") }).click();
  await page
    .getByRole("alertdialog", { name: zh("table.rail.remove_title", { name: "林晚" }) })
    .getByRole("button", { name: zh("table.rail.remove") })
    .click();
  await expect(transcript(page).getByText(`林晚 ${zh("talk.left")}`)).toBeVisible();
  await expect(rail(page).getByText(zh("table.rail.gone", { count: 1 }))).toBeVisible();
  await expect(rail(page).getByText(zh("table.rail.count", { count: 3 }))).toBeVisible();
  expect((await messages(page)).map((one) => one.name)).toContain("林晚");

  await rail(page)
    .getByRole("button", { name: zh("table.rail.add") })
    .click();
  const add = page.getByRole("dialog", { name: zh("dialog.add.title") });
  await add.getByRole("button", { name: zh("dialog.add.sentence") }).click();
  await add.getByRole("textbox", { name: zh("dialog.add.describe") }).fill("一位熟悉数据保护法规的法务");
  await add.getByRole("button", { name: zh("dialog.add.do"), exact: true }).click();
  await expect(add).toBeHidden();
  await expect(rail(page).getByText(zh("table.rail.count", { count: 4 }))).toBeVisible({ timeout: 30_000 });
});

test("minutes are asked for and shown; a point is put on the agenda and taken off again", async ({
  page,
  server,
}) => {
  await open(page, server);
  await expect(transcript(page).getByRole("button", { name: MESSAGE_MENU }).first()).toBeVisible({
    timeout: 30_000,
  });
  const panel = panelOf(page);
  await transcript(page).focus();
  await page.keyboard.press("m");
  await panel.getByRole("button", { name: zh("panel.minutes.request") }).click();
  const request = page.getByRole("dialog", { name: zh("panel.minutes.request") });
  await request.getByRole("textbox", { name: zh("panel.minutes.note") }).fill("重点写风险");
  await request.getByRole("button", { name: zh("panel.minutes.request") }).click();
  await expect(panel.getByText(zh("table.version", { n: 1 }))).toBeVisible({ timeout: 40_000 });
  await expect(panel.getByRole("article")).not.toBeEmpty();
  await expect(transcript(page).getByText(zh("talk.minutes", { version: 1 }))).toBeAttached();

  await transcript(page).focus();
  await page.keyboard.press("a");
  const title = "备份怎么做";
  await panel.getByRole("button", { name: zh("panel.agenda.add") }).click();
  await panel.getByRole("textbox", { name: zh("panel.agenda.title") }).fill(title);
  await panel
    .getByRole("button", { name: zh("panel.agenda.add") })
    .last()
    .click();
  const point = panel.getByRole("checkbox", { name: zh("panel.agenda.done", { title }) });
  await expect(point).toBeVisible();
  await expect(transcript(page).getByText(zh("talk.agenda_added", { title }))).toBeAttached();
  await panel.getByRole("button", { name: zh("panel.agenda.remove", { title }) }).click();
  await expect(point).toBeHidden();
  await page.getByRole("button", { name: zh("table.undo") }).click();
  await expect(point).toBeVisible();
  await point.check();
  await expect(point).toBeChecked();
  await end(page, "够了");
});
