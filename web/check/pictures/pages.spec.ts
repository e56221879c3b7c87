// Each page in each theme, for review after a change: out/pictures/<look>/<page>.png.

import { join } from "node:path";
import { type Page, type TestServer, test } from "../browser/server";
import { eye, LOOKS, OUT, take } from "./camera";

const TABS = ["health", "votes", "draft", "agenda", "minutes", "artifacts", "cost", "marks"];
const PARTS = [
  "general",
  "sessions",
  "providers",
  "tokens",
  "connect",
  "webhooks",
  "nodes",
  "accounts",
  "server",
  "audit",
  "about",
];
const TOPIC = {
  "zh-CN": "要不要把单体拆成微服务？",
  en: "Should we split the monolith into services?",
} as const;

/** A meeting with something in every part of it. */
async function full(server: TestServer, lang: "zh-CN" | "en", format = "consensus"): Promise<string> {
  const id = await server.hold({
    topic: TOPIC[lang],
    lang: lang === "en" ? "en" : "zh",
    format,
    rules: {
      roster: { evaluate: true },
      closing: { artifacts: ["ADR", "TASKS", "RISKS", "MINUTES"] },
      limits: { max_rounds: 3 },
    },
  });
  await server.until(id, "ended", "paused");
  return id;
}

for (const look of LOOKS) {
  test(`pages, ${look.name}`, async ({ browser, server }) => {
    test.setTimeout(600_000);
    const page: Page = await eye(browser, look, server.url);
    const shoot = async (address: string, name: string, whole = false) => {
      await page.goto(address);
      await take(page, join(OUT, look.name, `${name}.png`), whole);
    };
    await shoot("/", "home-empty");
    const draft = await server.hold({ topic: TOPIC[look.language] }, false);
    const asks = await server.hold({ topic: TOPIC[look.language], rules: { intake: { when: "start" } } });
    await server.until(asks, "paused");
    const id = await full(server, look.language);
    for (const format of ["decision", "discussion", "brainstorm", "room"]) {
      await shoot(`/m/${await full(server, look.language, format)}/result`, `result-${format}`, true);
    }
    await shoot("/", "home");
    await shoot(`/new?topic=${encodeURIComponent(TOPIC[look.language])}`, "new", true);
    await shoot("/meetings", "meetings");
    await shoot(`/m/${draft}`, "draft");
    await shoot(`/m/${asks}`, "questions");
    for (const tab of TABS) {
      await shoot(`/m/${id}?tab=${tab}`, `meeting-${tab}`);
    }
    await shoot(`/m/${id}/result`, "result", true);
    await shoot(`/m/${id}/replay`, "replay");
    await shoot("/agents", "agents");
    await shoot("/agents/new", "agent");
    for (const part of PARTS) {
      await shoot(`/settings/${part}`, `settings-${part}`);
    }
    await shoot("/sign-in", "sign-in");
    await shoot("/join/somebody", "join");
    await page.context().close();
  });
}
