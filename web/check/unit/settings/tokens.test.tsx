// A token is shown once, and what may not be seen is not offered.

import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { queries } from "../../../app/src/api/queries";
import { type Answers, OWNER, open, problem } from "../people/page";

afterEach(() => vi.unstubAllGlobals());

const VIEW = {
  id: "t1",
  name: "夜间汇总",
  by: "ada",
  prefix: "qt_abcdef",
  scope: "read",
  created_at: new Date(1).toISOString(),
};

test("a token is shown once, with what it may do and until when", async () => {
  const answers: Answers = {
    "GET /me": [200, OWNER],
    "GET /tokens": [200, { items: [], next_cursor: null }],
    "GET /meetings": [200, { items: [] }],
    "POST /tokens": () => {
      answers["GET /tokens"] = [200, { items: [VIEW], next_cursor: null }];
      return [201, { ...VIEW, token: "qt_abcdef0123456789" }];
    },
  };
  const { sent, user } = await open("/settings/tokens", answers);
  await user.click(await screen.findByRole("button", { name: "新建访问令牌" }));
  await user.type(screen.getByLabelText(/用途/), "夜间汇总");
  await user.click(screen.getByRole("button", { name: "创建访问令牌" }));
  const line = await screen.findByRole<HTMLInputElement>("textbox", { name: /现在复制/ });
  expect(line.value).toBe("qt_abcdef0123456789");
  expect(sent.at(-1)?.body).toEqual({ name: "夜间汇总", scope: "read", meeting: null, expires_in_days: 90 });
  const list = await screen.findByRole("list", { name: "访问令牌" });
  expect(within(list).getByText("qt_abcdef…")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "已保存，收起" }));
  expect(document.body.innerHTML).not.toContain("0123456789");
  const remembered = queries.getMutationCache().getAll();
  expect(JSON.stringify(remembered.map((one) => one.state))).not.toContain("0123456789");
});

test("a token is taken back only after one was asked", async () => {
  const { sent, user } = await open("/settings/tokens", {
    "GET /me": [200, OWNER],
    "GET /tokens": [200, { items: [VIEW], next_cursor: null }],
    "DELETE /tokens/t1": [204],
  });
  await user.click(await screen.findByRole("button", { name: "撤销" }));
  const dialog = await screen.findByRole("alertdialog");
  expect(sent).toEqual([]);
  await user.click(within(dialog).getByRole("button", { name: "撤销" }));
  await waitFor(() => expect(sent.map((one) => one.path)).toEqual(["/tokens/t1"]));
});

test("what is not right about it stands at its field", async () => {
  const { user } = await open("/settings/tokens", {
    "GET /me": [200, OWNER],
    "GET /tokens": [200, { items: [], next_cursor: null }],
    "GET /meetings": [200, { items: [] }],
    "POST /tokens": problem(422, "invalid", { errors: [{ pointer: "/name", detail: "应有 1 到 100 个字" }] }),
  });
  await user.click(await screen.findByRole("button", { name: "新建访问令牌" }));
  await user.type(screen.getByLabelText(/用途/), "x");
  await user.click(screen.getByRole("button", { name: "创建访问令牌" }));
  expect(await screen.findByText("应有 1 到 100 个字")).toBeTruthy();
  expect(screen.queryByRole("alert")).toBeNull();
});

test("whoever may only speak sees no tokens, accounts or log, and is told what it takes", async () => {
  await open("/settings/audit", { "GET /me": [200, { ...OWNER, scope: "speak" }] });
  expect(await screen.findByText(/需要“所有者”权限/)).toBeTruthy();
  expect(screen.queryByRole("link", { name: "访问令牌" })).toBeNull();
  expect(screen.getByText(/你的权限看不到/).textContent).toContain("审计日志");
  expect(screen.getByRole("link", { name: "登录会话" })).toBeTruthy();
});
