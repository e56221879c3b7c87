// The whole page of a new meeting: its keys, what is told where, and what can be taken back.

import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { saveForm } from "../../app/src/features/create/saved-form";
import { emptyForm } from "../../app/src/meeting-form/form";
import { storeFile } from "../../app/src/meeting-form/form-storage";
import { startKeys } from "../../app/src/shell/keys";
import { type Answers, OWNER, open, problem } from "./people/page";
import { haveFormats } from "./served-formats";

beforeAll(startKeys);
beforeEach(() => {
  sessionStorage.clear();
  haveFormats();
});
afterEach(() => vi.unstubAllGlobals());

const answers = (more: Answers = {}): Answers => ({
  "GET /me": [200, OWNER],
  "GET /templates": [200, { items: [], next_cursor: null }],
  ...more,
});

/** Opens the page with a topic that was filled in. */
async function filled(more?: Answers) {
  saveForm({ ...emptyForm(), topic: "拆吗？" });
  const page = await open("/new", answers(more));
  await screen.findByDisplayValue("拆吗？");
  const created = () => page.sent.filter((one) => one.path === "/meetings");
  return { ...page, created };
}

const press = (more: KeyboardEventInit = {}) =>
  act(() => {
    document.body.dispatchEvent(
      new KeyboardEvent("keydown", { key: "Enter", ctrlKey: true, bubbles: true, ...more }),
    );
  });

test("keys begin nothing while they are held down, nor while a start is under way", async () => {
  const { created } = await filled();
  const never = new Promise<Response>(() => {});
  const fetched = vi.fn(() => never);
  vi.stubGlobal("fetch", fetched);
  press({ repeat: true });
  await act(() => new Promise((done) => setTimeout(done, 20)));
  expect(created()).toHaveLength(0);
  press();
  await screen.findAllByRole("button", { name: "开始会议", busy: true });
  const before = fetched.mock.calls.length;
  press();
  await act(() => new Promise((done) => setTimeout(done, 20)));
  expect(fetched.mock.calls).toHaveLength(before);
});

test("a form that was sent is left alone until the server has refused it", async () => {
  const { user } = await filled();
  const topic = screen.getByDisplayValue<HTMLTextAreaElement>("拆吗？");
  const untouchable = () =>
    [topic, screen.getByRole("button", { name: "重新填写" })].map((one) => one.closest("[inert]"));
  let answer = (_: Response) => {};
  vi.stubGlobal(
    "fetch",
    () =>
      new Promise<Response>((told) => {
        answer = told;
      }),
  );
  await user.click(topic);
  expect(untouchable()).toEqual([null, null]);
  press();
  await screen.findAllByRole("button", { name: "开始会议", busy: true });
  expect(untouchable()).not.toContain(null);
  topic.blur();
  const refusal = { type: "#bug", title: "bug", status: 500, detail: "坏了" };
  const type = "application/problem+json";
  await act(async () => answer(Response.json(refusal, { status: 500, headers: { "content-type": type } })));
  await screen.findByText("坏了");
  expect(untouchable()).toEqual([null, null]);
  await waitFor(() => expect(document.activeElement).toBe(topic));
});

test("what is changed once the meeting was made is not kept for the next one", async () => {
  saveForm({ ...emptyForm(), topic: "拆吗？" });
  const { user, history } = await open(
    "/new?topic=合吗？",
    answers({ "POST /meetings": [201, { id: "m1" }] }),
  );
  await screen.findByDisplayValue("合吗？");
  const undo = await screen.findByRole("button", { name: "撤销" });
  await user.click(screen.getAllByRole("button", { name: "存为草稿" })[0] as HTMLElement);
  await user.click(undo);
  await waitFor(() => expect(history.location.pathname).toBe("/m/m1"));
  expect(sessionStorage.getItem("quorate.new")).toBeNull();
});

test("keys begin nothing behind a window", async () => {
  const { created, user } = await filled({ "POST /meetings": problem(422, "no") });
  await user.click(screen.getByRole("button", { name: "模板" }));
  await user.click(await screen.findByRole("menuitem", { name: "使用模板" }));
  await screen.findByRole("dialog", { name: "模板" });
  press();
  await act(() => new Promise((done) => setTimeout(done, 20)));
  expect(created()).toHaveLength(0);
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  press();
  await waitFor(() => expect(created()).toHaveLength(1));
});

test("what the server finds wrong is told, also where no section has a place for it", async () => {
  const errors = [
    { pointer: "/lang", detail: "没有这种语言" },
    { pointer: "", detail: "文件太大" },
  ];
  await filled({ "POST /meetings": problem(422, "invalid", { errors }) });
  press();
  const summary = screen.getByRole("complementary", { name: "概览" });
  const alert = await within(summary).findByRole("alert");
  expect(alert.textContent).toContain("还有 2 处要改");
  expect(within(alert).getByText("文件太大")).toBeTruthy();
  expect(within(alert).getByRole("button", { name: "主题 · 没有这种语言" })).toBeTruthy();
});

test("what stands in the way of an estimate is told in words, without the place of a field", async () => {
  const detail = "“<b>”无法用 @名字 提到";
  const errors = [{ pointer: "/participants/0/name", detail }];
  await filled({
    "POST /meetings/estimate": problem(422, "invalid", {
      detail: `participants[0].name：${detail}`,
      hint: "去掉 < >",
      errors,
    }),
  });
  expect(await screen.findByText(`还无法估算：${detail}；去掉 < >`)).toBeTruthy();
});

test.each([
  ["a topic of the first page", "/new?topic=合吗？", () => {}, "合吗？"],
  ["an example", "/new", () => storeFile({ topic: "例子" }), "例子"],
])("%s takes the place of a form that was begun, and gives it back", async (_, path, give, topic) => {
  saveForm({ ...emptyForm(), topic: "拆吗？", described: ["一位律师"], moderator: "小林" });
  give();
  const { user } = await open(path, answers());
  await screen.findByDisplayValue(topic);
  await user.click(await screen.findByRole("button", { name: "撤销" }));
  expect(await screen.findByDisplayValue("拆吗？")).toBeTruthy();
  expect(screen.getByText("一位律师")).toBeTruthy();
  expect(screen.getByRole("combobox", { name: "主持人" }).textContent).toContain("小林");
});

test("starting over is taken back with the files", async () => {
  const { user } = await filled();
  await user.click(screen.getByRole("button", { name: "补充背景" }));
  const picker = document.querySelector<HTMLInputElement>("input[type=file]");
  await user.upload(picker as HTMLInputElement, new File(["x"], "账单.csv"));
  expect(screen.getByText("账单.csv")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "重新填写" }));
  expect(screen.queryByText("账单.csv")).toBeNull();
  await user.click(await screen.findByRole("button", { name: "撤销" }));
  expect(screen.getByDisplayValue("拆吗？")).toBeTruthy();
  expect(screen.getByText("账单.csv")).toBeTruthy();
});
