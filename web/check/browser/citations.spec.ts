// Every citation opens: lines of an attached file, a file as a whole, and what a tool returned.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test as base, expect, TestServer } from "./server";
import { zh } from "./texts";

const test = base.extend<object, { server: TestServer }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern
    async ({}, use) => {
      const server = new TestServer();
      const repo = join(server.folder, "repo");
      mkdirSync(join(repo, "src"), { recursive: true });
      writeFileSync(join(repo, "src/store.rs"), "fn open() {\n    sqlite();\n}\n");
      const config = join(server.folder, ".config/quorate");
      mkdirSync(config, { recursive: true });
      writeFileSync(join(config, "config.toml"), `[tools.repo]\nfolder = ${JSON.stringify(repo)}\n`);
      await server.start();
      await use(server);
      await server.end();
    },
    { scope: "worker" },
  ],
});
test.use({ actionTimeout: 10_000 });

/** The name of what opens a citation. */
const shows = (citation: string) => zh("talk.show_citation", { citation });

/** A meeting in which everybody has read a file of the folder, and a person has cited an attached one. */
async function held(server: TestServer): Promise<{ id: string; seq: number }> {
  const id = await server.hold(
    { format: "discussion", tools: [{ name: "repo" }], rules: { limits: { max_rounds: 2 } } },
    false,
  );
  for (const [name, content] of [
    ["costs.csv", "region,cost\neast,1200\nsouth,900\n"],
    ["logo.bin", new Uint8Array([0, 1, 2, 3])],
  ] as const) {
    const address = `${server.url}/api/v1/meetings/${id}/files?name=${name}`;
    const response = await fetch(address, { method: "POST", body: content });
    expect(response.ok).toBe(true);
  }
  await server.ask("POST", `/meetings/${id}/start`);
  await server.ask("POST", `/meetings/${id}/messages`, {
    content: "东区要 1200，见 f1#2；整张表是 [f1]，标志是 [f2]。",
  });
  await server.until(id, "ended");
  const view = await server.ask<{ messages: { seq: number; content: string }[] }>("GET", `/meetings/${id}`);
  return { id, seq: view.messages.find((one) => one.content.startsWith("东区"))?.seq ?? 0 };
}

test("citations of messages open in the transcript and in the result", async ({ page, server }) => {
  const { id, seq } = await held(server);
  // A long transcript draws only what is on the screen.
  await page.goto(`/m/${id}?at=${seq}`);

  await page
    .getByRole("button", { name: shows("f1#2"), exact: true })
    .first()
    .click();
  const lines = page.getByRole("dialog", { name: "costs.csv (f1)" });
  await expect(lines.locator("[aria-current]")).toHaveText(/2\s*east,1200/);
  await page.keyboard.press("Escape");

  await page
    .getByRole("button", { name: shows("f1"), exact: true })
    .first()
    .click();
  await expect(lines).toContainText("south,900");
  await expect(lines.locator("[aria-current]")).toHaveCount(0);
  await page.keyboard.press("Escape");

  await page
    .getByRole("button", { name: shows("f2"), exact: true })
    .first()
    .click();
  const other = page.getByRole("dialog", { name: "logo.bin (f2)" });
  await expect(other.getByRole("link", { name: /logo\.bin/ })).toBeVisible();
  await page.keyboard.press("Escape");

  await page.goto(`/m/${id}`);
  const mark = page.locator("[data-evidence] button").first();
  await expect(mark).toHaveText(/^src\/store\.rs#L\d/);
  await mark.click();
  await expect(page.locator("details[open] pre").filter({ hasText: "sqlite();" }).first()).toBeVisible();

  await page.goto(`/m/${id}/result`);
  const cited = page.locator("#evidence");
  // The conclusion cites it again.
  await cited
    .getByRole("button", { name: shows("f1#2"), exact: true })
    .first()
    .click();
  await expect(lines.locator("[aria-current]")).toHaveText(/2\s*east,1200/);
  await page.keyboard.press("Escape");
  await cited
    .getByRole("link", { name: /^src\/store\.rs#L/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/m\/[^/]+\?at=\d+/);
});
