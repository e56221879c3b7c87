// Measures the page against its budgets: `npm run budgets`. Prints a table; fails on what does not depend on the machine.

import base from "./playwright.config";

export default {
  ...base,
  // What is written down for a trace would be measured, too.
  use: { ...base.use, trace: "off" as const },
  testDir: "budgets",
  outputDir: "out/budgets",
  workers: 1,
  retries: 0,
  timeout: 300_000,
};
