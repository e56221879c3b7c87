// The weight of a page: its scripts and styles, compressed, and the responses of the interface.

import { gzipSync } from "node:zlib";
import type { Browser, Page } from "@playwright/test";

/** The addresses of scripts and styles that a page has fetched. */
export async function assetsOf(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .map((one) => one.name)
      .filter((name) => /\/assets\/.*\.(js|css)$/.test(name)),
  );
}

/** The bytes of a file when it is compressed with gzip, however the server would send it. */
export async function gzipped(address: string): Promise<number> {
  const answer = await fetch(address);
  return gzipSync(Buffer.from(await answer.arrayBuffer()), { level: 9 }).length;
}

/** Kilobytes of the files whose names end so. */
export async function kilobytes(addresses: Iterable<string>, ending: string): Promise<number> {
  let sum = 0;
  for (const address of addresses) {
    sum += address.endsWith(ending) ? await gzipped(address) : 0;
  }
  return sum / 1_000;
}

/** Kilobytes that the interface has sent this page, as they crossed the line. Streams are not among them. */
export async function answered(page: Page): Promise<number> {
  const bytes = await page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .flatMap((one) =>
        one instanceof PerformanceResourceTiming && one.name.includes("/api/") ? [one.transferSize] : [],
      )
      .reduce((sum, one) => sum + one, 0),
  );
  return bytes / 1_000;
}

/** Opens an address as a first visit; returns the times of the first and the largest contentful paint. */
export async function painted(browser: Browser, address: string): Promise<{ fcp: number; lcp: number }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "zh-CN" });
  const page = await context.newPage();
  await page.goto(address, { waitUntil: "networkidle" });
  const times = await page.evaluate(
    () =>
      new Promise<{ fcp: number; lcp: number }>((done) => {
        new PerformanceObserver((list) => {
          const fcp = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN;
          done({ fcp, lcp: list.getEntries().at(-1)?.startTime ?? Number.NaN });
        }).observe({ type: "largest-contentful-paint", buffered: true });
      }),
  );
  await context.close();
  return times;
}
