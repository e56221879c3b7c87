// People with seats, in each theme: the invitation, a first answer, a turn, a vote: out/pictures/<look>/seat-<what>.png.

import { join } from "node:path";
import { enter, guarded } from "../browser/guarded";
import { comes, meetingOf, seatLink, turn } from "../browser/seats";
import { test as base, expect, prefer, type TestServer } from "../browser/server";
import { LOOKS, OUT, take } from "./camera";

const test = base.extend<object, { server: TestServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
  server: [({}, use) => guarded(use, "brisk"), { scope: "worker" }],
});

const WORDS = {
  "zh-CN": {
    name: "林客",
    more: "更多操作",
    invite: "邀请与访问",
    seat: "一个席位",
    start: "开始会议",
    submit: "提交回答",
    answer: {
      position: "你的立场",
      claim: "你的论点 1",
      sure: "把握有多大",
      message: "你的发言",
      score: "给草案的分数",
    },
    said: ["先用 SQLite。", "一台机器就够了。", "**备份**要写进结论。"],
  },
  en: {
    name: "Lin",
    more: "More actions",
    invite: "Invitations and access",
    seat: "A seat",
    start: "Start the meeting",
    submit: "Submit answer",
    answer: {
      position: "Your position",
      claim: "Your claims 1",
      sure: "How sure you are",
      message: "Your message",
      score: "Score of the draft",
    },
    said: ["SQLite first.", "One machine is enough.", "**Backups** belong in the conclusion."],
  },
} as const;

test.use({ actionTimeout: 10_000 });

for (const { name: look, language, theme, size } of LOOKS) {
  test(`seats, ${look}`, async ({ page, browser, server }) => {
    const words = WORDS[language];
    const shoot = (of: typeof page, what: string) => take(of, join(OUT, look, `seat-${what}.png`));
    await page.setViewportSize(size);
    await prefer(page, { language, theme });
    await enter(page, server);
    const id = await meetingOf(page, { lang: language === "en" ? "en" : "zh" });
    const link = await seatLink(page, id, language === "en" ? "Operations" : "运维");
    await page.goto(`/m/${id}`);
    await page.getByRole("button", { name: words.more, exact: true }).click();
    await page.getByRole("menuitem", { name: words.invite }).click();
    await page.getByRole("button", { name: words.seat, exact: true }).click();
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
    await page.getByRole("main").getByRole("button", { name: words.start }).click();
    const form = turn(guest);
    const { answer, said } = words;
    await form.getByRole("button", { name: words.submit }).click({ timeout: 60_000 });
    await shoot(guest, "faults");
    await form.getByRole("textbox", { name: answer.position }).fill(said[0]);
    await form.getByRole("textbox", { name: answer.claim }).fill(said[1]);
    await form.getByRole("textbox", { name: answer.sure }).fill("80");
    await shoot(guest, "blind");
    await shoot(page, "blind-owner");
    await form.getByRole("button", { name: words.submit }).click();
    await form.getByRole("textbox", { name: answer.message }).fill(said[2], { timeout: 60_000 });
    await shoot(guest, "turn");
    await form.getByRole("button", { name: words.submit }).click();
    await expect(form.getByRole("textbox", { name: answer.score })).toBeVisible({ timeout: 60_000 });
    await shoot(guest, "vote");
    await leave();
  });
}
