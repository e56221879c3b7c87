// Every page is accessible: axe finds nothing, light or dark, wide or on a phone.

import { expectOpenToAll, settled } from "./accessibility";
import { expect, type Page, type TestServer, test } from "./server";
import { anyOf, pattern, zh } from "./texts";

test.use({ contextOptions: { reducedMotion: "reduce" }, actionTimeout: 10_000, trace: "off" });

const PARTS = [
  "general",
  "sessions",
  "providers",
  "tokens",
  "connect",
  "webhooks",
  "nodes",
  "accounts",
  "server",
  "audit",
  "about",
];
const TABS = ["health", "votes", "draft", "agenda", "minutes", "artifacts", "cost", "hidden"] as const;

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await settled(page);
}

/** A meeting that is over, with votes, marks, minutes and artifacts. */
async function over(server: TestServer): Promise<string> {
  const id = await server.hold({
    topic: "要不要把单体拆成微服务？",
    rules: {
      turns: { answer: "structured" },
      roster: { evaluate: true },
      context: { private_memory: true },
      closing: { artifacts: ["ADR", "TASKS", "RISKS", "MINUTES"] },
      limits: { max_rounds: 3 },
    },
  });
  await server.until(id, "ended");
  return id;
}

test("a server in which nothing has happened yet", async ({ page, own }) => {
  for (const address of ["/", "/meetings", "/agents"]) {
    await open(page, own.url + address);
    await expectOpenToAll(page, `empty ${address}`);
  }
});

test("home, the list of meetings, and what a search finds", async ({ page, server }) => {
  const id = await over(server);
  await open(page, "/");
  await expect(page.getByRole("link", { name: /微服务/ }).first()).toBeVisible();
  await expectOpenToAll(page, "home");
  await open(page, "/meetings");
  await expect(page.locator(`a[href="/m/${id}/result"], a[href="/m/${id}"]`).first()).toBeVisible();
  await expectOpenToAll(page, "meetings");
  await open(page, "/meetings?in=text&q=微服务");
  await expect(page.locator("main mark").first()).toBeVisible();
  await expectOpenToAll(page, "search");
});

test("a new meeting, also with every rule in sight", async ({ page }) => {
  await open(page, "/new");
  await expectOpenToAll(page, "new");
  await page.getByRole("button", { name: pattern`^${zh("create.rules.section")}` }).click();
  await page.getByRole("button", { name: zh("create.rules.expert") }).click();
  const search = zh("create.rules.search");
  await expect(page.getByPlaceholder(search).or(page.getByLabel(search)).first()).toBeVisible();
  await expectOpenToAll(page, "new, all rules");
});

test("a meeting that runs, and the windows that it asks in", async ({ page, own: server }) => {
  await server.kill();
  await server.start("--pace", "live");
  const id = await server.hold({}, false);
  await open(page, `${server.url}/m/${id}`);
  await expectOpenToAll(page, "draft");
  await page
    .getByRole("main")
    .getByRole("button", { name: zh("talk.start") })
    .click();
  await expect(page.getByRole("log", { name: zh("talk.transcript") })).toBeVisible();
  await expect(page.getByRole("button", { name: zh("table.next.pause"), exact: true })).toBeVisible();
  await expectOpenToAll(page, "live");
  const asks = await server.hold({ rules: { intake: { when: "start" } } });
  await server.until(asks, "paused");
  await open(page, `${server.url}/m/${asks}`);
  await expect(page.getByRole("dialog", { name: zh("table.pause.missing_info.title") })).toBeVisible();
  await expectOpenToAll(page, "questions");
  await page.getByRole("button", { name: zh("table.ask.later") }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
  await expectOpenToAll(page, "paused");
});

test("a meeting that is over, with each tab beside it, its result and its replay", async ({
  page,
  server,
}) => {
  test.slow();
  const id = await over(server);
  await open(page, `/m/${id}`);
  for (const tab of TABS) {
    const name = pattern`^${zh(`table.panel.${tab}`)}`;
    const inRow = page.getByRole("tab", { name });
    if ((await inRow.count()) === 0) {
      await page.getByRole("button", { name: zh("ui.more"), exact: true }).click();
      await page.getByRole("menuitem", { name }).click();
    }
    await inRow.click();
    await settled(page);
    const hidden = page.getByRole("button", {
      name: pattern`^${anyOf(zh("panel.hidden.show_marks"), zh("panel.hidden.show_notes"))}$`,
    });
    while ((await hidden.count()) > 0) {
      await hidden.first().click();
    }
    await expectOpenToAll(page, tab);
  }
  await open(page, `/m/${id}/result`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expectOpenToAll(page, "result");
  await open(page, `/m/${id}/replay`);
  await expect(page.getByRole("button", { name: zh("replay.play") })).toBeVisible();
  await expectOpenToAll(page, "replay");
});

test("agents, their form, and every part of the settings", async ({ page, server }) => {
  test.slow();
  await open(page, "/agents/new");
  await expectOpenToAll(page, "agent's form");
  await server.ask("POST", "/agents", {
    name: "阿岚",
    role: "架构师",
    description: "看边界和最难改回来的决定。",
    temperament: "balanced",
  });
  await open(page, "/agents");
  await expectOpenToAll(page, "agents");
  for (const part of PARTS) {
    await open(page, `/settings/${part}`);
    await expectOpenToAll(page, part);
  }
});

test("the ways in, and what is opened over a page", async ({ page }) => {
  await open(page, "/sign-in");
  await expectOpenToAll(page, "sign in");
  await open(page, "/join/somebody");
  await expectOpenToAll(page, "join");
  await open(page, "/nothing-here");
  await expectOpenToAll(page, "missing");
  await open(page, "/");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog", { name: zh("shell.palette") })).toBeVisible();
  await expectOpenToAll(page, "palette");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.getByRole("button", { name: zh("shell.shortcuts") }).click();
  await expect(page.getByRole("dialog", { name: zh("keys.title") })).toBeVisible();
  await expectOpenToAll(page, "help");
});

test("on a phone", async ({ page, server }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const id = await over(server);
  for (const address of ["/", "/new", `/m/${id}`]) {
    await open(page, address);
    await expectOpenToAll(page, `phone ${address}`);
    const [width, room] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    expect.soft(width, `${address} scrolls sideways`).toBeLessThanOrEqual(room ?? 0);
  }
  await page
    .getByRole("navigation", { name: zh("talk.views") })
    .getByRole("button", { name: zh("talk.tab_panel") })
    .click();
  await expectOpenToAll(page, "phone, panel");
  await page.keyboard.press("Escape");
  for (const address of [`/m/${id}`, `/m/${id}/replay`, `/m/${id}/result`, "/m/nothing-here"]) {
    await open(page, address);
    await page.getByRole("button", { name: zh("shell.menu") }).click();
    const menu = page.getByRole("dialog", { name: zh("shell.name") });
    await expect(menu.getByRole("link", { name: zh("shell.home") }), address).toBeVisible();
    await expectOpenToAll(page, `phone, menu at ${address}`);
  }
});
