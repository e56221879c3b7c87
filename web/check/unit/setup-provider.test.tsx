// A provider is added in three steps: what is sent, and what the person sees of the trial.

import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { queries } from "../../app/src/api/queries";
import ProviderSetup from "../../app/src/components/providers/setup";
import { Dialog } from "../../app/src/ui/dialog";

const PRESETS = [
  {
    name: "deepseek",
    base_url: "https://api.deepseek.com/",
    key_env: ["DEEPSEEK_API_KEY"],
    models: ["deepseek-flash"],
  },
  { name: "ollama", base_url: "http://localhost:11434/", key_env: [], models: [] },
];
const OLLAMA = {
  provider: "ollama",
  source: "preset",
  vendor: "ollama",
  base_url: "http://127.0.0.1:11434/",
  key: "none",
  proxy: false,
  public_only: false,
};

const sent: { method: string; path: string; body: unknown }[] = [];
let trial: object;
let stored: object[];

beforeEach(() => {
  queries.clear();
  sent.length = 0;
  stored = [OLLAMA];
  vi.stubGlobal("fetch", async (request: Request) => {
    const path = new URL(request.url).pathname.replace("/api/v1", "");
    if (request.method !== "GET") {
      sent.push({ method: request.method, path, body: JSON.parse((await request.text()) || "null") });
    }
    const answers: Record<string, object> = {
      "GET /provider-presets": { items: PRESETS, next_cursor: null },
      "GET /providers": { items: stored, next_cursor: null },
      "PUT /providers/deepseek": { changed: ["api_key"], provider: null },
      "POST /providers/deepseek/test": trial,
      "POST /providers/ollama/test": trial,
      "PUT /providers/lab": { changed: ["base_url"], provider: null },
      "PATCH /providers/lab": { changed: ["api_key"], provider: null },
      "POST /providers/lab/test": trial,
    };
    const answer = answers[`${request.method} ${path}`];
    return new Response(JSON.stringify(answer ?? {}), {
      status: answer ? 200 : 404,
      headers: { "content-type": "application/json" },
    });
  });
});
afterEach(() => vi.unstubAllGlobals());

function show() {
  const onDone = vi.fn();
  render(
    <QueryClientProvider client={queries}>
      <ProviderSetup onDone={onDone} />
    </QueryClientProvider>,
  );
  return onDone;
}

test("a key is asked for, stored and tried, and the report leads on", async () => {
  trial = {
    provider: "deepseek",
    model: "deepseek-flash",
    ok: true,
    tried: [
      { what: "models", ok: true, detail: "2 models", latency_ms: 120 },
      { what: "answer", ok: true, detail: "“hello”", latency_ms: 800 },
    ],
  };
  const onDone = show();
  await userEvent.click(await screen.findByRole("button", { name: /DeepSeek/ }));
  await userEvent.click(screen.getByRole("button", { name: "保存并测试" }));
  expect(screen.getByText("请填写密钥。")).toBeTruthy();
  expect(sent).toEqual([]);

  await userEvent.type(screen.getByLabelText(/API 密钥/), "sk-1");
  await userEvent.click(screen.getByRole("button", { name: "保存并测试" }));
  expect(await screen.findByText("“hello”")).toBeTruthy();
  expect(sent).toEqual([
    { method: "PUT", path: "/providers/deepseek", body: { api_key: "sk-1" } },
    { method: "POST", path: "/providers/deepseek/test", body: { model: null } },
  ]);
  await userEvent.click(screen.getByRole("button", { name: "完成" }));
  expect(onDone).toHaveBeenCalledWith("deepseek");
});

test("what failed says why and what helps, and there is no way on", async () => {
  trial = {
    provider: "ollama",
    ok: false,
    tried: [
      { what: "models", ok: false, detail: "could not be reached", hint: "is it running?", latency_ms: 3 },
    ],
  };
  show();
  await userEvent.click(await screen.findByRole("button", { name: /Ollama/ }));
  await userEvent.click(screen.getByRole("button", { name: "保存并测试" }));
  expect(await screen.findByText("is it running?")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "完成" })).toBeNull();
  // It was there already and nothing was changed about it: nothing is stored, nor to be forgotten.
  expect(screen.queryByRole("button", { name: "移除 ollama" })).toBeNull();
  expect(sent.map((one) => one.method)).toEqual(["POST"]);
});

