// The window that imports meetings: what is chosen is told before it is sent, and a refusal stands beside its file.

import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { type Answers, OWNER, open, problem } from "../people/page";

afterEach(() => vi.unstubAllGlobals());

const MEETING = '{"id":"m1","topic":"先迁哪张表","participants":[]}';
const file = (name: string, text = MEETING) => new File([text], name, { type: "application/json" });
const imported = {
  meetings: [
    {
      meeting_id: "n1",
      from: "m1",
      file: "meetings/a.json",
      topic: "先迁哪张表",
      state: "paused",
      notes: [{ text: "跳过的发言没有导入" }],
    },
  ],
  agents: [],
  agents_left: 0,
};

const shown = async (more: Answers = {}, path = "/meetings") => {
  const opened = await open(path, {
    "GET /me": [200, OWNER],
    "GET /meetings": [200, { items: [], next_cursor: null }],
    "GET /templates": [200, { items: [], next_cursor: null }],
    ...more,
  });
  return opened;
};
const dialogOf = async () => within(await screen.findByRole("dialog", { name: "导入会议" }));

test("a chosen file says what is in it, is sent, and leads to its meeting", async () => {
  const { sent, user } = await shown({ "POST /import": [201, imported] });
  await user.click(await screen.findByRole("button", { name: "导入" }));
  const dialog = await dialogOf();
  expect(dialog.getByRole<HTMLButtonElement>("button", { name: "导入" }).disabled).toBe(true);
  await user.upload(dialog.getByLabelText("选择文件", { selector: "input" }), file("a.json"));
  expect(await dialog.findByText("1 场会议")).toBeTruthy();
  expect(dialog.getByText("先迁哪张表")).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "导入" }));
  const link = await dialog.findByRole<HTMLAnchorElement>("link", { name: "先迁哪张表" });
  expect(new URL(link.href).pathname).toBe("/m/n1");
  expect(dialog.getByText("已暂停")).toBeTruthy();
  expect(dialog.getByText("跳过的发言没有导入")).toBeTruthy();
  expect(sent.at(-1)?.body).toEqual({ files: { "meetings/a.json": MEETING }, agents: false });
  await user.click(dialog.getByRole("button", { name: "完成" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("a refusal stands beside its file, the others are imported, and it can be sent again", async () => {
  let mended = false;
  const answers: Answers = {
    "POST /import": ({ body }) =>
      !mended && JSON.stringify(body).includes("bad.json")
        ? problem(422, "invalid", { detail: "meetings/bad.json：缺少字段 id" })
        : [201, imported],
  };
  const { sent } = await shown(answers, "/meetings?import=true");
  const dialog = await dialogOf();
  fireEvent.drop(dialog.getByRole("region", { name: "选择文件" }), {
    dataTransfer: {
      files: [file("bad.json"), file("good.json"), file("log.jsonl", '{"seq":1,"type":"a"}\n{}')],
    },
  });
  await waitFor(() => expect(dialog.getAllByText("1 场会议")).toHaveLength(2));
  expect(await dialog.findByText(/不能导入/)).toBeTruthy();
  fireEvent.click(dialog.getByRole("button", { name: "导入" }));
  expect(await dialog.findByText(/缺少字段 id/)).toBeTruthy();
  expect(await dialog.findByRole("link", { name: "先迁哪张表" })).toBeTruthy();
  expect(sent).toHaveLength(2);
  mended = true;
  fireEvent.click(await dialog.findByRole("button", { name: "导入" }));
  await waitFor(() => expect(dialog.getAllByRole("link")).toHaveLength(2));
  expect(sent).toHaveLength(3);
  expect(dialog.queryByText(/缺少字段 id/)).toBeNull();
});

test("a file of which nobody knows what became of it is sent again under the same key", async () => {
  let lost = true;
  const { sent } = await shown(
    { "POST /import": () => (lost ? problem(504, "unknown") : [201, imported]) },
    "/meetings?import=true",
  );
  const dialog = await dialogOf();
  fireEvent.drop(dialog.getByRole("region", { name: "选择文件" }), {
    dataTransfer: { files: [file("a.json")] },
  });
  await dialog.findByText("1 场会议");
  fireEvent.click(dialog.getByRole("button", { name: "导入" }));
  expect(await dialog.findByText(/不会重复导入/)).toBeTruthy();
  lost = false;
  fireEvent.click(dialog.getByRole("button", { name: "导入" }));
  expect(await dialog.findByRole("link", { name: "先迁哪张表" })).toBeTruthy();
  const [first, second] = sent.map(({ headers }) => headers.get("idempotency-key"));
  expect(first).toBeTruthy();
  expect(second).toBe(first);
});

test("a file that cannot be read says so, and those after it are read", async () => {
  await shown({}, "/meetings?import=true");
  const dialog = await dialogOf();
  let failed = false;
  vi.stubGlobal(
    "Blob",
    class extends Blob {
      constructor(...given: ConstructorParameters<typeof Blob>) {
        super(...given);
        if (!failed) {
          failed = true;
          throw new RangeError("out of memory");
        }
      }
    },
  );
  fireEvent.drop(dialog.getByRole("region", { name: "选择文件" }), {
    dataTransfer: { files: [file("a.json"), file("b.json")] },
  });
  expect(await dialog.findByText(/浏览器无法读取这个文件/)).toBeTruthy();
  expect(await dialog.findByText("1 场会议")).toBeTruthy();
  expect(dialog.queryByText("正在读取…")).toBeNull();
});

test("an import under way asks before its window closes, and what was not sent yet is not sent then", async () => {
  const { sent, user } = await shown({ "POST /import": [201, imported] }, "/meetings?import=true");
  const dialog = await dialogOf();
  fireEvent.drop(dialog.getByRole("region", { name: "选择文件" }), {
    dataTransfer: { files: [file("a.json"), file("b.json")] },
  });
  await waitFor(() => expect(dialog.getAllByText("1 场会议")).toHaveLength(2));
  const answered = fetch;
  let answer = () => {};
  const held = new Promise<void>((done) => {
    answer = done;
  });
  vi.stubGlobal("fetch", async (request: Request) => {
    const response = await answered(request);
    if (request.url.endsWith("/import")) {
      await held;
    }
    return response;
  });
  await user.click(dialog.getByRole("button", { name: "导入" }));
  await user.keyboard("{Escape}");
  const question = within(await screen.findByRole("alertdialog", { name: "导入还在进行，要关闭吗？" }));
  await user.click(question.getByRole("button", { name: "停止并关闭" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  answer();
  await new Promise((done) => setTimeout(done, 100));
  expect(sent.filter(({ path }) => path === "/import")).toHaveLength(1);
});

test("where nobody answered, it is said that the meeting may be there", async () => {
  await shown({ "POST /import": problem(504, "unknown") }, "/meetings?import=true");
  const dialog = await dialogOf();
  fireEvent.drop(dialog.getByRole("region", { name: "选择文件" }), {
    dataTransfer: { files: [file("a.json")] },
  });
  await dialog.findByText("1 场会议");
  fireEvent.click(dialog.getByRole("button", { name: "导入" }));
  expect(await dialog.findByText(/无法确定服务器是否已经导入/)).toBeTruthy();
});

test("a file that is dropped beside the window does not take the place of the page", async () => {
  await shown({}, "/meetings?import=true");
  await dialogOf();
  // An event that is held back by somebody says so by `false`.
  expect(fireEvent.drop(document.body, { dataTransfer: { files: [file("a.json")] } })).toBe(false);
});

test("the palette opens it, for those who may import alone", async () => {
  const { user } = await shown({}, "/settings/about");
  await user.click(await screen.findByRole("button", { name: "命令面板" }));
  await user.click(await screen.findByRole("option", { name: "导入会议" }));
  expect(await screen.findByRole("dialog", { name: "导入会议" })).toBeTruthy();
});

test("without the scope there is no such button, and no window by its address", async () => {
  await shown({ "GET /me": [200, { ...OWNER, scope: "manage" }] }, "/meetings?import=true");
  expect((await screen.findAllByRole("link", { name: "新会议" })).length).toBeGreaterThan(0);
  // Its room is kept, unseen, until it is known who asks.
  await waitFor(() => expect(screen.queryByRole("button", { name: "导入" })).toBeNull());
  expect(screen.queryByRole("dialog")).toBeNull();
});
