import tailwind from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// Where `quorate serve` listens while the page is worked on (`npm run dev`).
const server = process.env.QUORATE_URL ?? "http://127.0.0.1:7420";

export default defineConfig({
  plugins: [react(), tailwind()],
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
        // Files compress by themselves: one of what nearly every page needs is smaller than dozens of small ones.
        codeSplitting: {
          groups: [
            {
              name: "libraries",
              test: /node_modules.(@tanstack|react|scheduler|i18next|use-sync)/,
              minShareCount: 20,
            },
            { name: "icons", test: /lucide-react/, minShareCount: 6 },
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
