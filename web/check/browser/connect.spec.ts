// An agent is connected from the page: its token is made, the lines for its editor are copied, and it shows when it registers.

import { spawnSync } from "node:child_process";
import { expectOpenToAll } from "./accessibility";
import { binary, expect, prefer, test } from "./server";
import { en, zh } from "./texts";

test.use({ actionTimeout: 10_000, permissions: ["clipboard-read", "clipboard-write"] });

/** Calls a tool as an agent does that has only what stood in the lines. */
async function call(url: string, authorization: string, name: string, args: object): Promise<void> {
  const response = await fetch(url, {
    method: "POST",
    headers: { authorization, accept: "application/json", "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }),
  });
  const answer = (await response.json()) as { result?: { isError?: boolean } };
  expect(answer.result?.isError, JSON.stringify(answer)).not.toBe(true);
}

/** Starts the program as an editor does that was given these lines, and expects that it answers. */
function expectAnswer(lines: string): void {
  const { args, env } = JSON.parse(lines).mcpServers.quorate as { args: string[]; env: object };
  const info = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "editor", version: "1" },
  };
  const { stdout, stderr } = spawnSync(binary(), args, {
    encoding: "utf8",
    env: { ...process.env, ...env },
    input: `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: info })}\n`,
    timeout: 20_000,
  });
  expect(stdout, stderr).toContain('"serverInfo"');
}

test("an agent is connected with the lines of the page, and is listed once it has registered", async ({
  page,
  own,
}) => {
  await page.goto(`${own.url}/settings/connect`);
  const lines = page.getByTestId("connect-lines");
  await expect(lines).toContainText(`claude mcp add --transport http quorate ${own.url}/mcp`);
  await expect(lines).toContainText("qt_…");
  await expect(page.getByText(zh("settings.connect.none"))).toBeVisible();
  await page.getByRole("textbox", { name: zh("settings.connect.name") }).fill("reviewer");
  await page.getByRole("button", { name: zh("settings.tokens.make") }).click();
  await expect(page.getByRole("status").filter({ hasText: "reviewer" })).toBeVisible();
  await expect(lines).toContainText(/Bearer qt_\w{10,}/);

  await expectOpenToAll(page, "the lines with a token");

  for (const [client, inside] of [
    ["codex", "[mcp_servers.quorate]"],
    ["cursor", '"mcpServers"'],
    ["vscode", '"servers"'],
    ["gemini", `"httpUrl": "${own.url}/mcp"`],
    ["program", '"QUORATE_TOKEN": "qt_'],
    ["json", '"type": "http"'],
  ] as const) {
    await page.getByLabel(zh("settings.connect.client")).click();
    const name = zh(`settings.connect.clients.${client}`);
    await page.getByRole("option", { name, exact: true }).click();
    await expect(lines).toContainText(inside);
    if (client === "program") {
      expectAnswer((await lines.textContent()) ?? "");
    }
  }
  await page.getByRole("button", { name: zh("ui.copy") }).click();
  const copied = JSON.parse(await page.evaluate(() => navigator.clipboard.readText())) as {
    mcpServers: { quorate: { url: string; headers: { Authorization: string } } };
  };
  const { url, headers } = copied.mcpServers.quorate;
  const introduction = "我看成本和风险。";
  await call(url, headers.Authorization, "register_agent", {
    introduction,
    capabilities: ["代码评审"],
    language: "zh-CN",
  });
  const row = page.getByRole("list", { name: zh("settings.connect.agents") }).getByRole("listitem");
  await expect(row).toContainText(introduction, { timeout: 15_000 });
  await expect(row).toContainText("reviewer");
  await expect(row).toContainText("代码评审");
  await expect(row).toContainText(zh("settings.connect.presence.online"));
  await expectOpenToAll(page, "a registered agent");
});

test("the page says it in English too, on a phone", async ({ page, own }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await prefer(page, { language: "en" });
  await page.goto(`${own.url}/settings/connect`);
  await expect(page.getByRole("heading", { name: en("settings.part.connect"), level: 2 })).toBeVisible();
  await expect(page.getByText(en("settings.connect.none"))).toBeVisible();
  await page.getByRole("textbox", { name: en("settings.connect.name") }).fill("reviewer");
  await page.getByRole("button", { name: en("settings.tokens.make") }).click();
  await expect(page.getByTestId("connect-lines")).toContainText(/Bearer qt_\w{10,}/);
  await expectOpenToAll(page, "connect on a phone");
  const [width, room] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(width, "nothing scrolls sideways").toBeLessThanOrEqual(room ?? 0);
});
