// Measurements of a page in use: frames, main thread, memory, long tasks, and the delay of keys.

import type { CDPSession, Page } from "@playwright/test";
import { zh } from "../browser/texts";

/** The measurements of a period. */
export interface Seen {
  framesPerSecond: number;
  /** Milliseconds of main thread per second. */
  busyPerSecond: number;
  longestTask: number;
  /** The most that the transcript was away from its end for longer than a frame, in pixels. */
  gap: number;
}

async function metric(cdp: CDPSession, name: string): Promise<number> {
  const { metrics } = await cdp.send("Performance.getMetrics");
  return metrics.find((one) => one.name === name)?.value ?? Number.NaN;
}

/** Looks on for some milliseconds; with `scroll` the transcript is moved so many pixels meanwhile. */
export async function look(page: Page, ms: number, scroll = 0): Promise<Seen> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.enable");
  const [busy, at] = [await metric(cdp, "TaskDuration"), Date.now()];
  const seen = await page.evaluate(
    ([ms, scroll]) =>
      new Promise<{ framesPerSecond: number; longestTask: number; gap: number }>((done) => {
        const box = document.querySelector("#transcript");
        let [frames, longestTask, gap, before] = [0, 0, 0, 0];
        const tasks = new PerformanceObserver((list) => {
          longestTask = Math.max(longestTask, ...list.getEntries().map((one) => one.duration));
        });
        tasks.observe({ type: "longtask" });
        const began = performance.now();
        let last = began;
        const frame = (now: number) => {
          if (now - began >= ms) {
            tasks.disconnect();
            done({ framesPerSecond: (frames * 1_000) / (now - began), longestTask, gap });
            return;
          }
          frames += 1;
          box?.scrollBy(0, (scroll * (now - last)) / ms);
          last = now;
          // After the frame has been painted.
          setTimeout(() => {
            const away = box ? box.scrollHeight - box.clientHeight - box.scrollTop : 0;
            gap = Math.max(gap, Math.round(Math.min(away, before)));
            before = away;
          });
          requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
      }),
    [ms, scroll] as const,
  );
  const busyPerSecond = (((await metric(cdp, "TaskDuration")) - busy) / ((Date.now() - at) / 1_000)) * 1_000;
  await cdp.detach();
  return { ...seen, busyPerSecond };
}

/** Megabytes of memory that scripts hold, after garbage collection. */
export async function heap(page: Page): Promise<number> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.enable");
  await cdp.send("HeapProfiler.collectGarbage");
  const bytes = await metric(cdp, "JSHeapUsedSize");
  await cdp.detach();
  return bytes / 1_000_000;
}

/** Types into the composer, key by key, and gives the slowest answer in milliseconds; below 16 none is told. */
export async function type(page: Page, text: string): Promise<number> {
  await page.evaluate(() => {
    const slow: number[] = [];
    Object.assign(window, { slow });
    new PerformanceObserver((list) => {
      slow.push(...list.getEntries().map((one) => one.duration));
    }).observe({ type: "event", ...{ durationThreshold: 16 } });
  });
  await page.getByRole("textbox", { name: zh("talk.say") }).pressSequentially(text, { delay: 60 });
  return page.evaluate(() => {
    const slow: unknown = Reflect.get(window, "slow");
    return Array.isArray(slow) && slow.length > 0 ? Math.max(...slow.map(Number)) : 0;
  });
}
