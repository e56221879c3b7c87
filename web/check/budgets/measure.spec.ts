// The budgets of the page, measured over the real binary.

import { type Browser, expect, type Page, test } from "@playwright/test";
import { importLong } from "../browser/long";
import { holes, rest } from "../browser/scroll";
import { TestServer } from "../browser/server";
import { zh } from "../browser/texts";
import { broken, type Figure, median, tableOf } from "./table";
import { heap, look, type } from "./watch";
import { answered, assetsOf, gzipped, kilobytes, painted } from "./weigh";

const SIZE = 10_000;
const EIGHT = ["Ada", "Ben", "Cid", "Dora", "Eve", "Finn", "Gus", "Hana"];

test("the page keeps its budgets", async ({ page, browser }) => {
  const server = new TestServer();
  // Meetings are imported while no server has the database.
  const long = importLong(server, SIZE);
  await server.start("--pace", "live");
  const figures: Figure[] = [];
  try {
    figures.push(
      ...(await weight(page, server, long)),
      ...(await firstSight(browser, server)),
      ...(await tenThousand(browser, server, long)),
      ...(await eightAtOnce(browser, server)),
    );
  } finally {
    await server.end();
  }
  process.stdout.write(`\n${tableOf(figures)}\n\n`);
  expect(broken(figures)).toEqual([]);
});

/** A page that is opened for the first time. */
async function fresh(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "zh-CN" });
  return context.newPage();
}

async function weight(page: Page, server: TestServer, long: string): Promise<Figure[]> {
  await page.goto(server.url);
  await expect(page.getByTestId("topic")).toBeFocused();
  const usable = await assetsOf(page);
  await page.waitForLoadState("networkidle");
  const first = await assetsOf(page);
  await page.goto(`${server.url}/m/${long}`);
  await expect(page.getByText(`第 ${SIZE} 条。`)).toBeInViewport();
  await rest(page);
  const live = await assetsOf(page);
  const later = new Set<string>();
  for (const address of [
    "/new",
    "/meetings",
    "/agents",
    "/settings",
    `/m/${long}/result`,
    `/m/${long}/replay`,
  ]) {
    await page.goto(server.url + address, { waitUntil: "networkidle" });
    for (const asset of await assetsOf(page)) {
      later.add(asset);
    }
  }
  const lazy = [...new Set([...live, ...later])].filter((one) => one.endsWith(".js") && !first.includes(one));
  const sizes = await Promise.all(lazy.map(gzipped));
  return [
    {
      what: "script until the first page is usable",
      unit: "KB gz",
      gate: 180,
      measured: await kilobytes(usable, ".js"),
    },
    {
      what: "script of a meeting, with its side panel",
      unit: "KB gz",
      gate: 300,
      measured: await kilobytes(live, ".js"),
    },
    { what: "styles", unit: "KB gz", gate: 15, measured: await kilobytes(live, ".css") },
    {
      what: "largest script that is fetched later",
      unit: "KB gz",
      gate: 60,
      measured: Math.max(...sizes) / 1_000,
    },
  ];
}

async function firstSight(browser: Browser, server: TestServer): Promise<Figure[]> {
  const times = [];
  for (let time = 0; time < 3; time++) {
    times.push(await painted(browser, server.url));
  }
  return [
    {
      what: "first page, nothing cached: first content",
      unit: "ms",
      gate: 1_000,
      measured: Math.round(median(times.map((one) => one.fcp))),
      timed: true,
    },
    {
      what: "its largest content",
      unit: "ms",
      gate: 1_000,
      measured: Math.round(median(times.map((one) => one.lcp))),
      timed: true,
    },
  ];
}

async function tenThousand(browser: Browser, server: TestServer, long: string): Promise<Figure[]> {
  const opened: number[] = [];
  let page = await fresh(browser);
  for (let time = 0; time < 3; time++) {
    await page.context().close();
    page = await fresh(browser);
    await page.goto(`${server.url}/m/${long}`, { waitUntil: "commit" });
    const shown = await page.waitForFunction(
      (says) => document.querySelector("#transcript")?.textContent?.includes(says) && performance.now(),
      `第 ${SIZE} 条。`,
    );
    opened.push(Number(await shown.jsonValue()));
  }
  await rest(page);
  const sent = await answered(page);
  let nodes = await page.locator("#transcript *").count();
  const scrolled = await look(page, 4_000, -28_000);
  await rest(page);
  let blank = 0;
  for (let jump = 0; jump < 25; jump++) {
    await page.locator("#transcript").evaluate(
      (box, to) => {
        box.scrollTop = to * (box.scrollHeight - box.clientHeight);
      },
      (jump * 0.618) % 1,
    );
    await rest(page);
    blank += (await holes(page)).length;
    nodes = Math.max(nodes, await page.locator("#transcript *").count());
  }
  const held = await heap(page);
  await page.context().close();
  return [
    {
      what: "meeting of 10,000 messages: until its last one stands",
      unit: "ms",
      gate: 1_000,
      measured: Math.round(median(opened)),
      timed: true,
    },
    { what: "sent for it by the interface", unit: "KB", gate: 300, measured: sent },
    {
      what: "frames while 28,000 px are scrolled in 4 s",
      unit: "per second",
      gate: 55,
      least: true,
      measured: scrolled.framesPerSecond,
      timed: true,
    },
    { what: "blank places at 25 jumps", unit: "", gate: 0, measured: blank },
    { what: "nodes in the transcript, at most", unit: "", gate: 600, measured: nodes },
    { what: "memory of scripts", unit: "MB", gate: 80, measured: held, timed: true },
  ];
}

async function eightAtOnce(browser: Browser, server: TestServer): Promise<Figure[]> {
  const id = await server.hold(
    {
      topic: "八个人同时说",
      participants: EIGHT.map((name) => ({ name, temperament: "verbose" })),
      rules: { turns: { mode: "parallel_round", blind_round: false }, limits: { max_rounds: 8 } },
    },
    false,
  );
  const page = await fresh(browser);
  await page.goto(`${server.url}/m/${id}`);
  await server.ask("POST", `/meetings/${id}/start`);
  const speaking = page.locator("#transcript").getByText(zh("talk.speaking"));
  await expect(speaking.nth(5)).toBeAttached({ timeout: 60_000 });
  const seen = await look(page, 5_000);
  const worst = await type(page, "We should look at what it costs to change later.");
  await page.context().close();
  return [
    {
      what: "eight answers at once: main thread",
      unit: "ms per second",
      gate: 350,
      measured: Math.round(seen.busyPerSecond),
      timed: true,
    },
    { what: "longest task", unit: "ms", gate: 100, measured: Math.round(seen.longestTask), timed: true },
    {
      what: "frames",
      unit: "per second",
      gate: 55,
      least: true,
      measured: seen.framesPerSecond,
      timed: true,
    },
    { what: "slowest key in the composer", unit: "ms", gate: 200, measured: Math.round(worst), timed: true },
    { what: "away from the end while following", unit: "px", gate: 2, measured: seen.gap },
  ];
}
