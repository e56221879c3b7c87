// Editing of minutes: the text outlasts a change of tab, and is discarded only on request.

import { act, cleanup, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import Minutes from "../../../app/src/features/panel/minutes";
import { at, golden, server } from "./at";

beforeEach(() => vi.unstubAllGlobals());

const minutes = { summary: "先备份", decisions: [], actions: [], risks: [], content: "" };
const view = {
  ...golden("zh/consensus", 68),
  minutes: {
    version: 1,
    seq: 60,
    written_at: "2026-03-01T08:30:00.000Z",
    author: { kind: "facilitator" as const },
    covers: 4,
    minutes,
  },
};

let turn: () => void;

/** The tab, in sight and out of it by turns. */
function Tab() {
  const [shown, show] = useState(true);
  turn = () => act(() => show((now) => !now));
  return shown && <Minutes />;
}

const summary = () => screen.findByRole<HTMLTextAreaElement>("textbox", { name: "摘要" });
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));

test("whoever edited the minutes is named in words", async () => {
  const edited = { ...view.minutes, author: { kind: "person" as const, id: "owner", name: "owner" } };
  await at({ ...view, minutes: edited }, <Tab />);
  expect(screen.getByText(/^由用户撰写/)).toBeDefined();
  cleanup();
  const own = { ...view.minutes, author: { kind: "person" as const, id: "ada", name: "ada" } };
  await at({ ...view, minutes: own }, <Tab />);
  expect(screen.getByText(/^由你撰写/)).toBeDefined();
});

test("an edit is there when the tab comes back", async () => {
  await at(view, <Tab />);
  await press("编辑");
  await userEvent.type(await summary(), "，再迁移");
  turn();
  expect(screen.queryByRole("textbox")).toBeNull();
  turn();
  expect((await summary()).value).toBe("先备份，再迁移");
});

test("a changed edit is dropped when that is confirmed, an unchanged one at once", async () => {
  await at(view, <Tab />);
  await press("编辑");
  await summary();
  await press("取消");
  expect(await screen.findByText("先备份")).toBeDefined();
  await press("编辑");
  await userEvent.type(await summary(), "！");
  await press("取消");
  expect(await screen.findByRole("alertdialog", { name: "放弃修改" })).toBeDefined();
  await press("放弃修改");
  expect(await screen.findByText("先备份")).toBeDefined();
  turn();
  turn();
  expect(screen.queryByRole("textbox")).toBeNull();
});

test("an edit that is saved is kept no longer", async () => {
  const sent = server(() => Response.json({ seq: 70, version: 2 }));
  await at(view, <Tab />);
  await press("编辑");
  await userEvent.type(await summary(), "！");
  await press("保存");
  expect(await screen.findByText("先备份")).toBeDefined();
  expect(sent.at(-1)?.body).toMatchObject({ summary: "先备份！" });
});
