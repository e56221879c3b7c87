// A notice about what was done is read and used, and keeps nobody from anything else.

import { expect, type Page, test } from "./server";
import { ENDED, MESSAGE_MENU, transcript } from "./table";
import { zh } from "./texts";

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

/** The controls in sight that lie under the notices. */
function coveredByNotices(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const place = document.querySelector("section[aria-live=polite]");
    const sheets = [...(place?.children ?? [])].map((one) => one.getBoundingClientRect());
    const controls = document.querySelectorAll(
      "a[href], button, input, textarea, select, summary, [role=tab]",
    );
    return [...controls].flatMap((one) => {
      const box = one.getBoundingClientRect();
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
      const under = sheets.some(
        (sheet) => x > sheet.left && x < sheet.right && y > sheet.top && y < sheet.bottom,
      );
      const upper = document.elementsFromPoint(x, y).find((at) => !place?.contains(at));
      const seen = upper !== undefined && (one.contains(upper) || upper.contains(one));
      return under && seen && !place?.contains(one) ? [one.textContent || one.outerHTML] : [];
    });
  });
}

for (const width of [1280, 390]) {
  test(`a notice covers no control, ${width} px wide`, async ({ page, server }) => {
    const id = await server.hold();
    await server.until(id, "ended");
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`/m/${id}`);
    await expect(transcript(page).getByText(ENDED).last()).toBeVisible();
    const number = transcript(page).getByTestId("message-number").last();
    await number.scrollIntoViewIfNeeded();
    await transcript(page).getByRole("button", { name: MESSAGE_MENU }).last().click();
    await page.getByRole("menuitem", { name: zh("ui.copy"), exact: true }).click();
    const notices = page.getByRole("region", { name: zh("ui.notices") });
    await expect(notices.getByText(zh("ui.copied"))).toBeVisible();
    expect(await coveredByNotices(page)).toEqual([]);
    // Over the result, too, whose buttons stand elsewhere.
    await page.goto(`/m/${id}/result`);
    await page
      .getByRole("button", { name: zh("ui.copy") })
      .first()
      .click();
    await expect(notices.getByText(zh("ui.copied"))).toBeVisible();
    expect(await coveredByNotices(page)).toEqual([]);
  });
}
