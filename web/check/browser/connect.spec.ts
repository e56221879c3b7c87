// An agent is connected from the page: its token is made, the lines for its editor are copied, and it shows when it registers.

import { spawnSync } from "node:child_process";
import { expectOpenToAll } from "./accessibility";
import { binary, expect, prefer, test } from "./server";

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
  await expect(page.getByText("还没有智能体注册")).toBeVisible();
  await page.getByRole("textbox", { name: "智能体名称" }).fill("reviewer");
  await page.getByRole("button", { name: "创建访问令牌" }).click();
  await expect(page.getByRole("status").filter({ hasText: "reviewer" })).toBeVisible();
  await expect(lines).toContainText(/Bearer qt_\w{10,}/);

  await expectOpenToAll(page, "the lines with a token");

  const choose = async (label: string) => {
    await page.getByLabel("编辑器或智能体").click();
    await page.getByRole("option", { name: label, exact: true }).click();
  };
  for (const [label, inside] of [
    ["Codex", "[mcp_servers.quorate]"],
    ["Cursor", '"mcpServers"'],
    ["VS Code", '"servers"'],
    ["Gemini CLI", `"httpUrl": "${own.url}/mcp"`],
    ["其他，以程序启动（JSON）", '"QUORATE_TOKEN": "qt_'],
    ["其他（JSON）", '"type": "http"'],
  ] as const) {
    await choose(label);
    await expect(lines).toContainText(inside);
    if (label.startsWith("其他，以程序启动")) {
      expectAnswer((await lines.textContent()) ?? "");
    }
  }
  await page.getByRole("button", { name: "复制" }).click();
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
  const row = page.getByRole("list", { name: "已注册的智能体" }).getByRole("listitem");
  await expect(row).toContainText(introduction, { timeout: 15_000 });
  await expect(row).toContainText("reviewer");
  await expect(row).toContainText("代码评审");
  await expect(row).toContainText("在线");
  await expectOpenToAll(page, "a registered agent");
});

test("the page says it in English too, on a phone", async ({ page, own }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await prefer(page, { language: "en" });
  await page.goto(`${own.url}/settings/connect`);
  await expect(page.getByRole("heading", { name: "Connect agents", level: 2 })).toBeVisible();
  await expect(page.getByText("No agents have registered yet")).toBeVisible();
  await page.getByRole("textbox", { name: "Agent name" }).fill("reviewer");
  await page.getByRole("button", { name: "Create access token" }).click();
  await expect(page.getByTestId("connect-lines")).toContainText(/Bearer qt_\w{10,}/);
  await expectOpenToAll(page, "connect on a phone");
  const [width, room] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(width, "nothing scrolls sideways").toBeLessThanOrEqual(room ?? 0);
});
