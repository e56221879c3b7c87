import tailwind from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { fluent } from "./fluent.ts";
import { preloads } from "./preloads.ts";

// Where `quorate serve` listens while the page is worked on (`npm run dev`).
const server = process.env.QUORATE_URL ?? "http://127.0.0.1:7420";

/** The pages, and the parts of the frame around them, that contain a module by imports that are not dynamic. */
const pages = new Map<string, Set<string>>();
const PART =
  /src.(?:pages|shell|features.(?:palette|mentions|panel|panel.health)|components.people).([\w-]+)\.tsx$/;

function pagesOf(id: string, importers: (id: string) => readonly string[]): Set<string> {
  const known = pages.get(id);
  if (known) return known;
  const found = new Set(PART.exec(id)?.slice(1));
  pages.set(id, found);
  for (const importer of importers(id)) {
    for (const page of pagesOf(importer, importers)) found.add(page);
  }
  return found;
}

/** The parts of the side panel that a meeting fetches by itself: its body, and the health of the discussion. */
const PANEL = ["panel-body", "index"];

/**
 * The file of what several files share: one for what the first page has, three for what a meeting has, and three for what a
 * result has besides: with the side panel of a meeting, with the lists, and with other pages.
 */
function sharedFile(id: string, importers: (id: string) => readonly string[]): string | null {
  const on = pagesOf(id, importers);
  if (on.has("home")) return "home";
  if (on.has("meeting")) {
    if ([...on].some((page) => !["meeting", "replay", "result", ...PANEL].includes(page))) return "common";
    return on.has("result") ? "result" : "meeting";
  }
  if (!on.has("result")) return null;
  if (PANEL.some((part) => on.has(part))) return "panel";
  return on.has("meetings") ? "lists" : "record";
}

export default defineConfig({
  plugins: [react(), tailwind(), fluent(), preloads()],
  build: {
    target: "es2023",
    // Every browser of that year preloads modules by itself.
    modulePreload: { polyfill: false },
    // Names that hold a hash may be cached for ever; the server counts on it.
    assetsDir: "assets",
    assetsInlineLimit: 0,
    manifest: true,
    rolldownOptions: {
      output: {
        // Scripts import each other by name, so short names make all of them smaller; `.vite/manifest.json` says which is which.
        entryFileNames: "assets/[hash].js",
        chunkFileNames: "assets/[hash].js",
        // Files compress by themselves: a few of what is always fetched together are smaller than dozens of small ones.
        codeSplitting: {
          groups: [
            { name: "base", tags: ["$initial"], minShareCount: 2 },
            {
              name: (id, context) => sharedFile(id, (of) => context.getModuleInfo(of)?.importers ?? []),
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
    chunkSizeWarningLimit: 800,
    license: { fileName: "licenses.md" },
  },
  server: {
    // The texts of events lie with those of the program.
    fs: { allow: ["..", "../../crates/messages/locales"] },
    proxy: {
      "/api": { target: server, changeOrigin: false, ws: true },
      "/healthz": { target: server, changeOrigin: false },
    },
  },
});
