// Changes that follow from the forms of providers and of the server.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import type { Provider } from "../../../app/src/api/schema";
import { fromProvider, toChange } from "../../../app/src/components/providers/provider-form";
import { detailOf, didOf, fromOf } from "../../../app/src/features/settings/audit-words";
import { changeOf, LIMITS } from "../../../app/src/features/settings/server-form";
import { browser } from "../../../app/src/features/settings/sessions";
import { moment } from "../../../app/src/shell/formatting";

const LAB: Provider = {
  provider: "lab",
  source: "stored",
  base_url: "http://10.0.0.7:8080/v1",
  wire: "openai",
  key: "stored",
  concurrency: 4,
  headers: ["X-Team"],
  proxy: false,
  public_only: false,
};

test("a provider that nobody touched is not changed", () => {
  expect(toChange(fromProvider(LAB), fromProvider(LAB))).toEqual({});
});

test("what is cleared is taken back, and what is not shown stays unless it is said", () => {
  const before = fromProvider(LAB);
  const form = {
    ...before,
    api_key: " sk-1 ",
    concurrency: null,
    requests_per_minute: 60,
    retries: "back" as const,
    structured: "json_schema" as const,
    streaming: "off" as const,
    timeouts: { total_ms: 90, idle_ms: null },
    headers: [
      { name: "X-New", value: "a" },
      { name: "", value: "lost" },
    ],
    without: ["X-Team"],
  };
  expect(toChange(form, before)).toEqual({
    api_key: "sk-1",
    concurrency: null,
    requests_per_minute: 60,
    retries: null,
    structured: "json_schema",
    streaming: "off",
    timeouts: { total_ms: 90_000 },
    extra_headers: { "X-Team": null, "X-New": "a" },
  });
  expect(toChange({ ...before, timeouts: "back", proxy: "none" }, before)).toEqual({
    timeouts: null,
    proxy: "none",
  });
});

test("only the limits that were changed are sent, and an empty one is taken back", () => {
  const now = { log: "info", limits: LIMITS };
  expect(changeOf(now, "info", LIMITS)).toEqual({});
  expect(changeOf(now, " debug ", { ...LIMITS, uploads: null, live_lines: 9 })).toEqual({
    log: "debug",
    limits: { uploads: null, live_lines: 9 },
  });
});

test("a line of the audit log tells its status apart from the rest, which is in words", () => {
  expect(detailOf({ status: 201, name: "x", odd: 2 })).toEqual({ status: 201, rest: "名称：x · odd：2" });
  expect(detailOf(null)).toEqual({ status: undefined, rest: "" });
  expect(detailOf({ status: 201, agent: null, id: "w1" })).toEqual({ status: 201, rest: "编号：w1" });
  expect(detailOf({ via: "mcp", scope: "manage", key: true }).rest).toBe(
    "权限：管理 · 含密钥文件：是 · 经 MCP",
  );
  expect(detailOf({ how: "with the password", first_at: 0 }).rest).toBe(
    `方式：会议密码 · 最早：${moment(0)}`,
  );
  expect(["local", "elsewhere", "::1"].map(fromOf)).toEqual(["来自本机", "来自多个其他地址", "来自 ::1"]);
});

test("everything that the audit log tells has plain words in both languages", async () => {
  const text = readFileSync(resolve(import.meta.dirname, "../../../../docs/openapi.json"), "utf8");
  const { paths }: { paths: Record<string, object> } = JSON.parse(text);
  const requests = Object.entries(paths).flatMap(([path, methods]) => {
    const words = path.split("/").filter((word) => word && !word.startsWith("{") && !/^(api|v1)$/.test(word));
    return Object.keys(methods).map((method) => [...words, method].join("."));
  });
  // What the server notes otherwise, or not at all (`access/audit.rs`).
  const unnoted = [
    "join.post",
    "join.preview.post",
    "sessions.post",
    "sessions.refresh.post",
    "meetings.estimate.post",
    "webhooks.callback.post",
    "me.presence.put",
    "me.mentions.read.put",
  ];
  const noted = requests.filter((one) =>
    one.endsWith(".get") ? one === "meetings.export.get" : !unnoted.includes(one),
  );
  expect(noted.length).toBeGreaterThan(40);
  const all = [...noted, "sign_in.accepted", "sign_in.refused", "guest.came", "audit.lost"];
  expect(all.filter((action) => didOf(action) === "")).toEqual([]);
  expect(didOf("meetings.what-if.post")).toBe("换规则试算");
  expect(didOf("something.new.post")).toBe("");
});

test("a browser is named by what people call it", () => {
  const chrome =
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/148.0.0.0 Safari/537.36";
  expect(browser(chrome)).toBe("Chrome 148 · macOS");
  expect(browser(`${chrome} Edg/148.0.0.0`)).toBe("Edge 148 · macOS");
  expect(browser("curl/8.9")).toBe("curl/8.9");
});
