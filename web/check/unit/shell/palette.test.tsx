// The palette holds every action that can be taken now, each once.

import { screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { keyNames } from "../../../app/src/shell/key-names";
import { setSingleKeys } from "../../../app/src/shell/keys";
import { OWNER, open } from "../people/page";

const TEMPLATE = { id: "t1", name: "周会", version: 1, body: {}, created_at: "2026-11-01T00:00:00Z" };
const ANSWERS = {
  "GET /me": [200, OWNER],
  "GET /templates": [200, { items: [TEMPLATE], next_cursor: null }],
  "GET /meetings": [200, { items: [], next_cursor: null }],
} as const;

afterEach(() => {
  setSingleKeys(true);
  vi.unstubAllGlobals();
});

async function palette() {
  const { user } = await open("/meetings", ANSWERS as never);
  await user.click(await screen.findByRole("button", { name: "命令面板" }));
  const dialog = await screen.findByRole("dialog", { name: "命令面板" });
  await within(dialog).findByRole("option", { name: "使用模板：周会" });
  const options = within(dialog).getAllByRole("option");
  return { user, options, names: options.map((one) => one.firstElementChild?.textContent ?? "") };
}

test("it holds pages, settings, templates, language and theme, none twice", async () => {
  const { names } = await palette();
  expect(names).toEqual([...new Set(names)]);
  for (const name of [
    "新会议",
    "使用模板：周会",
    "新建智能体",
    "打开“提及”",
    "设置：供应商",
    "设置：审计日志",
    "切换到 English",
    "外观：深色",
  ]) {
    expect(names).toContain(name);
  }
});

test("meetings are found by words of their titles, and by what was said in others", async () => {
  const { user } = await open("/meetings", {
    ...ANSWERS,
    "GET /meetings": [200, { items: [], next_cursor: null }],
    "GET /search": (asked: { query: URLSearchParams }) => {
      const hit = { seq: 41, kind: "message", by: "Ada", happened_at: "2026-11-01T00:00:00Z" };
      const snippet = [{ text: "**先**迁" }, { text: asked.query.get("q") ?? "", hit: true }];
      const items = ["m1", "m1", "m2"].map((meeting) => ({
        ...hit,
        meeting,
        topic: `主题 ${meeting}`,
        snippet,
      }));
      return [200, { items, next_cursor: null, lag: 0 }];
    },
  } as never);
  await user.click(await screen.findByRole("button", { name: "命令面板" }));
  const dialog = await screen.findByRole("dialog", { name: "命令面板" });
  await user.type(within(dialog).getByRole("combobox"), "订单表");
  const found = await within(dialog).findAllByRole("option", { name: /^主题/ });
  expect(found.map((one) => one.textContent)).toEqual(["主题 m1先迁订单表", "主题 m2先迁订单表"]);
});

test("keys are named as they are labelled on a keyboard", async () => {
  expect(["g h", "G", "mod+k", "ArrowLeft", "?"].map((keys) => keyNames(keys).join(" "))).toEqual([
    "G H",
    "Shift G",
    "Ctrl K",
    "←",
    "?",
  ]);
});

test("it shows no keys that are switched off", async () => {
  setSingleKeys(false);
  const { options } = await palette();
  expect(options.flatMap((one) => [...one.querySelectorAll("kbd")])).toEqual([]);
});
