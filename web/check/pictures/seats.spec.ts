// People with seats, in each theme: the invitation, a first answer, a turn, a vote: out/pictures/<look>/seat-<what>.png.

import { join } from "node:path";
import { enter, guarded } from "../browser/guarded";
import { comes, meetingOf, seatLink, turn } from "../browser/seats";
import { test as base, expect, prefer, type TestServer } from "../browser/server";
import { texts } from "../browser/texts";
import { LOOKS, OUT, take } from "./camera";

const test = base.extend<object, { server: TestServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
  server: [({}, use) => guarded(use, "brisk"), { scope: "worker" }],
});

const WORDS = {
  "zh-CN": {
    name: "林客",
    said: ["先用 SQLite。", "一台机器就够了。", "**备份**要写进结论。"],
  },
  en: {
    name: "Lin",
    said: ["SQLite first.", "One machine is enough.", "**Backups** belong in the conclusion."],
  },
} as const;

test.use({ actionTimeout: 10_000 });

for (const { name: look, language, theme, size } of LOOKS) {
  test(`seats, ${look}`, async ({ page, browser, server }) => {
    const say = texts(language);
    const words = WORDS[language];
    const shoot = (of: typeof page, what: string) => take(of, join(OUT, look, `seat-${what}.png`));
    await page.setViewportSize(size);
    await prefer(page, { language, theme });
    await enter(page, server);
    const id = await meetingOf(page, { lang: language === "en" ? "en" : "zh" });
    const link = await seatLink(page, id, language === "en" ? "Operations" : "运维");
    await page.goto(`/m/${id}`);
    await page.getByRole("button", { name: say("table.menu.title"), exact: true }).click();
    await page.getByRole("menuitem", { name: say("table.menu.invite") }).click();
    await page.getByRole("button", { name: say("join.offers_seat"), exact: true }).click();
    await shoot(page, "invitation");
    await page.goto(`/m/${id}`);
    const { page: guest, leave } = await comes(browser, server, link, words.name, {
      language,
      theme,
      viewport: size,
      reducedMotion: "reduce",
    });
    await expect(guest.getByRole("heading", { name: /SQLite/ }).last()).toBeVisible();
    await shoot(guest, "draft");
    await page
      .getByRole("main")
      .getByRole("button", { name: say("talk.start") })
      .click();
    const form = turn(guest);
    const { said } = words;
    await form.getByRole("button", { name: say("turn.hand_in") }).click({ timeout: 60_000 });
    await shoot(guest, "faults");
    await form.getByRole("textbox", { name: say("turn.field.position") }).fill(said[0]);
    await form
      .getByRole("textbox", { name: say("turn.item", { label: say("turn.field.claims"), n: 1 }) })
      .fill(said[1]);
    await form.getByRole("textbox", { name: say("turn.field.confidence") }).fill("80");
    await shoot(guest, "blind");
    await shoot(page, "blind-owner");
    await form.getByRole("button", { name: say("turn.hand_in") }).click();
    await form.getByRole("textbox", { name: say("turn.words") }).fill(said[2], { timeout: 60_000 });
    await shoot(guest, "turn");
    await form.getByRole("button", { name: say("turn.hand_in") }).click();
    await expect(form.getByRole("textbox", { name: say("turn.field.score") })).toBeVisible({
      timeout: 60_000,
    });
    await shoot(guest, "vote");
    await leave();
  });
}
