import { readdirSync, readFileSync } from "node:fs";
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { fluent } from "../app/fluent.ts";

// Times are those of the reader; the reader of tests is here, wherever they run.
process.env.TZ = "Asia/Shanghai";

const UNIT = `${import.meta.dirname}/unit`;
const files = readdirSync(UNIT, { recursive: true, encoding: "utf8" })
  .filter((path) => /\.test\.tsx?$/.test(path))
  .map((path) => ({ path: `unit/${path}`, text: readFileSync(`${UNIT}/${path}`, "utf8") }));
const those = (are: (text: string) => boolean) =>
  files.filter(({ text }) => are(text)).map(({ path }) => path);

/** Tests that say that they need no document. */
const noDocument = (text: string) => text.startsWith("// @vitest-environment node");

/** Libraries as they are shipped, not their versions for developers, which check themselves at every step. */
const asShipped: Plugin = {
  name: "libraries-as-shipped",
  configResolved: ({ ssr }) => {
    if (ssr.resolve?.conditions) {
      ssr.resolve.conditions = ssr.resolve.conditions.filter((one) => !one.includes("development"));
    }
  },
};

export default defineConfig({
  plugins: [react(), asShipped, fluent()],
  // The texts of events lie with those of the program.
  server: { fs: { allow: ["..", "../../crates/messages/locales"] } },
  test: {
    setupFiles: ["unit/setup.ts"],
    testTimeout: 20_000,
    // One for each processor of the machines that check every change; by itself Vitest leaves one of them idle.
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: { name: "page", include: those((text) => !noDocument(text)), environment: "happy-dom" },
      },
      // What remembers nothing in a document shares its modules, which otherwise are read anew for each file.
      {
        extends: true,
        test: {
          name: "data",
          include: those(noDocument),
          environment: "node",
          isolate: false,
          unstubGlobals: true,
        },
      },
    ],
  },
});
