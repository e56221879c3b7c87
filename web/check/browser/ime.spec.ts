// Chinese is written with an input method: while it composes, its keys are its own.

import type { CDPSession, Page } from "@playwright/test";
import { expect, type TestServer, test } from "./server";
import { composer, transcript } from "./table";
import { zh } from "./texts";

/** Opens a meeting that rests, so that nothing but the person's words comes into its transcript. */
async function open(page: Page, server: TestServer): Promise<{ id: string; method: CDPSession }> {
  const id = await server.hold({ format: "discussion", rules: { turns: { floor: "host" } } });
  await server.until(id, "paused");
  await page.goto(`/m/${id}`);
  const later = page.getByRole("dialog").getByRole("button", { name: zh("table.ask.later") });
  await later.click();
  // Whoever was mentioned answers, and then the host is asked again.
  await page.addLocatorHandler(later, () => later.click());
  await composer(page).click();
  return { id, method: await page.context().newCDPSession(page) };
}

/** The input method shows this as what may be meant. */
async function compose(method: CDPSession, text: string): Promise<void> {
  await method.send("Input.imeSetComposition", {
    text,
    selectionStart: text.length,
    selectionEnd: text.length,
  });
}

/** A key that the input method takes for itself: pages see it as 229. */
async function taken(method: CDPSession, key: string): Promise<void> {
  await method.send("Input.dispatchKeyEvent", {
    type: "rawKeyDown",
    key,
    code: key,
    windowsVirtualKeyCode: 229,
  });
  await method.send("Input.dispatchKeyEvent", { type: "keyUp", key, code: key, windowsVirtualKeyCode: 229 });
}

async function said(server: TestServer, id: string): Promise<string[]> {
  const { items } = await server.ask<{ items: { speaker: unknown; content: string }[] }>(
    "GET",
    `/meetings/${id}/messages`,
  );
  return items.map((one) => one.content);
}

test("Enter while composing sends nothing; the finished word is sent once", async ({ page, server }) => {
  const { id, method } = await open(page, server);
  await compose(method, "bei'fen");
  await expect(composer(page)).toHaveValue("bei'fen");
  await taken(method, "Enter");
  await expect(composer(page)).toHaveValue("bei'fen");
  await compose(method, "备份");
  await method.send("Input.dispatchKeyEvent", {
    type: "rawKeyDown",
    key: "Enter",
    windowsVirtualKeyCode: 13,
  });
  await expect(composer(page)).toHaveValue("备份");
  expect(await said(server, id)).toEqual([]);

  await method.send("Input.insertText", { text: "备份" });
  await expect(composer(page)).toHaveValue("备份");
  await compose(method, "zen'me");
  await method.send("Input.insertText", { text: "怎么做？" });
  await expect(composer(page)).toHaveValue("备份怎么做？");
  await composer(page).press("Enter");
  await expect(composer(page)).toBeEmpty();
  await expect(transcript(page).getByText("备份怎么做？")).toHaveCount(1);
  expect(await said(server, id)).toEqual(["备份怎么做？"]);
});

test("after a full-width comma @ offers names: none while composing, arrows and Enter put one in", async ({
  page,
  server,
}) => {
  const { id, method } = await open(page, server);
  const offers = page.getByRole("listbox", { name: zh("talk.offers") });
  await method.send("Input.insertText", { text: "先请教，" });
  await page.keyboard.type("@");
  await expect(offers.getByRole("option")).toHaveCount(4);

  await compose(method, "shen");
  await expect(offers).toBeHidden();
  await taken(method, "Enter");
  await taken(method, "ArrowDown");
  await expect(composer(page)).toHaveValue("先请教，@shen");
  await method.send("Input.insertText", { text: "沈" });
  await expect(offers.getByRole("option")).toHaveText([/沈川/]);
  await page.keyboard.press("Backspace");
  await expect(offers.getByRole("option")).toHaveCount(4);

  const names = await offers.getByRole("option").locator("span").allTextContents();
  await page.keyboard.press("ArrowDown");
  const second = offers.getByRole("option").nth(1);
  await expect(second).toHaveAttribute("aria-selected", "true");
  const chosen = await second.textContent();
  await page.keyboard.press("Enter");
  await expect(offers).toBeHidden();
  await expect(composer(page)).toHaveValue(/^先请教，@[\p{L}]+ $/u);
  const name = /@(.+) $/.exec(await composer(page).inputValue())?.[1] ?? "";
  expect(chosen).toContain(name);
  expect(names.join("")).toContain(name);
  expect(await said(server, id)).toEqual([]);

  await page.keyboard.type("你怎么看");
  await page.keyboard.press("Enter");
  await expect(composer(page)).toBeEmpty();
  // The mentioned participant may answer at once, and quote it; the message itself appears once.
  const asked = `先请教，@${name} 你怎么看`;
  await expect.poll(() => said(server, id)).toContain(asked);
  expect((await said(server, id)).filter((one) => one === asked)).toHaveLength(1);
  await expect(transcript(page).getByText("你怎么看").first()).toBeVisible();
});
