// A meeting of very many messages, as files that `quorate import` reads.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestServer } from "./server";

const NAMES = ["林晚", "顾安", "方宁", "沈川", "Ada", "Ben", "Cid", "Dora"];
const SAID = [
  "先说结论：**SQLite** 足够。理由有三：\n\n1. 单机写入量不大；\n2. 备份就是复制一个文件；\n3. 少一个要值守的进程。",
  "我不同意。写入会增长，`WAL` 的检查点在高峰时会抖动。建议先压测，再决定。",
  "| 方案 | 运维 | 扩展 |\n|---|---|---|\n| SQLite | 低 | 单机 |\n| PostgreSQL | 中 | 多机 |\n\n两者的差别主要在**“多机”**这一列。",
  "Both are fine today. What decides is the cost of changing later: an interface of a hundred lines keeps that choice open.",
];

/** Makes a meeting of `size` messages in eight voices, and gives its id. It rests, as imported meetings do. */
export function importLong(server: TestServer, size: number): string {
  const id = (n: number) => `00000000-0000-8000-8000-${String(n).padStart(12, "0")}`;
  const began = Date.now() - size * 1_000;
  const at = (n: number) => new Date(began + n * 1_000).toISOString();
  const participants = NAMES.map((name, n) => ({
    id: id(n + 1),
    name,
    role: { name: "成员", description: "说自己知道的。", system_prompt: "" },
    model_config: { provider: "simulated", model_name: "balanced", api_key: "", parameters: null },
  }));
  const messages = Array.from({ length: size }, (_, n) => ({
    id: id(1_000 + n),
    speaker_id: id((n % NAMES.length) + 1),
    speaker_name: NAMES[n % NAMES.length],
    speaker_type: "agent",
    content: `第 ${n + 1} 条。${SAID[n % SAID.length]}`,
    timestamp: at(n),
    round_number: Math.floor(n / (NAMES.length * 4)) + 1,
    mentions: [],
  }));
  const meeting = {
    id: id(999_999),
    topic: "SQLite 还是 PostgreSQL？很长的一场",
    participants,
    moderator_id: "user",
    moderator_type: "user",
    agenda: [],
    messages,
    minutes_history: [],
    current_minutes: null,
    config: {
      max_rounds: 1000,
      max_message_length: 10_000,
      speaking_order: "sequential",
      discussion_style: "formal",
      speaking_length_preferences: {},
    },
    status: "paused",
    created_at: at(0),
    updated_at: at(size),
  };
  const folder = join(server.folder, "long", "data", "meetings");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${meeting.id}.json`), JSON.stringify(meeting));
  const told = server.run("import", join(server.folder, "long"), "--json");
  const made = JSON.parse(told.trim().split("\n").at(-1) ?? "{}") as {
    id?: string;
    meeting_id?: string;
    meeting?: string;
  };
  const found = made.meeting_id ?? made.meeting ?? made.id;
  if (!found) {
    throw new Error(`import told no meeting: ${told}`);
  }
  return found;
}