test("an address that is none is not sent", async () => {
  show();
  await userEvent.click(await screen.findByRole("button", { name: /Ollama/ }));
  const address = screen.getByLabelText(/^地址/);
  await userEvent.clear(address);
  await userEvent.type(address, "localhost");
  await userEvent.click(screen.getByRole("button", { name: "保存并测试" }));
  expect(screen.getByText(/完整地址/)).toBeTruthy();
  expect(sent).toEqual([]);
});

test("a server of one's own needs no more than its address, which names it", async () => {
  trial = { provider: "lab", ok: false, tried: [] };
  show();
  await userEvent.click(await screen.findByRole("button", { name: /其他兼容服务/ }));
  await userEvent.click(screen.getByRole("button", { name: "保存并测试" }));
  expect(screen.getByText(/请填写以 http/)).toBeTruthy();
  expect(screen.queryByText(/^只能用英文字母/)).toBeNull();
  await userEvent.type(screen.getByLabelText(/^地址/), "http://lab/v1");
  expect(screen.getByLabelText(/^名称/)).toHaveProperty("placeholder", "lab");
  await userEvent.click(screen.getByRole("button", { name: "保存并测试" }));
  await screen.findByText(/还不能使用/);
  expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "PUT /providers/lab",
    "POST /providers/lab/test",
  ]);
});

test("a server of one's own does not take the place of a provider that is there", async () => {
  trial = { provider: "lab", ok: false, tried: [] };
  show();
  await userEvent.click(await screen.findByRole("button", { name: /其他兼容服务/ }));
  await userEvent.type(screen.getByLabelText(/^地址/), "http://localhost:8080/v1");
  const name = screen.getByLabelText(/^名称/);
  await userEvent.type(name, "ollama");
  await userEvent.click(screen.getByRole("button", { name: "保存并测试" }));
  expect(screen.getByText("已有这个名称，请换一个。")).toBeTruthy();
  expect(sent).toEqual([]);
  await userEvent.clear(name);
  await userEvent.type(name, "lab");
  stored.push({ ...OLLAMA, provider: "lab", source: "stored" });
  await userEvent.click(screen.getByRole("button", { name: "保存并测试" }));
  await screen.findByText(/还不能使用/);
  expect(await screen.findByRole("button", { name: "移除 lab" })).toBeTruthy();
  // What was stored here itself is tried again with what was put right.
  await userEvent.type(screen.getByLabelText(/API 密钥/), "sk-2");
  await userEvent.click(screen.getByRole("button", { name: "保存并测试" }));
  await waitFor(() => expect(sent.map((one) => one.method)).toEqual(["PUT", "POST", "PATCH", "POST"]));
});

test("closing asks for what is not saved, and not for a key that is, though it does not work yet", async () => {
  trial = {
    provider: "deepseek",
    model: "deepseek-flash",
    ok: false,
    tried: [{ what: "answer", ok: false, detail: "401", latency_ms: 120 }],
  };
  const close = vi.fn();
  render(
    <QueryClientProvider client={queries}>
      <Dialog open onOpenChange={close} title="window">
        <ProviderSetup onDone={() => {}} />
      </Dialog>
    </QueryClientProvider>,
  );
  const asks = async () => {
    close.mockClear();
    await userEvent.keyboard("{Escape}");
    const question = screen.queryByRole("alertdialog");
    if (!question) {
      expect(close).toHaveBeenCalledOnce();
      return false;
    }
    await userEvent.click(question.querySelector("button") as HTMLElement);
    await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
    return true;
  };
  await userEvent.click(await screen.findByRole("button", { name: /DeepSeek/ }));
  const key = screen.getByLabelText(/API 密钥/);
  await userEvent.type(key, "sk-1");
  expect(await asks()).toBe(true);
  await userEvent.click(screen.getByRole("button", { name: "保存并测试" }));
  await screen.findByText("401");
  expect(await asks()).toBe(false);
  await userEvent.type(key, "2");
  expect(await asks()).toBe(true);
});
