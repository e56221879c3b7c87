// People at a table, in each theme: the rail, a mention, their list; agents that connect, and a webhook with its log:
// out/pictures/<look>/people-<what>.png.

import { join } from "node:path";
import type { Page } from "@playwright/test";
import { asks, enter, guarded } from "../browser/guarded";
import { Receiver } from "../browser/receiver";
import { comes } from "../browser/seats";
import { test as base, expect, prefer, type TestServer } from "../browser/server";
import { anyOf, pattern, texts } from "../browser/texts";
import { LOOKS, OUT, take } from "./camera";

const test = base.extend<object, { server: TestServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
  server: [({}, use) => guarded(use, "brisk"), { scope: "worker" }],
});

const WORDS = {
  "zh-CN": {
    topic: "第一年用 SQLite 还是 PostgreSQL？",
    guest: "林小满🌱",
    long: "阿列克谢·尼古拉耶维奇·托尔斯泰",
    agents: [
      ["评审员", "看代码里的风险。"],
      ["测试员", "找没有覆盖到的情况。"],
    ],
    said: ["大家好，先说备份。", "你怎么看？", "备份要每天做一次，并且每月恢复一次来验证。"],
  },
  en: {
    topic: "SQLite or PostgreSQL for the first year?",
    guest: "Lin Xiaoman 🌱",
    long: "Alexei Nikolayevich Tolstoy-Krandievsky",
    agents: [
      ["reviewer", "Looks for risks in the code."],
      ["tester", "Finds what is not covered."],
    ],
    said: ["Hello, backups first.", "what do you think?", "Back up daily, and restore monthly to make sure."],
  },
} as const;

test.use({ actionTimeout: 10_000 });

/** An agent connects itself, and takes a seat where it is told to. */
async function connects(page: Page, name: string, introduction: string, meeting?: string): Promise<void> {
  const { token } = await asks<{ token: string }>(page, "POST", "/tokens", {
    name,
    agent: name,
    scope: "speak",
  });
  const send = (method: string, path: string, data: object) =>
    page.request.fetch(`${new URL(page.url()).origin}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      data: JSON.stringify(data),
    });
  const profile = {
    introduction,
    role: "QA",
    capabilities: ["Rust", "SQL"],
    language: "zh-CN",
    time_zone: "Asia/Shanghai",
  };
  expect((await send("PUT", "/agents/self", profile)).ok()).toBe(true);
  if (meeting) {
    expect((await send("POST", `/meetings/${meeting}/join`, {})).ok()).toBe(true);
  }
}

for (const { name: look, language, theme, size } of LOOKS) {
  test(`people, ${look}`, async ({ page, browser, server }) => {
    const words = WORDS[language];
    const wording = texts(language);
    const unread = ["shell.mentions_unread", "shell.menu_unread"] as const;
    const names = anyOf(wording("shell.mentions"), ...unread.map((key) => wording(key, { count: 1 })));
    const mentions = pattern`^${names}$`;
    const shoot = (of: Page, what: string, whole = false) =>
      take(of, join(OUT, look, `people-${what}.png`), whole);
    await page.setViewportSize(size);
    await prefer(page, { language, theme });
    await enter(page, server);
    const { id } = await asks<{ id: string }>(page, "POST", "/meetings", {
      topic: words.topic,
      lang: language === "en" ? "en" : "zh",
      format: "room",
      simulate: true,
      seed: 5,
      participants: [
        { name: language === "en" ? "Ada" : "沈括", temperament: "agreeable" },
        { name: "Ben", temperament: "balanced" },
      ],
      rules: { turns: { floor: "host" } },
    });
    const suffix = look === "en" ? "" : ` ${look}`;
    for (const [at, [name, about]] of words.agents.entries()) {
      await connects(page, `${name}${suffix}`, about, at === 0 ? id : undefined);
    }
    await asks(page, "POST", `/meetings/${id}/start`);
    const link = async () =>
      (await asks<{ link: string }>(page, "POST", `/meetings/${id}/invitations`, { scope: "speak" })).link;
    const context = { language, theme, viewport: size, reducedMotion: "reduce" as const };
    const guests = [];
    for (const name of [words.guest, words.long]) {
      const guest = await comes(browser, server, await link(), name, context);
      await asks(guest.page, "PUT", `/meetings/${id}/people/self`);
      guests.push(guest);
    }
    const lin = guests[0]?.page as Page;
    await asks(guests[1]?.page as Page, "PUT", "/me/presence", { presence: "busy" });
    const say = (by: Page, content: string) => asks(by, "POST", `/meetings/${id}/messages`, { content });
    await say(page, words.said[0]);
    await say(page, `@"${words.guest}" ${words.said[1]}`);
    await say(lin, words.said[2]);
    await page.goto(`/m/${id}`);
    await page.getByRole("button", { name: wording("table.ask.later") }).click();
    await expect(page.getByText(words.said[2])).toBeVisible();
    await shoot(page, "owner");
    if (size.width < 768) {
      await page
        .getByRole("button", { name: wording("talk.tab_rail") })
        .first()
        .click();
      await shoot(page, "rail");
    }
    await lin.reload();
    await expect(lin.locator("[data-mention]")).toBeVisible();
    await shoot(lin, "mention");
    // Another one, while they are elsewhere.
    await lin.goto("about:blank");
    await say(page, `@"${words.guest}" ${words.said[1]}`);
    await lin.goto(`${server.url}/m/${id}/replay`);
    await lin.getByRole("button", { name: mentions }).first().click();
    if (size.width < 768) {
      await expect(lin.getByRole("dialog").getByRole("button", { name: mentions })).toBeVisible();
      await shoot(lin, "menu");
      await lin.getByRole("button", { name: mentions }).last().click();
    }
    await expect(lin.getByRole("dialog").getByRole("listitem").first()).toBeVisible();
    await shoot(lin, "mentions");

    await page.goto("/settings/connect");
    await shoot(page, "connect", true);
    for (const guest of guests) {
      await guest.leave();
    }
  });
}

for (const { name: look, language, theme, size } of LOOKS) {
  test(`webhooks, ${look}`, async ({ page, own }) => {
    await page.setViewportSize(size);
    await prefer(page, { language, theme });
    const receiver = new Receiver();
    await receiver.start();
    const { id } = await own.ask<{ id: string }>("POST", "/webhooks", {
      url: receiver.url,
      events: ["user_message", "agent_message"],
    });
    await own.ask("POST", `/webhooks/${id}/test`);
    receiver.status = 503;
    await own.ask("POST", `/webhooks/${id}/test`);
    const meeting = await own.hold({ topic: WORDS[language].topic }, false);
    await own.ask("POST", `/meetings/${meeting}/messages`, { content: WORDS[language].said[0] });
    await expect.poll(() => receiver.received.length).toBeGreaterThan(2);
    await page.goto(`${own.url}/settings/webhooks`);
    await page
      .getByRole("button", { name: texts(language)("settings.webhooks.log") })
      .first()
      .click();
    await expect(page.getByText("HTTP 503").first()).toBeVisible();
    await take(page, join(OUT, look, "people-webhooks.png"), true);
    receiver.end();
  });
}
