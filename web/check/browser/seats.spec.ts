// People with seats: a guest is invited to one, answers, votes, is late, skips, and gives it up.

import { expectOpenToAll } from "./accessibility";
import { asks, enter, guarded } from "./guarded";
import { CLAIM, comes, fillBlind, type Guest, meetingOf, seatLink, TOPIC, turn } from "./seats";
import { test as base, expect, type Page, type TestServer } from "./server";
import { composer, over, rail, transcript } from "./table";
import { anyOf, en, pattern, zh } from "./texts";

const test = base.extend<object, { server: TestServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
  server: [({}, use) => guarded(use, "brisk"), { scope: "worker" }],
});
test.use({ actionTimeout: 10_000, contextOptions: { reducedMotion: "reduce" } });

const ANSWERED = zh("talk.blind_answer");

/** The owner starts the meeting that is open. */
async function start(page: Page): Promise<void> {
  await page
    .getByRole("main")
    .getByRole("button", { name: zh("talk.start") })
    .click();
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
  await page.getByRole("button", { name: zh("table.menu.title") }).click();
  await page.getByRole("menuitem", { name: zh("table.menu.invite") }).click();
  const dialog = page.getByRole("dialog", { name: zh("join.invite_title") });
  await dialog.getByRole("button", { name: zh("join.offers_seat") }).click();
  await dialog.getByRole("textbox", { name: zh("join.seat_role") }).fill("运维");
  await expectOpenToAll(page, "invitation to a seat");
  await dialog.getByRole("button", { name: zh("join.make_link") }).click();
  const link = await dialog.getByRole("textbox", { name: zh("join.link_made") }).inputValue();
  const links = dialog.getByRole("list", { name: zh("join.open_links") });
  await expect(links).toContainText(zh("join.seat_as", { role: "运维" }));
  await page.keyboard.press("Escape");

  const guest = await comes(browser, server, link, "林客");
  const lin = guest.page;
  await expect(lin.getByText(zh("join.seated", { name: "林客" }))).toBeVisible();
  await expect(lin.getByText(zh("turn.waits_start", { name: "林客" }))).toBeVisible();
  const row = rail(page).getByRole("listitem").filter({ hasText: "林客" });
  await expect(row).toContainText(zh("table.people.online"));
  await expectOpenToAll(lin, "a guest waits for the start");

  await start(page);
  await expect(turn(lin)).toBeVisible();
  await expect(turn(lin)).toHaveAccessibleName(zh("turn.yours"));
  await expect(lin).toHaveTitle(pattern`^${zh("talk.turn_title", { topic: TOPIC })}`);
  await expect(row).toContainText(zh("table.rail.asked", { name: "林客" }));
  // The end of the talk stays in sight above the form.
  await expect(transcript(lin).getByText(zh("table.rail.asked_you"))).toBeInViewport();
  // What the others say is not on the guest's page, in no part of it.
  await expect(lin.getByText(ANSWERED)).toHaveCount(2);
  await expect(lin.getByRole("tabpanel").getByText(zh.message("app-blind-round"))).toBeVisible();
  await expect(lin.getByRole("alert")).toHaveCount(0);
  await turn(lin)
    .getByRole("button", { name: zh("turn.hand_in") })
    .click();
  await expect(turn(lin).getByRole("alert")).toHaveText(zh("turn.faults", { count: 3 }));
  await expect(turn(lin).getByRole("textbox", { name: zh("turn.field.position") })).toBeFocused();
  await expectOpenToAll(lin, "a first answer with faults");
  await fillBlind(lin, "先用 SQLite", "一台机器就够了");
  await expect(turn(lin).getByRole("alert")).toHaveCount(0);
  await lin.reload();
  await expect(turn(lin).getByRole("textbox", { name: CLAIM })).toHaveValue("一台机器就够了");
  await turn(lin)
    .getByRole("button", { name: zh("turn.hand_in") })
    .click();
  await expect(lin.getByText(ANSWERED)).toHaveCount(0);
  await expect(transcript(page).getByText("一台机器就够了").first()).toBeVisible();

  const words = turn(lin).getByRole("textbox", { name: zh("turn.words") });
  await expect(words).toBeVisible({ timeout: 60_000 });
  await expectOpenToAll(lin, "a turn in words");
  await words.fill("我们只有一台机器，**备份**最重要。");
  await words.press("Control+Enter");
  await expect(transcript(page).getByText("备份").first()).toBeVisible();

  await expect(turn(lin)).toHaveAccessibleName(zh("turn.yours_vote"), { timeout: 60_000 });
  await expect(lin.getByRole("button", { name: pattern`${zh.like("talk.fresh")}$` })).toHaveCount(0);
  await expectOpenToAll(lin, "a vote");
  await turn(lin)
    .getByRole("textbox", { name: zh("turn.field.score") })
    .fill("90");
  await turn(lin)
    .getByRole("button", { name: zh("turn.yes"), exact: true })
    .click();
  await turn(lin)
    .getByRole("textbox", { name: zh("turn.field.reason") })
    .fill("够用，也容易换。");
  await turn(lin)
    .getByRole("button", { name: zh("turn.hand_in") })
    .click();
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
  await expect(turn(grace)).toHaveAccessibleName(en("turn.yours"));
  await expectOpenToAll(grace, "a first answer on a phone");
  const [width, room] = await grace.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(width, "nothing scrolls sideways").toBeLessThanOrEqual(room ?? 0);
  const form = turn(grace);
  await form.getByRole("textbox", { name: en("turn.field.position") }).fill("SQLite");
  await form
    .getByRole("textbox", { name: en("turn.item", { label: en("turn.field.claims"), n: 1 }) })
    .fill("One machine is enough");
  await form.getByRole("textbox", { name: en("turn.field.confidence") }).fill("70");
  await form.getByRole("button", { name: en("turn.hand_in") }).click();
  await expect(form.getByRole("textbox", { name: en("turn.words") })).toBeVisible({ timeout: 60_000 });
  await form.getByRole("button", { name: en("turn.skip") }).click();
  await expect(form).toHaveAccessibleName(en("turn.yours_vote"), { timeout: 60_000 });
  await expectOpenToAll(grace, "a vote on a phone");
  await form.getByRole("textbox", { name: en("turn.field.score") }).fill("40");
  await form.getByRole("button", { name: en("turn.no"), exact: true }).click();
  await form.getByRole("textbox", { name: en("turn.field.reason") }).fill("No backups yet.");
  await form.getByRole("button", { name: en("turn.hand_in") }).click();
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
  await expect(turn(late).getByRole("heading", { name: zh("turn.yours") })).toBeFocused();
  await expect(turn(late).getByRole("timer")).toContainText(
    zh.like("turn.left", { span: zh.like("shell.seconds", { n: /\d+/ }) }),
  );
  await expect(
    turn(late).getByText(zh("turn.left_soon", { span: zh("shell.seconds", { n: 30 }) })),
  ).toBeAttached();
  await turn(late)
    .getByRole("textbox", { name: zh("turn.words") })
    .fill("我来晚了，但备份要写进结论。");
  const alert = late.getByRole("alert").filter({ hasText: zh("turn.over_kept") });
  await expect(alert).toContainText("备份要写进结论", { timeout: 30_000 });
  await expect(composer(late)).toHaveValue("开会之前写的半句");
  await composer(late).fill("");
  await alert.getByRole("button", { name: zh("turn.to_message") }).click();
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
  await expect(again.getByText(anyOf(zh("turn.over"), zh("turn.over_kept")))).toHaveCount(0);
  await expect(turn(again).getByRole("textbox", { name: zh("turn.field.position") })).toHaveValue(
    "先用 SQLite",
  );
  await turn(again)
    .getByRole("button", { name: zh("turn.hand_in") })
    .click();
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
  await expect(away.getByText(zh("turn.waits_start", { name: "远客" }))).toBeVisible();
  await expect(away.getByRole("button", { name: zh("turn.notify_me") })).toHaveCount(0);
  expect(await away.evaluate(() => [Notification.permission, isSecureContext])).toEqual(["granted", true]);
  await start(page);
  await expect(turn(away)).toBeAttached();
  const told = (name: "shown" | "closed") =>
    away.evaluate((list) => Reflect.get(Reflect.get(window, "notices"), list) as string[], name);
  await expect
    .poll(() => told("shown"))
    .toEqual([expect.stringMatching(pattern`^${zh.like("turn.notice", { topic: TOPIC })}$`)]);
  await fillBlind(away, "先用 SQLite", "一台机器就够了");
  await turn(away)
    .getByRole("button", { name: zh("turn.hand_in") })
    .click();
  const [first] = await told("shown");
  await expect.poll(() => told("closed")).toContain(first);
  await guest.leave();
});

