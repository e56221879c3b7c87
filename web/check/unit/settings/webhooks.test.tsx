// A webhook's secret is shown once, its log says how each attempt went, and a message is delivered again.

import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { queries } from "../../../app/src/api/queries";
import { type Answers, OWNER, open, problem } from "../people/page";

afterEach(() => vi.unstubAllGlobals());

const VIEW = {
  id: "w1",
  url: "https://agent.example.com/quorate",
  agent: "reviewer",
  turns: true,
  events: ["finished"],
  meeting: null,
  enabled: true,
  disabled_because: null,
  off_record: false,
  resumes_at: null,
  by: "ada",
  created_at: new Date(1).toISOString(),
  updated_at: new Date(1).toISOString(),
};

const FAILED = {
  message: "msg_1",
  type: "turn.requested",
  meeting: "m1",
  seq: null,
  attempt: 2,
  attempted_at: new Date(1).toISOString(),
  latency_ms: 12,
  outcome: "failed",
  status: 503,
  error: "HTTP 503",
  next_attempt_at: new Date(Date.now() + 60_000).toISOString(),
};
/** The attempt before it, whose next one has been made. */
const BEFORE = { ...FAILED, attempt: 1, next_attempt_at: new Date(5_000).toISOString() };

const listed = (more = {}): Answers => ({
  "GET /me": [200, OWNER],
  "GET /meetings": [200, { items: [] }],
  "GET /webhooks": [200, { items: [{ ...VIEW, ...more }], next_cursor: null }],
});

test("a webhook is made, and its secret is shown once", async () => {
  const answers: Answers = {
    ...listed(),
    "GET /webhooks": [200, { items: [], next_cursor: null }],
    "POST /webhooks": () => {
      answers["GET /webhooks"] = [200, { items: [VIEW], next_cursor: null }];
      return [201, { ...VIEW, secret: "whsec_0123456789" }];
    },
  };
  const { sent, user } = await open("/settings/webhooks", answers);
  await user.click(await screen.findByRole("button", { name: "新建 Webhook" }));
  await user.type(screen.getByLabelText(/网址/), VIEW.url);
  await user.type(screen.getByLabelText(/发送哪个智能体/), "reviewer");
  // By its name, or by its words; what no kind is called is not taken.
  const kinds = screen.getByRole("combobox", { name: /^事件/ });
  await user.type(kinds, "finished{Enter}");
  await user.type(kinds, "参会者的发言{Enter}");
  await user.type(kinds, "no_such_event");
  expect(screen.queryAllByRole("option")).toEqual([]);
  await user.clear(kinds);
  await user.keyboard("{Escape}");
  expect(screen.getByRole("button", { name: "移除 会议结束" })).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "创建 Webhook" }));
  const line = await screen.findByRole<HTMLInputElement>("textbox", { name: /密钥/ });
  expect(line.value).toBe("whsec_0123456789");
  const body = { url: VIEW.url, agent: "reviewer", events: ["finished", "agent_message"], meeting: null };
  expect(sent.at(-1)?.body).toEqual(body);
  const list = await screen.findByRole("list", { name: "Webhook" });
  expect(within(list).getByText(VIEW.url)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "已保存，收起" }));
  expect(document.body.innerHTML).not.toContain("0123456789");
  const remembered = queries.getMutationCache().getAll();
  expect(JSON.stringify(remembered.map((one) => one.state))).not.toContain("0123456789");
});

test("an address that is refused says so at its field", async () => {
  const { user } = await open("/settings/webhooks", {
    ...listed(),
    "POST /webhooks": problem(422, "invalid", { errors: [{ pointer: "/url", detail: "网址指向本机" }] }),
  });
  await user.click(await screen.findByRole("button", { name: "新建 Webhook" }));
  await user.type(screen.getByLabelText(/网址/), "https://127.0.0.1/");
  await user.click(screen.getByRole("button", { name: "创建 Webhook" }));
  expect(await screen.findByText("网址指向本机")).toBeTruthy();
});

test("an attempt that another has followed has no next one, and each leads to its meeting", async () => {
  const { user } = await open("/settings/webhooks", {
    ...listed(),
    "GET /webhooks/w1/deliveries": [200, { items: [FAILED, BEFORE], next_cursor: null }],
  });
  await user.click(await screen.findByRole("button", { name: "投递记录" }));
  const log = await screen.findByRole("list", { name: "投递记录" });
  const [last, before] = within(log).getAllByRole("listitem");
  expect(last?.textContent).toContain("再试");
  expect(before?.textContent).not.toContain("再试");
  const links = within(log).getAllByRole<HTMLAnchorElement>("link");
  expect(links.map((link) => new URL(link.href).pathname)).toEqual(["/m/m1", "/m/m1"]);
});

