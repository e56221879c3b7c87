// People at one table, each in a browser of their own: they come, are mentioned, host and leave; and who looks elsewhere
// is told, and finds it later.

import type { Browser } from "@playwright/test";
import { expectOpenToAll } from "./accessibility";
import { asks, enter, guarded } from "./guarded";
import { comes } from "./seats";
import { test as base, expect, type Page, type TestServer } from "./server";
import { composer, rail, transcript } from "./table";
import { anyOf, pattern, zh } from "./texts";

const test = base.extend<object, { server: TestServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
  server: [({}, use) => guarded(use, "brisk"), { scope: "worker" }],
});
test.use({ actionTimeout: 10_000, contextOptions: { reducedMotion: "reduce" } });

const TOPIC = "第一年用 SQLite 还是 PostgreSQL？";
const GUEST = "林小满🌱";
/** How the server names a person who has no name. */
const UNNAMED = zh.message("records-user");

/** A room in which only the host gives the floor, so that it is quiet while people talk. */
async function roomOf(page: Page): Promise<string> {
  const made = await asks<{ id: string }>(page, "POST", "/meetings", {
    topic: TOPIC,
    lang: "zh",
    format: "room",
    simulate: true,
    seed: 5,
    participants: [
      { name: "沈括", temperament: "agreeable" },
      { name: "Ada", temperament: "balanced" },
    ],
    rules: { turns: { floor: "host" } },
  });
  await asks(page, "POST", `/meetings/${made.id}/start`);
  return made.id;
}

/** Whoever is asked for the host's word answers later. */
async function answersLater(page: Page): Promise<void> {
  await page.addLocatorHandler(hostAsked(page), () => later(page).click());
}

const hostAsked = (page: Page) => page.getByRole("dialog", { name: zh("table.pause.awaiting_host.title") });
const later = (page: Page) => hostAsked(page).getByRole("button", { name: zh("table.ask.later") });

/** The host opens the meeting and puts the question aside: it comes a moment after the page, and would take the first keys. */
async function opens(page: Page, id: string): Promise<void> {
  await page.goto(`/m/${id}`);
  await later(page).click();
  await expect(hostAsked(page)).toHaveCount(0);
  await answersLater(page);
}

/** The path of a link that lets a guest speak. */
async function speakLink(page: Page, id: string): Promise<string> {
  return (await asks<{ link: string }>(page, "POST", `/meetings/${id}/invitations`, { scope: "speak" })).link;
}

/** From the next page on, the tab can be put in the background, and notifications are written down. */
async function watchNotices(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const away = { hidden: false, shown: [] as string[], closed: [] as string[] };
    Object.assign(window, { away });
    Object.defineProperty(document, "visibilityState", { get: () => (away.hidden ? "hidden" : "visible") });
    document.hasFocus = () => !away.hidden;
    window.Notification = class extends EventTarget {
      static permission = "granted";
      static requestPermission = async () => "granted";
      onclick: (() => void) | null = null;
      constructor(
        readonly title: string,
        readonly options: NotificationOptions,
      ) {
        super();
        away.shown.push(`${title} | ${options.body}`);
      }
      close() {
        away.closed.push(this.title);
      }
    } as unknown as typeof Notification;
  });
  await page.reload();
}

/** Puts the tab in the background, or back in front. */
async function look(page: Page, there: boolean): Promise<void> {
  await page.evaluate((hidden) => {
    Object.assign(Reflect.get(window, "away"), { hidden });
    document.dispatchEvent(new Event("visibilitychange"));
  }, !there);
}

function noticesOf(page: Page, which: "shown" | "closed"): Promise<string[]> {
  return page.evaluate((list) => Reflect.get(Reflect.get(window, "away"), list) as string[], which);
}

/** Says something by the composer. */
async function says(page: Page, words: string): Promise<void> {
  await composer(page).fill(words);
  await composer(page).press("Control+Enter");
  await expect(composer(page)).toHaveValue("");
}

function row(page: Page, name: string) {
  return rail(page).getByRole("listitem").filter({ hasText: name });
}

/** The names of the button of mentions: with and without what is unread. */
const READ = zh("shell.mentions");
const UNREAD = zh("shell.mentions_unread", { count: 1 });
const mentions = (page: Page) => page.getByRole("button", { name: pattern`^${anyOf(READ, UNREAD)}$` });

