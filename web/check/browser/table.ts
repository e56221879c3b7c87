// A meeting's table as a person uses it: its parts by name, its questions, and all that its transcript says.

import { expect, type Locator, type Page } from "@playwright/test";

/** The transcript. */
export function transcript(page: Page): Locator {
  return page.getByRole("log", { name: "讨论" });
}

/** The rail with all participants, also behind a dialog. */
export function rail(page: Page): Locator {
  return page.getByRole("complementary", { name: "参会者", includeHidden: true });
}

/** The composer. */
export function composer(page: Page): Locator {
  return page.getByRole("textbox", { name: "发言", exact: true });
}

/** The window with the questions of a pause. */
export function asked(page: Page, title: string): Locator {
  return page.getByRole("dialog", { name: title });
}

/** Chooses a action out of the meeting's menu. */
export async function choose(page: Page, action: string): Promise<void> {
  await page.getByRole("button", { name: "更多操作" }).click();
  await page.getByRole("menuitem", { name: action }).click();
}

/** Ends the meeting by its menu, and waits until it has. */
export async function end(page: Page, note = ""): Promise<void> {
  await choose(page, "结束会议");
  const sure = page.getByRole("alertdialog", { name: "结束这场会议" });
  await sure.getByLabel("结束原因（可不填）").fill(note);
  await sure.getByRole("button", { name: "结束会议" }).click();
  await over(page);
}

/** Waits until the meeting has ended, and gives the way to its result. */
export async function over(page: Page): Promise<Locator> {
  const result = page.getByRole("main").getByRole("link", { name: "查看结果" }).last();
  await expect(
    page
      .getByRole("main")
      .getByText(/^会议结束：/)
      .last(),
  ).toBeVisible({ timeout: 75_000 });
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
  return log.evaluate(async (scroller) => {
    const found = new Map<number, Shown>();
    const painted = () =>
      new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())));
    const look = () => {
      for (const row of scroller.querySelectorAll<HTMLElement>("[data-index]")) {
        const menu = row.querySelector("button[aria-label^='对'][aria-label$='的操作']");
        if (menu) {
          const name = /^对(.*)这条消息的操作$/.exec(menu.getAttribute("aria-label") ?? "")?.[1] ?? "";
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
  });
}

/** A text without its marks and gaps: the same in Markdown and on the page. */
export function letters(text: string): string {
  return text.replace(/^\d+\.\s/gm, "").replace(/[^\p{L}\p{N}]/gu, "");
}