test("the owner takes a seat and gives it up", async ({ page, server }) => {
  await enter(page, server);
  // At a reader's pace, so that the meeting is not over at once without the owner.
  const id = await meetingOf(page, { turns: { pace: "live" } });
  await page.goto(`/m/${id}`);
  await rail(page)
    .getByRole("button", { name: zh("table.rail.take_seat") })
    .click();
  const dialog = page.getByRole("dialog", { name: zh("dialog.seat.title") });
  await dialog.getByRole("textbox", { name: zh("dialog.seat.name") }).fill("老周");
  await dialog.getByRole("textbox", { name: zh("dialog.seat.role") }).fill("负责人");
  await expectOpenToAll(page, "taking a seat");
  await dialog.getByRole("button", { name: zh("table.rail.take_seat") }).click();
  const row = rail(page).getByRole("listitem").filter({ hasText: "老周" });
  await expect(row).toContainText(zh("talk.you"));
  await expect(page.getByText(zh("turn.waits_start", { name: "老周" }))).toBeVisible();
  await start(page);
  await expect(turn(page)).toBeVisible();
  await row.getByRole("button").click();
  await page.getByRole("button", { name: zh("table.rail.give_up"), exact: true }).click();
  await page
    .getByRole("alertdialog", { name: zh("table.rail.give_up_title") })
    .getByRole("button", { name: zh("table.rail.give_up") })
    .click();
  await expect(turn(page)).toHaveCount(0);
  await expect(composer(page)).toBeVisible();
  await expect(row).toHaveCount(0);
});
