// Taking a picture: its language, theme, size, and path.

import { join, resolve } from "node:path";
import type { Browser, Page } from "@playwright/test";
import { settled } from "../browser/accessibility";
import { prefer } from "../browser/server";

const HERE = resolve(import.meta.dirname, "..");
/** The folder of pictures for review. */
export const OUT = join(HERE, "out/pictures");
/** The folder of the README's pictures. */
export const DOCS = resolve(HERE, "../../docs/images");

/** A way of looking at the page. */
export interface Look {
  name: string;
  language: "zh-CN" | "en";
  theme: "light" | "dark";
  size: { width: number; height: number };
}

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

/** The looks that every page is to stand. */
export const LOOKS: readonly Look[] = [
  { name: "zh", language: "zh-CN", theme: "light", size: WIDE },
  { name: "en", language: "en", theme: "light", size: WIDE },
  { name: "dark", language: "zh-CN", theme: "dark", size: WIDE },
  { name: "phone", language: "zh-CN", theme: "light", size: PHONE },
  { name: "phone-en", language: "en", theme: "light", size: PHONE },
];

/** A page of its own that looks so. */
export async function eye(browser: Browser, look: Look, baseURL: string): Promise<Page> {
  const context = await browser.newContext({
    baseURL,
    viewport: look.size,
    locale: look.language,
    timezoneId: "Asia/Shanghai",
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  await prefer(page, { language: look.language, theme: look.theme });
  return page;
}

/** Takes what is in sight, once the page has come to rest; `whole` also what is below. */
export async function take(page: Page, path: string, whole = false): Promise<void> {
  await settled(page);
  await page.screenshot({ path, fullPage: whole });
}
