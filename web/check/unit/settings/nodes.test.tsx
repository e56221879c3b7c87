// The nodes that share the database, and the meetings that went over from one to another.

import { screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { stateOf } from "../../../app/src/features/settings/nodes";
import { moment } from "../../../app/src/shell/formatting";
import { type Answers, OWNER, open, problem } from "../people/page";

afterEach(() => vi.unstubAllGlobals());

const A = {
  id: "甲-1",
  address: "http://10.0.0.5:7420",
  alive: true,
  draining: false,
  here: true,
  lease_expires_at: "2026-11-25T03:00:10.000Z",
  meetings: 3,
  started_at: "2026-11-25T02:00:00.000Z",
  takeovers: 0,
  version: "0.1.0",
};
const B = { ...A, id: "乙-2", address: null, alive: false, here: false, meetings: 0, takeovers: 2 };
const CHANGE = { changed_at: "2026-11-25T02:30:00.000Z", epoch: 2, from: "乙-2", meeting: "m1", to: "甲-1" };
const page = (items: unknown[]) => [200, { items, next_cursor: null }] as [number, unknown];

const shown = async (more: Answers) => {
  const opened = await open("/settings/nodes", {
    "GET /me": [200, { ...OWNER, scope: "manage" }],
    "GET /meetings": page([{ id: "m1", title: "选哪个数据库", created_at: CHANGE.changed_at }]),
    ...more,
  });
  return opened;
};

test("with a database file the server runs alone, and says where several nodes are described", async () => {
  const { asked } = await shown({ "GET /nodes": page([]) });
  expect(await screen.findByText("这台服务器独自运行")).toBeTruthy();
  expect(screen.getByText(/operations\.md/)).toBeTruthy();
  expect(asked).not.toContain("GET /nodes/owner-changes");
});

test("each node says its state, its address and its work, and a change leads to its meeting", async () => {
  await shown({ "GET /nodes": page([A, B]), "GET /nodes/owner-changes": page([CHANGE]) });
  const [here, gone] = within(await screen.findByRole("list", { name: "共用数据库的节点" })).getAllByRole(
    "listitem",
  );
  expect(here?.textContent).toMatch(/甲-1.*运行中.*你连接的节点.*10\.0\.0\.5:7420.*3 场/);
  expect(gone?.textContent).toMatch(/乙-2.*不在线.*命令行进程.*接手过 2 场/);
  expect(gone?.textContent).toContain(moment(B.lease_expires_at));
  const link = await screen.findByRole<HTMLAnchorElement>("link", { name: "选哪个数据库" });
  expect(new URL(link.href).pathname).toBe("/m/m1");
  expect(screen.getByText("从 乙-2 到 甲-1")).toBeTruthy();
});

test("no change is said, and a meeting of which the title is not known is named by its id", async () => {
  await shown({ "GET /nodes": page([A]), "GET /nodes/owner-changes": page([]) });
  expect(await screen.findByText("最近 30 天没有会议转移过。")).toBeTruthy();
});

test("an error is said, with another try", async () => {
  const answers: Answers = { "GET /nodes": problem(403, "forbidden", { detail: "无权查看节点" }) };
  await shown(answers);
  expect((await screen.findByRole("alert")).textContent).toContain("无权查看节点");
  expect(screen.getByRole("button", { name: "重试" })).toBeTruthy();
});

test("a node whose lease is over is gone, also one that was about to stop", () => {
  expect(stateOf({ alive: true, draining: false })).toBe("running");
  expect(stateOf({ alive: true, draining: true })).toBe("draining");
  expect(stateOf({ alive: false, draining: true })).toBe("gone");
});