test("two people come, see each other, mention, hand over and leave", async ({ page, browser, server }) => {
  test.slow();
  await enter(page, server);
  const id = await roomOf(page);
  await opens(page, id);
  const guest = await comes(browser, server, await speakLink(page, id), GUEST, {
    permissions: ["notifications"],
  });
  const { page: lin } = guest;
  await answersLater(lin);
  await watchNotices(lin);

  await expect(transcript(page).getByText(`${GUEST} ${zh("talk.arrived")}`)).toBeVisible();
  await expect(row(page, GUEST)).toContainText(zh("table.people.online"));
  await expect(row(lin, GUEST)).toContainText(zh("talk.you"));
  await says(page, "大家好。");
  await expect(row(lin, UNNAMED)).toContainText(zh("table.rail.host"));
  await expectOpenToAll(page, "people in the rail");

  // Who looks elsewhere is told once, in the title and by a notification; who said it is not.
  await look(lin, false);
  await composer(page).pressSequentially("@林");
  await page.getByRole("option", { name: new RegExp(GUEST) }).click();
  await composer(page).pressSequentially("你怎么看？");
  await composer(page).press("Control+Enter");
  await expect.poll(() => noticesOf(lin, "shown")).toEqual([expect.stringContaining(TOPIC)]);
  const [notice = ""] = await noticesOf(lin, "shown");
  expect(notice).toMatch(zh.like("shell.mention_notice", { topic: TOPIC }));
  expect(notice).toContain(`@${GUEST}`);
  await expect(lin).toHaveTitle(`(1) ${TOPIC} · ${zh("shell.name")}`);
  await expect(mentions(lin)).toHaveAccessibleName(UNREAD);
  const marked = transcript(lin).locator("[data-mention]");
  await expect(marked).toContainText(zh("talk.mentions_you"));
  await expect(transcript(page).locator("[data-mention]")).toHaveCount(0);
  await expect(mentions(page)).toHaveAccessibleName(READ);

  // Once it was looked at, it is read.
  await look(lin, true);
  await expect(lin).toHaveTitle(`${TOPIC} · ${zh("shell.name")}`);
  await expect(mentions(lin)).toHaveAccessibleName(READ);
  await expect.poll(() => noticesOf(lin, "closed")).toHaveLength(1);
  await expectOpenToAll(lin, "a message that mentions the reader");
  // What was said before the page is opened notifies nobody, and their own words neither.
  await lin.reload();
  await expect(marked).toBeVisible();
  await look(lin, false);
  await says(lin, `我是 @${GUEST}，先用 SQLite。`);
  await says(page, "好的。");
  await expect(transcript(lin).getByText("好的。")).toBeAttached();
  expect(await noticesOf(lin, "shown")).toEqual([]);
  await expect(marked).toHaveCount(1);
  await look(lin, true);

  await row(page, GUEST)
    .getByRole("button", { name: zh("table.people.hand_over", { name: GUEST }) })
    .click();
  await page
    .getByRole("alertdialog")
    .getByRole("button", { name: zh("table.people.hand_over_action") })
    .click();
  await expect(transcript(page).getByText(zh.like("talk.host_changed", { name: GUEST }))).toBeVisible();
  await expect(
    transcript(lin).getByText(zh.like("talk.host_changed", { name: zh("talk.you_too") })),
  ).toBeVisible();
  await expect(row(page, GUEST)).toContainText(zh("table.rail.host"));
  await asks(lin, "PUT", "/me/presence", { presence: "busy" });
  await page.reload();
  await expect(row(page, GUEST)).toContainText(zh("table.people.busy"));

  for (const format of ["md", "html", "json"]) {
    const exported = await page.request.get(`${server.url}/api/v1/meetings/${id}/export?format=${format}`);
    const text = await exported.text();
    expect(
      text.split(GUEST).length,
      `${format}: what the guest said, and where they were mentioned`,
    ).toBeGreaterThan(2);
    expect(text, format).toContain(UNNAMED);
  }
  await rail(lin)
    .getByRole("button", { name: zh("table.people.leave") })
    .click();
  await expect(transcript(page).getByText(`${GUEST} ${zh("talk.departed")}`)).toBeVisible();
  // They have left the table, and still read along.
  await expect(row(page, GUEST)).toContainText(zh("table.people.listening"));
  await guest.leave();
});

/** A second account, in a browser of its own. */
async function account(browser: Browser, owner: Page, server: TestServer, name: string) {
  const password = "another walk by the river";
  await asks(owner, "POST", "/accounts", { name, password, scope: "speak" });
  const elsewhere = await browser.newContext({ locale: "zh-CN", baseURL: server.url });
  const page = await elsewhere.newPage();
  await answersLater(page);
  await page.goto("/sign-in");
  await asks(page, "POST", "/sessions", { name, password });
  await page.goto("/");
  return { page, leave: () => elsewhere.close() };
}

test("who was not there finds the message that mentions them", async ({ page, browser, server }) => {
  await enter(page, server);
  const id = await roomOf(page);
  const fang = await account(browser, page, server, "王芳");
  await asks(fang.page, "PUT", `/meetings/${id}/people/self`);
  await opens(page, id);
  await says(page, "@王芳 备份放在哪里？");
  await expect(transcript(page).getByText("备份放在哪里？")).toBeVisible();
  await fang.page.reload();
  await expect(mentions(fang.page)).toHaveAccessibleName(UNREAD);
  await mentions(fang.page).click();
  const list = fang.page.getByRole("dialog", { name: zh("dialog.mentions.title") });
  await expect(list.getByRole("listitem")).toContainText("@王芳 备份放在哪里？");
  await expectOpenToAll(fang.page, "the list of mentions");
  await list.getByRole("link", { name: TOPIC }).click();
  await expect(fang.page).toHaveURL(new RegExp(`/m/${id}\\?at=\\d+$`));
  await expect(list).toHaveCount(0);
  await expect(transcript(fang.page).locator("[data-mention]")).toContainText("备份放在哪里？");
  await expect(mentions(fang.page)).toHaveAccessibleName(READ);
  // On a phone, the menu's button says it. What comes while they look at the meeting is read at once.
  await fang.page.goto("/meetings");
  await says(page, "@王芳 还有，密钥呢？");
  await expect(transcript(page).getByText("还有，密钥呢？")).toBeVisible();
  await fang.page.reload();
  await fang.page.setViewportSize({ width: 390, height: 844 });
  await fang.page.getByRole("button", { name: zh("shell.menu_unread", { count: 1 }) }).click();
  await mentions(fang.page).click();
  await list.getByRole("button", { name: zh("dialog.mentions.read_all") }).click();
  await expect(list.getByRole("button", { name: zh("dialog.mentions.read_all") })).toHaveCount(0);
  await expect(list.getByRole("listitem")).toHaveCount(2);
  await fang.leave();
});
