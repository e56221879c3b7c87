// What editors and coding agents have to be told, to reach this server over the Model Context Protocol.

/** What stands where the token belongs, until there is one. */
export const NO_TOKEN = "qt_…";

export const CLIENTS = ["claude", "codex", "cursor", "vscode", "gemini", "json", "program"] as const;
export type ClientName = (typeof CLIENTS)[number];

/** Where the lines go; `null` is a terminal. */
export const FILES: Record<ClientName, string | null> = {
  claude: null,
  codex: "~/.codex/config.toml",
  cursor: "~/.cursor/mcp.json",
  vscode: ".vscode/mcp.json",
  gemini: "~/.gemini/settings.json",
  json: "mcp.json",
  program: "mcp.json",
};

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/**
 * The lines for a client; `server` is the address without a path. A program that an editor starts is often given no locale, and
 * is told the language of the reader.
 */
export function lines(client: ClientName, server: string, token: string, language: string): string {
  const url = `${server}/mcp`;
  const headers = { Authorization: `Bearer ${token}` };
  switch (client) {
    case "claude":
      return `claude mcp add --transport http quorate ${url} --header "Authorization: Bearer ${token}"`;
    case "codex":
      return [
        `# export QUORATE_TOKEN="${token}"`,
        "[mcp_servers.quorate]",
        `url = "${url}"`,
        'bearer_token_env_var = "QUORATE_TOKEN"',
      ].join("\n");
    case "cursor":
      return json({ mcpServers: { quorate: { url, headers } } });
    case "vscode":
      return json({ servers: { quorate: { type: "http", url, headers } } });
    case "gemini":
      return json({ mcpServers: { quorate: { httpUrl: url, headers } } });
    case "json":
      return json({ mcpServers: { quorate: { type: "http", url, headers } } });
    case "program":
      return json({
        mcpServers: {
          quorate: {
            command: "quorate",
            args: ["mcp", "--server", server],
            env: { QUORATE_TOKEN: token, QUORATE_LANG: language.startsWith("zh") ? "zh" : "en" },
          },
        },
      });
  }
}
