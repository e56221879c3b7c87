// Browser tests: the real binary, its own page, a real Chromium.

import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

const KNOWN = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
];
const chrome = process.env.CHROME ?? KNOWN.find((path) => existsSync(path));

export default defineConfig({
  testDir: "browser",
  outputDir: "out/browser",
  // A test waits for a meeting most of its time: three keep two processors busy.
  workers: 3,
  fullyParallel: true,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  // A test that failed once on a busy machine is run once more and shown as flaky.
  retries: process.env.REQUIRE_BROWSER ? 1 : 0,
  reporter: [["list"]],
  use: {
    channel: chrome ? undefined : "chromium",
    launchOptions: {
      executablePath: chrome,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
    viewport: { width: 1280, height: 800 },
    locale: "zh-CN",
    timezoneId: "Asia/Shanghai",
    trace: { mode: "retain-on-failure", screenshots: false },
  },
});
