// Sharing a result: the link is made and revoked here, and read without signing in.

import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { queries } from "../../../app/src/api/queries";
import ShareDialog from "../../../app/src/components/sharing/share-dialog";
import { type Answers, NOBODY, OWNER, open, problem } from "./page";

afterEach(() => vi.unstubAllGlobals());

const LINK = {
  id: "l1",
  by: "ada",
  created_at: new Date(1).toISOString(),
  expires_at: null,
  reads: 3,
  last_read_at: null,
};

async function dialog(answers: Answers) {
  const page = await open("/join/-", {
    "GET /me": [200, OWNER],
    "GET /meetings/m1/result-links": [200, { items: [], next_cursor: null }],
    ...answers,
  });
  cleanup();
  render(
    <QueryClientProvider client={queries}>
      <ShareDialog id="m1" open onOpenChange={() => {}} />
    </QueryClientProvider>,
  );
  return page;
}

test("there is no link before one is made, which is shown this once and expires unless more is said", async () => {
  const { sent, user } = await dialog({
    "POST /meetings/m1/result-links": [201, { ...LINK, code: "c0de", link: "/shared/c0de" }],
  });
  expect(await screen.findByText(/还没有链接/)).toBeTruthy();
  await user.click(await screen.findByRole("button", { name: "创建链接" }));
  const line = await screen.findByRole<HTMLInputElement>("textbox", { name: /链接已创建/ });
  expect(line.value).toBe(`${window.location.origin}/shared/c0de`);
  expect(sent.at(-1)?.body).toEqual({ expires_in_days: 30 });
  await user.click(screen.getByRole("button", { name: "已保存，收起" }));
  expect(screen.queryByDisplayValue(/c0de/)).toBeNull();
});

test("a link tells how often it was read, and is revoked after one was asked", async () => {
  const { sent, user } = await dialog({
    "GET /meetings/m1/result-links": [200, { items: [LINK], next_cursor: null }],
    "DELETE /meetings/m1/result-links/l1": [204],
  });
  expect(await screen.findByText(/已查看 3 次/)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "撤销" }));
  expect(sent).toEqual([]);
  await user.click(within(await screen.findByRole("alertdialog")).getByRole("button", { name: "撤销" }));
  await waitFor(() => expect(sent.at(-1)?.path).toBe("/meetings/m1/result-links/l1"));
});

const RESULT = {
  title: "选哪种存储",
  topic: "用 SQLite 还是 PostgreSQL？",
  description: "",
  format: "consensus",
  language: "zh",
  simulated: false,
  headline: "第 1 次表决通过：2 位中 2 位同意",
  rounds: 1,
  conclusion: "采用 **SQLite**。",
  not_passed: false,
  reasons: "",
  why_no_consensus: [],
  disagreements: [],
  dissent: [{ name: "参会者 1", score: 40, reason: "写入太多", position: "PostgreSQL" }],
  reservations: [],
  actions: [{ what: "写迁移脚本", who: null }],
  missing: [{ text: "写入量的实测", by: ["林晚", "参会者 1"] }],
  ballots: [
    {
      id: "b1",
      round: 1,
      state: "passed",
      clauses: ["平均 85 分，要求 80 分"],
      votes: [
        { name: "林晚", score: 90, pass: true, reason: "够用", abstained: null, failed: false },
        { name: "参会者 1", score: null, pass: null, reason: "", abstained: null, failed: true },
      ],
    },
  ],
  artifacts: [{ type: "TASKS", version: "v1", text: "## 任务\n\n- 写迁移脚本" }],
  started_at: new Date(1).toISOString(),
  ended_at: new Date(2).toISOString(),
};

test("whoever has the link reads the result without signing in, and can do nothing with the meeting", async () => {
  await open("/shared/c0de", { "GET /me": NOBODY, "GET /shared/c0de": [200, RESULT] });
  expect(await screen.findByRole("heading", { level: 1, name: "选哪种存储" })).toBeTruthy();
  for (const text of ["写入太多", "够用", "写迁移脚本", "平均 85 分，要求 80 分", "写入量的实测"]) {
    expect(screen.getAllByText(text).length).toBeGreaterThan(0);
  }
  const places = screen.getAllByRole("link", { hidden: true }).map((link) => link.getAttribute("href"));
  expect(places.filter((place) => !place?.startsWith("#"))).toEqual([]);
});

test("a conclusion that no ballot passed is marked, and so are a simulation and a suspicious agreement", async () => {
  const suspicion = "一致得可疑，请留意。";
  const failed = { ...RESULT, simulated: true, not_passed: true, suspicion };
  await open("/shared/c0de", { "GET /me": NOBODY, "GET /shared/c0de": [200, failed] });
  expect(await screen.findByText("没有草案通过表决，以下不是会议的决议")).toBeTruthy();
  expect(screen.getByText(/这是一场模拟/)).toBeTruthy();
  expect(screen.getByTestId("suspicion").textContent).toBe(suspicion);
  cleanup();
  await open("/shared/c0de", { "GET /me": NOBODY, "GET /shared/c0de": [200, RESULT] });
  expect(await screen.findByRole("heading", { level: 1, name: "选哪种存储" })).toBeTruthy();
  expect(screen.queryByText(/不是会议的决议|这是一场模拟/)).toBeNull();
  expect(screen.queryByTestId("suspicion")).toBeNull();
});

test("whoever has the link is asked for a session only in a browser that had one", async () => {
  const answers: Answers = { "GET /me": NOBODY, "GET /shared/c0de": [200, RESULT] };
  const { asked } = await open("/shared/c0de", answers);
  expect(await screen.findByRole("heading", { level: 1, name: "选哪种存储" })).toBeTruthy();
  expect(asked).toEqual(["GET /shared/c0de"]);
  cleanup();
  const settings = { language: null, theme: "dark" };
  const own: Answers = { ...answers, "GET /me": [200, OWNER], "GET /me/settings": [200, settings] };
  const signedIn = await open("/shared/c0de", own, true);
  expect(await screen.findByRole("heading", { level: 1, name: "选哪种存储" })).toBeTruthy();
  await waitFor(() => expect(signedIn.asked).toContain("GET /me/settings"));
  cleanup();
  // A session that is over is forgotten: the next page does not ask again.
  await open("/shared/c0de", answers, true);
  await waitFor(() => expect(localStorage.getItem("quorate.session")).toBeNull());
});

test("a link that opens nothing says so in one way", async () => {
  await open("/shared/c0de", { "GET /me": NOBODY, "GET /shared/c0de": problem(404, "not-found") });
  expect(await screen.findByRole("heading", { name: "这个地址没有结果" })).toBeTruthy();
});
