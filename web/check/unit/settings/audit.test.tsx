// An empty audit log says why: nothing was done yet, or the filters leave nothing over.

import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { OWNER, open, problem } from "../people/page";

afterEach(() => vi.unstubAllGlobals());

test("a log without entries does not ask for wider filters before there are any", async () => {
  await open("/settings/audit", {
    "GET /me": [200, OWNER],
    "GET /audit": [200, { items: [], next_cursor: null }],
    "GET /meetings": [200, { items: [], next_cursor: null }],
  });
  expect(await screen.findByText("还没有记录")).toBeTruthy();
  expect(screen.queryByText(/放宽条件/)).toBeNull();
  await userEvent.type(screen.getByPlaceholderText("任何人"), "ada");
  expect(await screen.findByText(/放宽条件/)).toBeTruthy();
});

test("an entry says in words what was done, how, and how it ended", async () => {
  const entry = {
    happened_at: "2026-11-25T03:00:00.000Z",
    by: "user:ada",
    action: "tokens.post",
    meeting: null,
    detail: { status: 201, via: "command_line", name: "脚本", token: "t1" },
    address: "local",
  };
  const refused = {
    ...entry,
    by: "",
    action: "new.kind.post",
    detail: { status: 403, via: "rest" },
    meeting: "m1",
  };
  await open("/settings/audit", {
    "GET /me": [200, OWNER],
    "GET /audit": [200, { items: [entry, refused], next_cursor: null }],
    "GET /meetings": [200, { items: [], next_cursor: null }],
  });
  const [made, other] = within(await screen.findByRole("list", { name: "审计记录" })).getAllByRole(
    "listitem",
  );
  expect(made?.textContent).toMatch(
    /ada.*创建.*名称：脚本 · 访问令牌：t1 · 用命令行 · 来自本机 · tokens\.post.*完成/,
  );
  expect(made?.textContent).not.toContain("via");
  expect(other?.textContent).toMatch(/未登录.*new\.kind\.post.*经 HTTP.*被拒绝 403/);
  // The exact action is there to read, once.
  expect(other?.textContent?.match(/new\.kind\.post/g)).toHaveLength(1);
  expect(
    within(other as HTMLElement)
      .getByRole("link")
      .getAttribute("href"),
  ).toBe("/m/m1");
});

test("a log that cannot be read says why, with another try", async () => {
  await open("/settings/audit", {
    "GET /me": [200, OWNER],
    "GET /audit": problem(403, "forbidden", { detail: "只有所有者可以查看" }),
    "GET /meetings": [200, { items: [], next_cursor: null }],
  });
  expect((await screen.findByRole("alert")).textContent).toContain("只有所有者可以查看");
});
