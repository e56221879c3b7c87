import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [react()],
  // The texts of events lie with those of the program.
  server: { fs: { allow: ["..", "../../crates/messages/locales"] } },
  test: {
    include: ["unit/**/*.test.{ts,tsx}"],
    environment: "happy-dom",
    setupFiles: ["unit/setup.ts"],
    testTimeout: 20_000,
  },
});
