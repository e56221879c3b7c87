import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [react()],
  test: {
    include: ["unit/**/*.test.{ts,tsx}"],
    environment: "happy-dom",
    setupFiles: ["unit/setup.ts"],
    testTimeout: 20_000,
  },
});
