// The lists at home: a meeting that ends moves from one to another, and what is known stays when the server is silent.

import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { queries } from "../../app/src/api/queries";
import { pin } from "../../app/src/shell/pins";
import meetings from "./fixtures/meetings.json";
import { type Answers, OWNER, open, problem } from "./people/page";

afterEach(() => vi.unstubAllGlobals());

const [FIRST] = meetings.items;
const HOUR = 3_600_000;
const NOW = FIRST?.created_at ?? 0;
const row = (topic: string, state: string, updated_at: number) => ({
  ...FIRST,
  id: topic,
  topic,
  title: topic,
  state,
  outcome: state === "ended" ? "completed" : null,
  updated_at: new Date(updated_at).toISOString(),
});
const NEWER = Array.from({ length: 12 }, (_, at) => row(`草稿${at}`, "draft", NOW - (at + 1) * HOUR));

const states = (query: URLSearchParams) => query.getAll("state").flatMap((some) => some.split(","));

/** A server whose meeting runs, until it ends. */
async function home() {
  const server = { runs: true, answers: true };
  const asked: Answers = {
    "GET /me": [200, OWNER],
    "GET /providers": [200, { items: [], next_cursor: null }],
  };
  asked["GET /meetings"] = ({ query }) => {
    if (!server.answers) {
      return problem(403, "down");
    }
    const old = row("跑了很久的会议", server.runs ? "discussion" : "ended", NOW);
    const all = [...NEWER, old].filter((one) => !query.has("state") || states(query).includes(one.state));
    return [200, { items: all.slice(0, Number(query.get("limit"))), next_cursor: null }];
  };
  await open("/", asked);
  return server;
}

const list = (name: string) => within(screen.getByRole("region", { name }));
const again = () => queries.refetchQueries({ queryKey: ["meetings", "home"] });

test("a meeting that ends is found among those of late, also when many were created after it", async () => {
  const server = await home();
  await screen.findByRole("region", { name: "进行中" });
  expect(list("进行中").getByText("跑了很久的会议")).toBeTruthy();
  server.runs = false;
  await again();
  expect(await list("最近的会议").findByText("跑了很久的会议")).toBeTruthy();
  expect(screen.queryByRole("region", { name: "进行中" })).toBeNull();
  expect(list("最近的会议").getAllByRole("listitem")).toHaveLength(8);
});

test("the lists are in the order of the last change, which each row tells", async () => {
  const at = (days: number) => Date.now() - days * 24 * HOUR;
  const drafts = [row("旧", "draft", at(4)), row("新", "draft", at(2))];
  const runs = [row("慢", "discussion", at(3)), row("快", "discussion", at(1))];
  await open("/", {
    "GET /me": [200, OWNER],
    "GET /providers": [200, { items: [], next_cursor: null }],
    "GET /meetings": ({ query }) => [
      200,
      {
        items: [...runs, ...drafts].filter((one) => states(query).includes(one.state)),
        next_cursor: null,
      },
    ],
  });
  await screen.findByRole("region", { name: "进行中" });
  const rows = (name: string) => list(name).getAllByRole("listitem");
  const texts = [...rows("进行中"), ...rows("最近的会议")].map((one) => one.textContent ?? "");
  expect(texts.map((text) => text.slice(0, 1))).toEqual(["快", "慢", "新", "旧"]);
  expect(texts[1]).toContain("3 天前更新");
});

test("a row tells the conclusion, whom it waits for, and that it is a fork", async () => {
  const ended = { ...row("用哪家支付", "ended", NOW), conclusion_line: "先接甲家，半年后复查。" };
  const runs = {
    ...row("谁来值班", "discussion", NOW),
    forked_from: { meeting: "m0", seq: 3 },
    waiting_for: { you: false, names: ["小满"] },
  };
  await open("/", {
    "GET /me": [200, OWNER],
    "GET /providers": [200, { items: [], next_cursor: null }],
    "GET /meetings": ({ query }) => [
      200,
      { items: [ended, runs].filter((one) => states(query).includes(one.state)), next_cursor: null },
    ],
  });
  expect(await screen.findByText("先接甲家，半年后复查。")).toBeTruthy();
  expect(list("进行中").getByRole("listitem").textContent).toMatch(/分叉.*等待小满/);
});

test("lists that cannot be brought up to date stay, and say how old they are", async () => {
  const server = await home();
  await screen.findByRole("region", { name: "进行中" });
  server.answers = false;
  await again();
  expect(await screen.findByText(/没能更新，以下是 \d+:\d+ 的情况/)).toBeTruthy();
  expect(list("进行中").getByText("跑了很久的会议")).toBeTruthy();
  expect(screen.queryByRole("alert")).toBeNull();
  server.answers = true;
  await again();
  await waitFor(() => expect(screen.queryByText(/没能更新/)).toBeNull());
});

test("a meeting that was paused by hand is under way, and one that asks waits for the user", async () => {
  const pause = (reason: string) => ({
    pause: { reason, questions: [], resume_token: "t", paused_at: "" },
    host_person: null,
  });
  const rows = [row("问你的", "paused", NOW), row("停下的", "paused", NOW)];
  await open("/", {
    "GET /me": [200, OWNER],
    "GET /providers": [200, { items: [], next_cursor: null }],
    "GET /meetings": ({ query }) => [
      200,
      {
        items: rows.filter((one) => !query.has("state") || states(query).includes(one.state)),
        next_cursor: null,
      },
    ],
    "GET /meetings/%E9%97%AE%E4%BD%A0%E7%9A%84": [200, pause("budget_limit")],
    "GET /meetings/%E5%81%9C%E4%B8%8B%E7%9A%84": [200, pause("user_request")],
  });
  expect(await screen.findByRole("region", { name: "等你处理" })).toBeTruthy();
  expect(list("等你处理").getByText("问你的")).toBeTruthy();
  expect(list("进行中").getByText("停下的")).toBeTruthy();
});

test("a pinned meeting is found at home, too, and a list without meetings is not there", async () => {
  act(() => pin("far", true));
  await open("/", {
    "GET /me": [200, OWNER],
    "GET /providers": [200, { items: [], next_cursor: null }],
    "GET /meetings": ({ query }) => {
      const all = [row("正在谈的会议", "discussion", NOW)].filter((one) => states(query).includes(one.state));
      return [200, { items: all, next_cursor: null }];
    },
    "GET /meetings/far": [200, row("远处的会议", "ended", NOW)],
  });
  await screen.findByRole("region", { name: "进行中" });
  expect(screen.queryByRole("region", { name: "最近的会议" })).toBeNull();
  const pinned = within(await screen.findByRole("region", { name: "已置顶" }));
  expect(pinned.getByRole("link", { name: /远处的会议/ })).toBeTruthy();
  act(() => pin("far", false));
});
