// Agents that connect themselves are listed with whether they are there, and when they were last seen.

import { screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { zoneInWords } from "../../../app/src/components/times/zones";
import { languageInWords } from "../../../app/src/features/settings/locale-names";
import { OWNER, open } from "../people/page";

afterEach(() => vi.unstubAllGlobals());

const agent = (name: string, more: object) => ({
  id: name,
  name,
  role: { name: "评审", description: `${name} 看代码`, system_prompt: "" },
  runner: { kind: "external", via: "agent", name },
  profile: { capabilities: ["Rust"], language: "zh-CN", time_zone: "Asia/Shanghai" },
  created_at: new Date(1).toISOString(),
  updated_at: new Date(1).toISOString(),
  ...more,
});

test("who is there, who is busy, who was seen when, and who never was", async () => {
  const before = new Date(Date.now() - 300_000).toISOString();
  const now = new Date().toISOString();
  await open("/settings/connect", {
    "GET /me": [200, OWNER],
    "GET /agents": [
      200,
      {
        items: [
          agent("在的", { presence: "online", last_seen_at: now }),
          agent("忙的", { presence: "busy", last_seen_at: now }),
          agent("走的", { presence: "offline", last_seen_at: before }),
          agent("新的", { presence: "offline", last_seen_at: null }),
          agent("模型", { presence: null, last_seen_at: null, profile: null }),
        ],
        next_cursor: null,
      },
    ],
    "GET /tokens": [200, { items: [], next_cursor: null }],
  });
  const list = await screen.findByRole("list", { name: "已注册的智能体" });
  const rows = within(list).getAllByRole("listitem");
  expect(rows.map((row) => row.textContent?.slice(0, 4))).toEqual([
    "在的在线",
    "忙的忙碌",
    "走的离线",
    "新的离线",
  ]);
  expect(rows[0]?.textContent).not.toContain("最近在线");
  expect(within(rows[2] as HTMLElement).getByText(/最近在线：5 分钟前/)).toBeTruthy();
  expect(within(rows[3] as HTMLElement).getByText(/还没有连接过/)).toBeTruthy();
  // In the words of the reader, not as the agent wrote them.
  expect(rows[0]?.textContent).toContain("中文（中国） · 中国标准时间（UTC+08:00）");
  expect(list.textContent).not.toMatch(/zh-CN|Asia\/Shanghai/);
});

test("languages and zones are named in either language; what no browser knows stays as it is", () => {
  expect(languageInWords("zh-CN", "en")).toBe("Chinese (China)");
  expect(languageInWords("not a tag", "en")).toBe("not a tag");
  expect(zoneInWords("Asia/Kathmandu", "en")).toEqual({ words: "Nepal Time", offset: "UTC+05:45" });
  expect(zoneInWords("UTC", "zh-CN")).toEqual({ words: "UTC", offset: "UTC+00:00" });
  expect(zoneInWords("Mars/Olympus", "en")).toEqual({ words: "Mars/Olympus" });
});
