// A guest, and a person about to become one: the exit, the language and the theme are available.

import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { setLanguage } from "../../../app/src/i18n";
import { type Answers, NOBODY, OWNER, open, problem } from "./page";

afterEach(async () => {
  cleanup();
  vi.unstubAllGlobals();
  await setLanguage("zh-CN");
  localStorage.clear();
});

const GUEST = {
  name: "小王",
  scope: "speak",
  signed_in_by: "session",
  meeting: "m1",
  accounts: true,
} as const;

/** After whatever follows at once has been asked. */
const settled = () => new Promise((done) => setTimeout(done, 300));

test("a guest leaves by the menu of their name", async () => {
  const answers: Answers = { "GET /me": [200, GUEST] };
  answers["DELETE /sessions"] = () => {
    answers["GET /me"] = NOBODY;
    return [204];
  };
  const { sent, asked, history, user } = await open("/m/m1", answers);
  await user.click(await screen.findByRole("button", { name: "已登录：小王" }));
  await user.click(await screen.findByRole("menuitem", { name: /^离开会议/ }));
  expect(await screen.findByRole("heading", { name: "你已离开会议" })).toBeTruthy();
  expect(history.location.pathname).toBe("/sign-in");
  await waitFor(() => expect(sent.map((one) => `${one.method} ${one.path}`)).toContain("DELETE /sessions"));
  // Whatever were asked now would be refused.
  await settled();
  expect(asked.at(-1)).toBe("DELETE /sessions");
});

test("a guest whose session is over already leaves without an error", async () => {
  const answers: Answers = { "GET /me": [200, GUEST] };
  answers["DELETE /sessions"] = () => {
    answers["GET /me"] = NOBODY;
    return problem(401, "token-needed");
  };
  const { history, sent, user } = await open("/m/m1", answers);
  await user.click(await screen.findByRole("button", { name: "已登录：小王" }));
  await user.click(await screen.findByRole("menuitem", { name: /^离开会议/ }));
  await waitFor(() => expect(sent.map((one) => one.path)).toContain("/sessions/refresh"));
  await settled();
  expect(screen.getByRole("heading", { name: "你已离开会议" })).toBeTruthy();
  expect(history.location.pathname).toBe("/sign-in");
  expect(screen.queryByText("token-needed")).toBeNull();
});

test("a guest whose exit fails is back at the meeting", async () => {
  const { history, user } = await open("/m/m1", {
    "GET /me": [200, GUEST],
    "DELETE /sessions": problem(503, "unavailable"),
  });
  await user.click(await screen.findByRole("button", { name: "已登录：小王" }));
  await user.click(await screen.findByRole("menuitem", { name: /^离开会议/ }));
  await waitFor(() => expect(history.location.pathname).toBe("/m/m1"));
  expect(await screen.findByRole("button", { name: "已登录：小王" })).toBeTruthy();
});

test("a guest is led to their meeting, and to nothing that is not theirs", async () => {
  await open("/settings/sessions", {
    "GET /me": [200, GUEST],
    "GET /sessions": [200, { items: [], next_cursor: null }],
  });
  await screen.findByRole("button", { name: "已登录：小王" });
  const menu = within(screen.getByRole("navigation", { name: "菜单" }));
  expect(menu.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual(["/m/m1"]);
});

test("the list of meetings sends a guest back to the one that is theirs", async () => {
  await open("/meetings", { "GET /me": [200, GUEST] });
  const main = within(await screen.findByRole("main"));
  expect((await main.findByRole("link", { name: "你的会议" })).getAttribute("href")).toBe("/m/m1");
  expect(main.queryByRole("alert")).toBeNull();
  expect(main.queryByRole("textbox")).toBeNull();
});

test("a guest chooses how the page looks and speaks", async () => {
  const { user } = await open("/m/m1", { "GET /me": [200, GUEST] });
  const own = () => screen.findByRole("button", { name: /小王/ });
  await user.click(await own());
  expect((await screen.findByRole("menuitemradio", { name: "跟随系统" })).getAttribute("aria-checked")).toBe(
    "true",
  );
  await user.click(screen.getByRole("menuitemradio", { name: "深色" }));
  expect(localStorage.getItem("quorate.theme")).toBe("dark");
  await user.click(await own());
  await user.click(await screen.findByRole("menuitem", { name: "English" }));
  expect(await screen.findByRole("button", { name: /^Signed in.*小王/ })).toBeTruthy();
});

test.each(["/join/abc", "/sign-in"])("the other language is one press away at %s", async (address) => {
  const { user } = await open(address, { "GET /me": NOBODY });
  await user.click(await screen.findByRole("button", { name: "English" }));
  await user.click(await screen.findByRole("button", { name: "中文" }));
  expect(await screen.findByRole("button", { name: "English" })).toBeTruthy();
  expect(document.documentElement.lang).toBe("zh-CN");
});

test("at a meeting, too, the menu leads to all other pages where there is no side bar", async () => {
  const { user, history } = await open("/m/m1", { "GET /me": [200, OWNER] });
  const main = within(await screen.findByRole("main"));
  await user.click(await main.findByRole("button", { name: "菜单" }));
  const menu = within(await screen.findByRole("dialog"));
  await user.click(await menu.findByRole("link", { name: "会议" }));
  await waitFor(() => expect(history.location.pathname).toBe("/meetings"));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("a guest who is sent away is told so without a reload, also where nothing happens any more, and after one", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const answers: Answers = { "GET /me": [200, GUEST] };
  const { asked, history } = await open("/m/m1/result", answers);
  await screen.findByRole("button", { name: "已登录：小王" });
  answers["GET /me"] = NOBODY;
  await vi.advanceTimersByTimeAsync(20_000);
  vi.useRealTimers();
  expect(await screen.findByRole("heading", { name: "你已不在这场会议中" })).toBeTruthy();
  expect(history.location.pathname).toBe("/sign-in");
  await settled();
  expect(asked.slice(asked.lastIndexOf("GET /me"))).toEqual(["GET /me", "POST /sessions/refresh"]);
  cleanup();

  await open("/m/m1", { "GET /me": problem(401, "token-needed") }, true);
  expect(await screen.findByRole("heading", { name: "你已不在这场会议中" })).toBeTruthy();
  cleanup();
  // The meeting itself refuses, too, before or after it is known who asks.
  const { asked: again } = await open(
    "/m/m1",
    { "GET /me": problem(401, "token-needed"), "GET /meetings/m1": problem(401, "token-needed") },
    true,
  );
  expect(await screen.findByRole("heading", { name: "你已不在这场会议中" })).toBeTruthy();
  await settled();
  expect(screen.getByRole("heading", { name: "你已不在这场会议中" })).toBeTruthy();
  expect(again.filter((one) => one === "GET /me")).toHaveLength(1);
  cleanup();
  // Elsewhere this browser is that of anybody.
  await open("/settings", { "GET /me": problem(401, "token-needed") });
  expect(await screen.findByRole("heading", { name: "用本地令牌打开" })).toBeTruthy();
});
