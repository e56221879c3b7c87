// Takes pictures of the page to be looked at: `npm run pictures`. Those of the README go to docs/images, all others to out/.

import base from "./playwright.config";

export default {
  ...base,
  use: { ...base.use, trace: "off" as const, contextOptions: { reducedMotion: "reduce" as const } },
  testDir: "pictures",
  outputDir: "out/pictures-run",
  retries: 0,
  timeout: 300_000,
};
