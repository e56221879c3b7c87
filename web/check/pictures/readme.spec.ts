// The pictures of the README: a meeting as it happens, a new one, and a result, in both languages.

import { join } from "node:path";
import { test as base, expect, type TestServer, withServer } from "../browser/server";
import { anyOf, en, pattern, zh } from "../browser/texts";
import { DOCS, eye, LOOKS, take } from "./camera";

// At a reader's pace, so that one participant is in mid-sentence.
const test = base.extend<object, { server: TestServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
  server: [({}, use) => withServer(use, "--pace", "live"), { scope: "worker" }],
});

// An example topic: its participants speak by a written script.
const TOPIC = {
  zh: "新服务用 SQLite 还是 PostgreSQL？",
  en: "Should our service use SQLite or PostgreSQL?",
} as const;

const ESTIMATE = pattern`^${anyOf(zh("create.budget.estimate"), en("create.budget.estimate"))}$`;

interface Course {
  state: string;
  floor: string[];
  round: { number: number; turns: unknown[] } | null;
}

for (const lang of ["zh", "en"] as const) {
  test(`the README, ${lang}`, async ({ browser, server }) => {
    test.setTimeout(720_000);
    const look = LOOKS.find((one) => one.name === lang);
    if (look === undefined) throw new Error(`no look is called ${lang}`);
    const page = await eye(browser, look, server.url);
    const topic = TOPIC[lang];
    const id = await server.hold({ topic, lang, seed: undefined }, false);
    await page.goto(`/m/${id}?tab=health&begin=true`);
    const course = () => server.ask<Course>("GET", `/meetings/${id}?messages=0`);
    // In the second round, when some have answered and one is speaking.
    await expect
      .poll(
        async () => {
          const { round, floor } = await course();
          return (round?.number ?? 0) >= 1 && (round?.turns.length ?? 0) >= 3 && floor.length > 0;
        },
        { timeout: 180_000, intervals: [150] },
      )
      .toBe(true);
    await page.waitForTimeout(2_600);
    await page.screenshot({ path: join(DOCS, `meeting-${lang}.png`) });

    await page.goto(`/new?topic=${encodeURIComponent(topic)}`);
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    await expect(page.getByRole("region", { name: ESTIMATE })).toContainText(/\d/, {
      timeout: 30_000,
    });
    await take(page, join(DOCS, `new-${lang}.png`));

    // Not watched: the rest takes only the time of its pace.
    await expect
      .poll(async () => (await course()).state, { timeout: 480_000, intervals: [1_000] })
      .toBe("ended");
    await page.goto(`/m/${id}/result`);
    await take(page, join(DOCS, `result-${lang}.png`));
    await page.context().close();
  });
}
