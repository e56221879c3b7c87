// A meeting's table as a person uses it: its parts by name, its questions, and all that its transcript says.

import { expect, type Locator, type Page } from "@playwright/test";
import { pattern, zh } from "./texts";

/** The name of the button with what can be done with a message; its group is the speaker's name. */
export const MESSAGE_MENU = pattern`^${zh.like("talk.message_menu")}$`;
/** The line that tells the end of a meeting. */
export const ENDED = pattern`^${zh.like("talk.finished")}`;

/** The transcript. */
export function transcript(page: Page): Locator {
  return page.getByRole("log", { name: zh("talk.transcript") });
}

/** The rail with all participants, also behind a dialog. */
export function rail(page: Page): Locator {
  return page.getByRole("complementary", { name: zh("table.rail.title"), includeHidden: true });
}

/** The composer. */
export function composer(page: Page): Locator {
  return page.getByRole("textbox", { name: zh("talk.say"), exact: true });
}

/** The window with the questions of a pause. */
export function asked(page: Page, title: string): Locator {
  return page.getByRole("dialog", { name: title });
}

/** Chooses a action out of the meeting's menu. */
export async function choose(page: Page, action: string): Promise<void> {
  await page.getByRole("button", { name: zh("table.menu.title") }).click();
  await page.getByRole("menuitem", { name: action }).click();
}

/** Ends the meeting by its menu, and waits until it has. */
export async function end(page: Page, note = ""): Promise<void> {
  await choose(page, zh("table.menu.end"));
  const sure = page.getByRole("alertdialog", { name: zh("table.end.title") });
  await sure.getByLabel(zh("table.end.note")).fill(note);
  await sure.getByRole("button", { name: zh("table.end.do") }).click();
  await over(page);
}

/** Waits until the meeting has ended, and gives the way to its result. */
export async function over(page: Page): Promise<Locator> {
  const result = page
    .getByRole("main")
    .getByRole("link", { name: zh("talk.to_result") })
    .last();
  await expect(page.getByRole("main").getByText(ENDED).last()).toBeVisible({ timeout: 75_000 });
  return result;
}

/** The names of all who sit in the rail. */
export async function seats(page: Page): Promise<string[]> {
  const names = rail(page).getByRole("list", { includeHidden: true }).first().locator(".text-voice-name");
  await expect(names.first()).toBeVisible();
  return names.allTextContents();
}

/** A message as the page shows it. */
export interface Shown {
  row: number;
  name: string;
  text: string;
}

/** Goes through the whole transcript from its beginning, and gives every message that stands there. */
export async function messages(page: Page): Promise<Shown[]> {
  const log = transcript(page);
  return log.evaluate(async (scroller, actions) => {
    const found = new Map<number, Shown>();
    const painted = () =>
      new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())));
    const look = () => {
      for (const row of scroller.querySelectorAll<HTMLElement>("[data-index]")) {
        const labels = [...row.querySelectorAll("button")].map((one) => one.getAttribute("aria-label") ?? "");
        const name = labels.flatMap((label) => actions.exec(label)?.[1] ?? [])[0];
        if (name !== undefined) {
          const text = row.querySelector(".text-body .markdown")?.textContent ?? "";
          found.set(Number(row.dataset.index), { row: Number(row.dataset.index), name, text });
        }
      }
    };
    scroller.dispatchEvent(new WheelEvent("wheel", { deltaY: -1, bubbles: true }));
    for (let before = -1; before !== scroller.scrollTop || scroller.scrollTop > 0; ) {
      before = scroller.scrollTop;
      scroller.scrollTop = 0;
      await painted();
    }
    for (let at = -1; ; ) {
      look();
      if (at === scroller.scrollTop) {
        break;
      }
      at = scroller.scrollTop;
      scroller.scrollTop += scroller.clientHeight / 2;
      await painted();
    }
    return [...found.values()].sort((a, b) => a.row - b.row);
  }, MESSAGE_MENU);
}

/** A text without its marks and gaps: the same in Markdown and on the page. */
export function letters(text: string): string {
  return text.replace(/^\d+\.\s/gm, "").replace(/[^\p{L}\p{N}]/gu, "");
}
