// People with seats: a meeting that asks them, the link that seats a guest, and the form in which a turn is answered.

import type { Browser, BrowserContextOptions, Locator, Page } from "@playwright/test";
import { asks } from "./guarded";
import { expect, prefer, type TestServer } from "./server";
import { texts, zh } from "./texts";

/** The topic of a meeting in Chinese. */
export const TOPIC = "第一年用 SQLite 还是 PostgreSQL？";

/** A guest with a browser of their own. */
export interface Guest {
  page: Page;
  /** Closes the browser. */
  leave: () => Promise<void>;
}

/** A draft with two simulated participants: one blind round, one round of talk, and a ballot. */
export async function meetingOf(
  page: Page,
  more: { turns?: object; rules?: object; lang?: "zh" | "en" } = {},
): Promise<string> {
  const { turns, rules, lang = "zh" } = more;
  const made = await asks<{ id: string }>(page, "POST", "/meetings", {
    topic: lang === "en" ? "SQLite or PostgreSQL for the first year?" : TOPIC,
    lang,
    format: "consensus",
    simulate: true,
    seed: 5,
    participants: [
      { name: "沈括", temperament: "agreeable" },
      { name: "Ada", temperament: "balanced" },
    ],
    rules: { turns: { may_skip: true, order: "sequential", ...turns }, limits: { max_rounds: 1 }, ...rules },
  });
  return made.id;
}

/** The path of a link that gives a seat. */
export async function seatLink(page: Page, id: string, role: string): Promise<string> {
  const body = { scope: "speak", seat: { role } };
  return (await asks<{ link: string }>(page, "POST", `/meetings/${id}/invitations`, body)).link;
}

interface Look extends BrowserContextOptions {
  language?: "zh-CN" | "en";
  theme?: "light" | "dark";
}

/** A guest takes the link under a name, in a browser of their own. */
export async function comes(
  browser: Browser,
  server: TestServer,
  link: string,
  name: string,
  { language = "zh-CN", theme = "light", ...context }: Look = {},
): Promise<Guest> {
  const elsewhere = await browser.newContext({ locale: language, baseURL: server.url, ...context });
  const page = await elsewhere.newPage();
  await prefer(page, { language, theme });
  const say = texts(language);
  await page.goto(link);
  await page.getByRole("textbox", { name: say("join.name") }).fill(name);
  await page.getByRole("button", { name: say("join.do") }).click();
  await expect(page).toHaveURL(/\/m\//);
  return { page, leave: () => elsewhere.close() };
}

/** The form of the turn that waits for this user. */
export function turn(page: Page): Locator {
  return page.getByTestId("own-turn");
}

/** The field of the first claim. */
export const CLAIM = zh("turn.item", { label: zh("turn.field.claims"), n: 1 });

/** Fills in the fields of a first answer. */
export async function fillBlind(page: Page, position: string, claim: string): Promise<void> {
  const form = turn(page);
  await form.getByRole("textbox", { name: zh("turn.field.position") }).fill(position);
  await form.getByRole("textbox", { name: CLAIM }).fill(claim);
  await form.getByRole("textbox", { name: zh("turn.field.confidence") }).fill("80");
}
