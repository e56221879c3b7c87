import { defineConfig } from "@hey-api/openapi-ts";

export default defineConfig({
  input: "../../docs/openapi.json",
  output: "generated/hey-api",
  plugins: ["@hey-api/client-fetch"],
});
