// The pages of the library: an empty one, taking over a suggestion, and two who edit at once.

import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { type Answers, OWNER, open, problem } from "../people/page";

afterEach(() => vi.unstubAllGlobals());

const ADA = {
  id: "a1",
  name: "Ada",
  role: { name: "怀疑派", description: "找漏洞", system_prompt: "" },
  runner: { kind: "simulated", temperament: "balanced" },
  created_at: new Date(1).toISOString(),
  updated_at: new Date(7).toISOString(),
};
const BASE: Answers = { "GET /me": [200, OWNER], "GET /providers": [200, { items: [], next_cursor: null }] };

test("an empty library offers three agents, and one is taken over with a model of one's own", async () => {
  const { sent, user } = await open("/agents", {
    ...BASE,
    "GET /agents": [200, { items: [], next_cursor: null }],
    "POST /agents": ({ body }) => [201, { ...ADA, name: (body as { name: string }).name }],
  });
  const list = await screen.findByRole("region", { name: "可以直接用的三位" });
  expect(within(list).getAllByRole("listitem")).toHaveLength(3);
  await user.click(within(list).getByRole("link", { name: /质疑者/ }));
  expect((await screen.findByLabelText<HTMLInputElement>(/^名字/)).value).toBe("质疑者");
  await user.click(screen.getByRole("button", { name: "放入智能体库" }));
  expect(await screen.findByText("请选择供应商和模型。")).toBeTruthy();
  expect(sent).toEqual([]);
  await user.click(screen.getByRole("button", { name: "模拟" }));
  await user.click(screen.getByRole("button", { name: "放入智能体库" }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toMatchObject({ name: "质疑者", temperament: "balanced" });
  expect(sent[0]?.headers.get("idempotency-key")).toBeTruthy();
});

test("its model is one of those that can be asked, or one that is written by hand", async () => {
  const served = { provider: "zhipu", model: "glm-5", price: null, can_chat: true };
  const { sent, user } = await open("/agents/new?ready=skeptic", {
    ...BASE,
    "GET /agents": [200, { items: [], next_cursor: null }],
    "GET /providers": [200, { items: [{ provider: "zhipu", key: "stored" }], next_cursor: null }],
    "GET /providers/zhipu/models": [200, { items: [served], next_cursor: null }],
    "POST /agents": ({ body }) => [201, { ...ADA, name: (body as { name: string }).name }],
  });
  await user.type(await screen.findByLabelText(/^名字/), "林");
  await user.type(screen.getByLabelText(/^角色/), "审稿人");
  const model = screen.getByRole("group", { name: /^模型/ });
  await user.click(within(model).getByRole("combobox"));
  await user.click(await screen.findByRole("option", { name: /zhipu\/glm-5/ }));
  const fallback = screen.getByRole("group", { name: /^备用模型/ });
  await user.click(within(fallback).getByRole("button", { name: "手动填写" }));
  await user.type(within(fallback).getByRole("textbox"), "openai/gpt-5-mini");
  await user.click(screen.getByRole("button", { name: "放入智能体库" }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toMatchObject({ model: "zhipu/glm-5", fallback: "openai/gpt-5-mini" });
});

test("an edit goes by the version that was looked at, and a newer one is told of and can be loaded", async () => {
  const answers: Answers = { ...BASE, "GET /agents": [200, { items: [ADA], next_cursor: null }] };
  answers["GET /agents/Ada"] = [200, ADA, { etag: '"7"' }];
  answers["PATCH /agents/a1"] = problem(412, "outdated");
  answers["GET /agents/a1"] = [200, { ...ADA, updated_at: new Date(9).toISOString() }, { etag: '"9"' }];
  const { sent, user } = await open("/agents/Ada", answers);
  const role = await screen.findByLabelText<HTMLInputElement>(/^角色/);
  await user.clear(role);
  await user.type(role, "我改的");
  await user.click(screen.getByRole("button", { name: "保存" }));
  expect(await screen.findByText("有人在你之后修改了这个智能体")).toBeTruthy();
  expect(sent[0]?.headers.get("if-match")).toBe('"7"');
  expect(sent[0]?.body).toEqual({ role: "我改的" });
  expect(role.value).toBe("我改的");

  answers["GET /agents/Ada"] = [200, { ...ADA, role: { ...ADA.role, name: "别人改的" } }, { etag: '"9"' }];
  await user.click(screen.getByRole("button", { name: /载入较新的版本/ }));
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>(/^角色/).value).toBe("别人改的"));
  expect(screen.queryByText("有人在你之后修改了这个智能体")).toBeNull();
});

test("what was typed stays where the newer version cannot be loaded", async () => {
  const answers: Answers = { ...BASE, "GET /agents": [200, { items: [ADA], next_cursor: null }] };
  answers["GET /agents/Ada"] = [200, ADA, { etag: '"7"' }];
  answers["PATCH /agents/a1"] = problem(412, "outdated");
  answers["GET /agents/a1"] = [200, { ...ADA, updated_at: new Date(9).toISOString() }, { etag: '"9"' }];
  const { user } = await open("/agents/Ada", answers);
  const role = await screen.findByLabelText<HTMLInputElement>(/^角色/);
  await user.clear(role);
  await user.type(role, "我改的");
  await user.click(screen.getByRole("button", { name: "保存" }));
  answers["GET /agents/Ada"] = problem(403, "forbidden", { detail: "暂时不行" });
  await user.click(await screen.findByRole("button", { name: /载入较新的版本/ }));
  expect(await screen.findByText("暂时不行")).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>(/^角色/).value).toBe("我改的");
});

test("one's own version can be saved over the newer one", async () => {
  const answers: Answers = { ...BASE, "GET /agents": [200, { items: [ADA], next_cursor: null }] };
  answers["GET /agents/Ada"] = [200, ADA, { etag: '"7"' }];
  answers["GET /agents/a1"] = [200, ADA, { etag: '"9"' }];
  answers["PATCH /agents/a1"] = ({ headers }) =>
    headers.has("if-match")
      ? problem(412, "outdated")
      : [200, { ...ADA, role: { ...ADA.role, name: "我改的" } }];
  const { sent, user } = await open("/agents/Ada", answers);
  const role = await screen.findByLabelText<HTMLInputElement>(/^角色/);
  await user.clear(role);
  await user.type(role, "我改的");
  await user.click(screen.getByRole("button", { name: "保存" }));
  await user.click(await screen.findByRole("button", { name: "用你的修改覆盖" }));
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]?.headers.get("if-match")).toBeNull();
});

test("a name that is taken stands at the name", async () => {
  const taken = problem(409, "name-taken", { errors: [{ pointer: "/name", detail: "已有同名智能体" }] });
  const { user } = await open("/agents/new?ready=architect", { ...BASE, "POST /agents": taken });
  await user.click(await screen.findByRole("button", { name: "模拟" }));
  await user.click(screen.getByRole("button", { name: "放入智能体库" }));
  expect(await screen.findByText("已有同名智能体")).toBeTruthy();
  expect(screen.queryByRole("alert")).toBeNull();
});

test("whoever may only look sees the agent and no form", async () => {
  await open("/agents/Ada", {
    "GET /me": [200, { ...OWNER, scope: "read" }],
    "GET /agents/Ada": [200, ADA],
  });
  expect(await screen.findByText("找漏洞")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "保存" })).toBeNull();
  expect(screen.queryByRole("button", { name: "删除" })).toBeNull();
});