test("the log shows status, error and the next attempt, and delivers again", async () => {
  const { sent, user } = await open("/settings/webhooks", {
    ...listed(),
    "GET /webhooks/w1/deliveries": [200, { items: [FAILED], next_cursor: null }],
    "POST /webhooks/w1/deliveries/msg_1/redeliver": [202],
  });
  await user.click(await screen.findByRole("button", { name: "投递记录" }));
  const log = await screen.findByRole("list", { name: "投递记录" });
  expect(within(log).getByText("失败")).toBeTruthy();
  expect(within(log).getAllByText(/HTTP 503/)).toHaveLength(1);
  expect(log.textContent).toMatch(/第 2 次.*12 毫秒.*再试/);
  await user.click(within(log).getByRole("button", { name: "重新投递" }));
  await waitFor(() => expect(sent.at(-1)?.path).toBe("/webhooks/w1/deliveries/msg_1/redeliver"));
});

test("it is tested, disabled, and deleted only after one was asked", async () => {
  const { sent, user } = await open("/settings/webhooks", {
    ...listed({ enabled: true }),
    "POST /webhooks/w1/test": [200, { ok: false, status: 500, latency_ms: 3, error: "HTTP 500" }],
    "PATCH /webhooks/w1": [200, { ...VIEW, enabled: false }],
    "DELETE /webhooks/w1": [204],
  });
  await user.click(await screen.findByRole("button", { name: "测试" }));
  // Once for the eye, once for screen readers.
  expect(await screen.findAllByText(/测试失败：HTTP 500/)).not.toHaveLength(0);
  await user.click(screen.getByRole("switch", { name: "启用" }));
  await waitFor(() => expect(sent.at(-1)?.body).toEqual({ enabled: false }));
  const before = sent.length;
  await user.click(screen.getByRole("button", { name: "删除" }));
  const dialog = await screen.findByRole("alertdialog");
  expect(sent).toHaveLength(before);
  await user.click(within(dialog).getByRole("button", { name: "删除" }));
  await waitFor(() => expect(sent.slice(before).map((one) => one.path)).toContain("/webhooks/w1"));
});

test("one that the server disabled says why", async () => {
  await open("/settings/webhooks", listed({ enabled: false, disabled_because: "gone" }));
  expect(await screen.findByText(/410 Gone/)).toBeTruthy();
  expect(screen.getByRole<HTMLElement>("switch", { name: "启用" }).getAttribute("aria-checked")).toBe(
    "false",
  );
});

test("one whose token is gone says so, and that enabling takes it over", async () => {
  await open("/settings/webhooks", listed({ enabled: false, disabled_because: "token_revoked" }));
  expect(await screen.findByText(/令牌已撤销/)).toBeTruthy();
  expect(screen.getByText(/由你接管/)).toBeTruthy();
});

test("one for a meeting off the record says that no events are sent", async () => {
  await open("/settings/webhooks", listed({ meeting: "m1", off_record: true }));
  expect(await screen.findByText(/不推送事件/)).toBeTruthy();
});

test("all events take the place of some, and some that of all", async () => {
  const { user } = await open("/settings/webhooks", listed());
  await user.click(await screen.findByRole("button", { name: "新建 Webhook" }));
  const kinds = screen.getByRole("combobox", { name: /^事件/ });
  const chosen = () =>
    screen
      .queryAllByRole("button", { name: /^移除/ })
      .map((one) => one.ariaLabel ?? one.getAttribute("aria-label"));
  await user.type(kinds, "finished{Enter}");
  await user.type(kinds, "全部事件{Enter}");
  expect(chosen()).toEqual(["移除 全部事件"]);
  await user.type(kinds, "vote_cast{Enter}");
  expect(chosen()).toEqual(["移除 投票"]);
  // Pressed once more than the list needs, it takes nothing out.
  await user.type(kinds, "{Escape}{Escape}{Escape}");
  expect(chosen()).toEqual(["移除 投票"]);
  await user.type(kinds, "{Backspace}");
  expect(chosen()).toEqual([]);
});
