// A user who may not create meetings is told so, and is offered nothing that the server would refuse.

import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import type { CurrentUser as Me } from "../../../app/src/api/schema";
import { TableHeader } from "../../../app/src/features/header/header";
import meetings from "../fixtures/meetings.json";
import report from "../fixtures/report-consensus.json";
import view from "../fixtures/view-consensus.json";
import whatIf from "../fixtures/what-if.json";
import { at, golden } from "../table/at";
import { type Answers, OWNER, open } from "./page";

afterEach(() => vi.unstubAllGlobals());

const READER: Me = { ...OWNER, name: "读者", scope: "read" };
const NOT_HOLD = /召开新会议需要“管理”权限/;
const NOT_CONNECT = /接入模型需要“所有者”权限/;
const EMPTY = { items: [], next_cursor: null };

function server(who: Me, more: Answers = {}): Answers {
  return {
    "GET /me": [200, who],
    "GET /meetings": [200, meetings],
    "GET /providers": [200, { items: [], next_cursor: null }],
    "GET /provider-presets": [200, { presets: [] }],
    "GET /agents": [200, { items: [], next_cursor: null }],
    "GET /meetings/x": [200, view],
    "GET /meetings/x/report": [200, { ...report, meeting_id: "x" }],
    "POST /meetings/x/what-if": [200, whatIf],
    ...more,
  };
}

const toNew = () => document.querySelectorAll('a[href^="/new"]').length;

test("at home a reader finds the meetings, and no box for a new one", async () => {
  await open("/", server(READER));
  expect(await screen.findByText(NOT_HOLD)).toBeTruthy();
  expect(await screen.findByRole("heading", { name: "最近的会议" })).toBeTruthy();
  expect(screen.queryByRole("textbox")).toBeNull();
  expect(screen.queryByRole("button", { name: /演示/ })).toBeNull();
  expect(toNew()).toBe(0);
});

test("at home a manager can begin, and is told who connects a model", async () => {
  await open("/", server({ ...OWNER, scope: "manage" }));
  expect(await screen.findByText(NOT_CONNECT)).toBeTruthy();
  expect(screen.getByRole("textbox", { name: "想弄清楚什么？" })).toBeTruthy();
  expect(screen.queryByText(NOT_HOLD)).toBeNull();
  expect(toNew()).toBeGreaterThan(0);
});

test("the form of a new meeting is there for whoever may send it", async () => {
  const { sent } = await open("/new", server(READER));
  expect(await screen.findByText(NOT_HOLD)).toBeTruthy();
  expect(screen.queryByRole("textbox")).toBeNull();
  expect(sent.map((one) => one.path)).not.toContain("/meetings");
});

test("the form leaves a model to the owner", async () => {
  await open("/new", server({ ...OWNER, scope: "manage" }));
  expect(await screen.findByText(NOT_CONNECT)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "接入模型" })).toBeNull();
});

test("the list of meetings leads a reader to no new one", async () => {
  const { user } = await open("/meetings", server(READER));
  await user.click((await screen.findAllByRole("button", { name: /操作/ }))[0] as HTMLElement);
  expect(await screen.findByRole("menuitem", { name: "打开" })).toBeTruthy();
  expect(screen.queryByRole("menuitem", { name: "照此新建会议" })).toBeNull();
  expect(toNew()).toBe(0);
});

test("an empty list says to a reader who can fill it", async () => {
  await open("/meetings", server(READER, { "GET /meetings": [200, EMPTY] }));
  expect(await screen.findByText(NOT_HOLD)).toBeTruthy();
  expect(within(screen.getByRole("main")).queryByRole("button", { name: /演示/ })).toBeNull();
});

test.each([
  { who: READER, offered: 0 },
  { who: OWNER, offered: 2 },
])("a result can be held again by whoever may", async ({ who, offered }) => {
  const { user } = await open("/m/x/result", server(who));
  await screen.findByRole("slider", { name: "平均分" });
  await user.click(screen.getByRole("button", { name: "更多" }));
  await screen.findByRole("menuitem", { name: /打印/ });
  expect(screen.queryAllByRole("menuitem", { name: /照此再开一场|分叉/ })).toHaveLength(offered);
  // What was tried can be held, too.
  const again = screen.queryAllByRole("button", { name: "照此再开一场", hidden: true });
  expect(again).toHaveLength(offered > 0 ? 1 : 0);
});

test("the menu of a meeting leads a speaker to no new one", async () => {
  await at(golden("zh/consensus"), <TableHeader />, { may: { speak: true, manage: false } });
  await userEvent.click(screen.getByRole("button", { name: "更多操作" }));
  expect(await screen.findByRole("menuitem", { name: "导出" })).toBeTruthy();
  expect(screen.queryByRole("menuitem", { name: "照此新建会议" })).toBeNull();
});
