// Signing in: where it leads, what it says when it is refused, and how long one waits.

import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { pathOnThisServer } from "../../../app/src/shell/session";
import { type Answers, NOBODY, OWNER, open, problem } from "./page";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const BEGUN = { session: {}, expires_in: 900 };

test("after signing in one is where one wanted to go", async () => {
  const answers: Answers = { "GET /me": NOBODY };
  answers["POST /sessions"] = () => {
    answers["GET /me"] = [200, OWNER];
    return [201, BEGUN];
  };
  const { sent, history, user } = await open("/sign-in?next=%2Fsettings%2Fgeneral", answers);
  await user.type(await screen.findByLabelText("名字"), "ada");
  await user.type(screen.getByLabelText("密码"), "correct horse");
  await user.click(screen.getByRole("button", { name: "登录" }));
  await screen.findByRole("heading", { name: "通用" });
  expect(history.location.pathname).toBe("/settings/general");
  const body = { name: "ada", password: "correct horse", tokens: false };
  expect(sent.filter((one) => one.path === "/sessions").map((one) => one.body)).toEqual([body]);
});

test("a wrong password is told in words for people, and only the password is typed again", async () => {
  const wrong = problem(401, "wrong-password", {
    detail: "没有这个名字和密码的账户",
    hint: "quorate accounts list 列出名字",
  });
  const { user } = await open("/sign-in", { "GET /me": NOBODY, "POST /sessions": wrong });
  await user.type(await screen.findByLabelText("名字"), "ada");
  await user.type(screen.getByLabelText("密码"), "nope{Enter}");
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("没有这个名字和密码的账户");
  expect(alert.textContent).toContain("请检查名字和密码");
  expect(alert.textContent).not.toContain("quorate accounts");
  expect(screen.getByLabelText<HTMLInputElement>("名字").value).toBe("ada");
  expect(screen.getByLabelText<HTMLInputElement>("密码").value).toBe("");
});

test("who tried too often sees the seconds go by, and may try again at their end", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const slow = problem(429, "rate-limited", { detail: "尝试太多", hint: "Retry-After", retry_after: 3 });
  const { sent, user } = await open("/sign-in", { "GET /me": NOBODY, "POST /sessions": slow });
  await user.type(await screen.findByLabelText("名字"), "ada");
  await user.type(screen.getByLabelText("密码"), "nope{Enter}");
  const button = await screen.findByRole<HTMLButtonElement>("button", { name: /请等 [123] 秒再试/ });
  expect(button.disabled).toBe(true);
  expect(screen.getByRole("alert").textContent).not.toContain("Retry-After");
  await user.type(screen.getByLabelText("密码"), "nope{Enter}");
  expect(sent.filter((one) => one.path === "/sessions")).toHaveLength(1);
  await act(() => vi.advanceTimersByTimeAsync(3_500));
  await waitFor(() =>
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "登录" }).disabled).toBe(false),
  );
});

test("a meeting's password opens its page from here, and a wrong one does not lead elsewhere", async () => {
  const answers: Answers = { "GET /me": NOBODY, "POST /meetings/m1/enter": problem(401, "wrong-password") };
  const { sent, history, user } = await open("/sign-in?next=%2Fm%2Fm1", answers);
  await user.click(await screen.findByRole("button", { name: /会议密码/ }));
  await user.type(screen.getByLabelText(/会议密码/), "sesame");
  await user.type(screen.getByLabelText(/你的名字/), "小李{Enter}");
  await screen.findByRole("alert");
  expect(history.location.pathname).toBe("/sign-in");
  expect(sent.find((one) => one.path.endsWith("/enter"))?.body).toEqual({
    name: "小李",
    password: "sesame",
    tokens: false,
  });
});

test("whoever is in already is told so", async () => {
  await open("/sign-in", { "GET /me": [200, OWNER] });
  expect((await screen.findByText(/当前身份/)).textContent).toContain("ada");
  expect(screen.getByRole("button", { name: "退出登录" })).toBeTruthy();
});

test("only pages of ours are gone to", () => {
  expect(pathOnThisServer("/m/1?tab=votes#x")).toBe("/m/1?tab=votes#x");
  for (const elsewhere of [
    undefined,
    "",
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example",
    "/./\\evil.example",
    "/..//evil.example",
    "javascript:alert(1)",
    "/sign-in?next=/",
  ]) {
    expect(pathOnThisServer(elsewhere), String(elsewhere)).toBe("/");
  }
});
