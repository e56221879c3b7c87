// The rules of a meeting under way: two ways to look at them, and what is saved and undone.

import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import type { Rules } from "../../../app/src/api/schema";
import RulesDialog from "../../../app/src/features/header/rules";
import { haveFormats } from "../served-formats";
import { at, golden, type Sent, server } from "./at";

beforeEach(() => {
  vi.unstubAllGlobals();
  haveFormats();
});

const view = golden("zh/decision", 11);

/** The window; `put`: what is answered to the writes, in their order. */
async function rules(...put: Response[]): Promise<Sent[]> {
  const sent = server(({ method }) =>
    method === "PUT" ? put.shift() : Response.json(view.rules, { headers: { etag: '"5"' } }),
  );
  await at(view, <RulesDialog onOpenChange={() => {}} />);
  await screen.findByRole("button", { name: "全部（JSON）" });
  return sent;
}

const text = () => screen.getByRole<HTMLTextAreaElement>("textbox", { name: "全部（JSON）" });
const show = (name: string) => userEvent.click(screen.getByRole("button", { name }));
async function write(words: string) {
  await userEvent.clear(text());
  await userEvent.click(text());
  await userEvent.paste(words);
}
const writes = (sent: Sent[]) => sent.filter((one) => one.method === "PUT");

test("what is changed in the JSON stays when it is looked at in words, and is saved from there", async () => {
  const sent = await rules(Response.json({ seq: 12, rules: view.rules }));
  await show("全部（JSON）");
  const changed: Rules = { ...view.rules, limits: { ...view.rules.limits, max_rounds: 17 } };
  await write(JSON.stringify(changed));
  await show("常用");
  expect(screen.getAllByDisplayValue("17")).not.toEqual([]);
  await userEvent.click(screen.getByRole("button", { name: "保存" }));
  await waitFor(() => expect(writes(sent)[0]?.body).toEqual(changed));
});

test("what is no JSON, or leaves out what is shown in words, stays in sight and says where it is wrong", async () => {
  await rules();
  await show("全部（JSON）");
  await write('{\n  "limits": {},\n}');
  await show("常用");
  expect(screen.getByText("第 3 行第 1 列不是有效的 JSON。")).toBeTruthy();
  expect(text().value).toContain('"limits"');
  await write(JSON.stringify({ ...view.rules, turns: undefined }));
  await show("常用");
  expect(screen.getByText(/JSON 中没有 turns。/)).toBeTruthy();
});

test("undoing holds only while nobody else has changed the rules, and says so otherwise", async () => {
  const gone = { type: "#changed-meanwhile", title: "t", status: 412, detail: "If-Match" };
  const sent = await rules(
    Response.json({ seq: 12, rules: view.rules }),
    Response.json(gone, { status: 412 }),
  );
  await userEvent.click(screen.getByRole("switch", { name: /可以跳过发言/ }));
  await userEvent.click(screen.getByRole("button", { name: "保存" }));
  await userEvent.click(await screen.findByRole("button", { name: "撤销" }));
  expect(await screen.findAllByText(/没有改回：你保存之后，又有人改过规则/)).not.toEqual([]);
  expect(writes(sent).map((one) => one.headers.get("if-match"))).toEqual(['"5"', '"12"']);
});

test("rules that somebody else has changed meanwhile are said to be so, without what a program would do", async () => {
  const gone = { type: "#changed-meanwhile", title: "t", status: 412, detail: "d", hint: "If-Match" };
  await rules(Response.json(gone, { status: 412 }));
  await userEvent.click(screen.getByRole("switch", { name: /可以跳过发言/ }));
  await userEvent.click(screen.getByRole("button", { name: "保存" }));
  const alert = await screen.findByRole("alert");
  expect(within(alert).getByText(/有人在你打开之后改过规则/)).toBeTruthy();
  expect(alert.textContent).not.toContain("If-Match");
});

test("a field that is unknown is said once, as it is written", async () => {
  const errors = [{ pointer: "/turnz", detail: "unknown field `turnz`" }];
  const unknown = {
    type: "#invalid",
    title: "t",
    status: 422,
    detail: "turnz: unknown field `turnz`",
    errors,
  };
  await rules(Response.json(unknown, { status: 422 }));
  await show("全部（JSON）");
  await write(JSON.stringify({ ...view.rules, turnz: {} }));
  await show("保存");
  const alert = await screen.findByRole("alert");
  const said = within(alert).getAllByText(/unknown field/);
  expect(said.map((one) => [one.textContent, one.className.includes("uppercase")])).toEqual([
    ["turnz: unknown field `turnz`", false],
  ]);
});

test.each(["form", "json"])("edits in the %s are not lost by Escape: it asks first", async (as) => {
  const closed = vi.fn();
  server(() => Response.json(view.rules, { headers: { etag: '"5"' } }));
  await at(view, <RulesDialog onOpenChange={closed} />);
  await screen.findByRole("button", { name: "全部（JSON）" });
  if (as === "form") {
    await userEvent.click(screen.getByRole("switch", { name: /可以跳过发言/ }));
  } else {
    await show("全部（JSON）");
    await write("{}");
  }
  await userEvent.keyboard("{Escape}");
  const asked = await screen.findByRole("alertdialog");
  expect(closed).not.toHaveBeenCalled();
  await userEvent.click(within(asked).getByRole("button", { name: "取消" }));
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  expect(closed).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole("button", { name: "关闭" }));
  await userEvent.click(within(await screen.findByRole("alertdialog")).getByRole("button", { name: "放弃" }));
  expect(closed).toHaveBeenCalledWith(false);
});

test("rules that were only read close at once", async () => {
  const closed = vi.fn();
  server(() => Response.json(view.rules, { headers: { etag: '"5"' } }));
  await at(view, <RulesDialog onOpenChange={closed} />);
  await screen.findByRole("button", { name: "全部（JSON）" });
  await show("全部（JSON）");
  await userEvent.keyboard("{Escape}");
  expect(closed).toHaveBeenCalledWith(false);
});
