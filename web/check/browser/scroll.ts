// The visible rows of the transcript, and their places.

import type { Page } from "@playwright/test";

/** A row as it is found again: what it says, and its number among the rows that there are. */
export interface RowSeen {
  says: string;
  index: number;
}

/** Waits until the transcript has not moved for five frames. */
export async function rest(page: Page): Promise<void> {
  await page.locator("#transcript").evaluate(
    (box) =>
      new Promise<void>((done) => {
        let [still, last] = [0, ""];
        const look = () => {
          const now = `${box.scrollTop} ${box.scrollHeight}`;
          still = now === last ? still + 1 : 0;
          last = now;
          if (still >= 5) {
            done();
          } else {
            requestAnimationFrame(look);
          }
        };
        look();
      }),
  );
}

/** The message in the middle of the window. */
export async function rowAtEye(page: Page): Promise<RowSeen> {
  return page.locator("#transcript").evaluate((box) => {
    const frame = box.getBoundingClientRect();
    const eye = frame.top + frame.height / 2;
    const rows = [...box.querySelectorAll<HTMLElement>("[data-index]")];
    const messages = rows.filter((row) => /第 \d+ 条。/.test(row.textContent ?? ""));
    const far = (row: HTMLElement) => Math.abs(row.getBoundingClientRect().top - eye);
    const row = messages.toSorted((a, b) => far(a) - far(b))[0];
    const says = /第 \d+ 条。/.exec(row?.textContent ?? "")?.[0] ?? "";
    return { says, index: Number(row?.dataset.index ?? -1) };
  });
}

/** The present upper edge of that row. */
export async function topOf(page: Page, seen: RowSeen): Promise<number> {
  return page.locator("#transcript").evaluate((box, says) => {
    const rows = [...box.querySelectorAll<HTMLElement>("[data-index]")];
    const row = rows.find((one) => one.textContent?.includes(says));
    return row ? row.getBoundingClientRect().top : Number.NaN;
  }, seen.says);
}

/** The gaps in the window of the transcript, and rows in it that show nothing. */
export async function holes(page: Page): Promise<string[]> {
  return page.locator("#transcript").evaluate((box) => {
    const frame = box.getBoundingClientRect();
    const found: string[] = [];
    const rows = [...box.querySelectorAll<HTMLElement>("[data-index]")]
      .map((row) => ({ at: row.getBoundingClientRect(), says: (row.textContent ?? "").trim() }))
      .filter(({ at }) => at.bottom > frame.top && at.top < frame.bottom)
      .toSorted((a, b) => a.at.top - b.at.top);
    let covered = frame.top;
    for (const { at, says } of rows) {
      if (at.top > covered + 2) {
        found.push(`nothing from ${Math.round(covered)} to ${Math.round(at.top)}`);
      }
      if (says === "") {
        found.push(`an empty row at ${Math.round(at.top)}`);
      }
      covered = Math.max(covered, at.bottom);
    }
    // Under the last row there is a small margin.
    if (covered < frame.bottom - 20) {
      found.push(`nothing from ${Math.round(covered)} to ${Math.round(frame.bottom)}`);
    }
    return found;
  });
}
