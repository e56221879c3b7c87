// The first account: from then on all users have to sign in, so its password is typed twice.

import { screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { queries } from "../../../app/src/api/queries";
import { type Answers, OWNER, open, problem } from "../people/page";

afterEach(() => vi.unstubAllGlobals());

test("two passwords that differ make no first account; the same one does, and is not remembered", async () => {
  const answers: Answers = {
    "GET /me": [200, { ...OWNER, signed_in_by: "local", accounts: false }],
    "GET /accounts": [200, { items: [], next_cursor: null }],
    "POST /accounts": [
      201,
      {
        name: "ada",
        scope: "owner",
        created_at: new Date(1).toISOString(),
        updated_at: new Date(1).toISOString(),
      },
    ],
  };
  const { sent, user } = await open("/settings/accounts", answers);
  await user.click(await screen.findByRole("button", { name: "新建账户" }));
  await user.type(screen.getByLabelText(/名字/), "ada");
  await user.type(screen.getByLabelText("密码"), "keller-und-wald");
  await user.type(screen.getByLabelText("再输一次密码"), "keller-und-walt");
  expect(screen.getByText("两次输入的密码不同。")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "创建账户" }));
  expect(sent).toEqual([]);
  await user.clear(screen.getByLabelText("再输一次密码"));
  await user.type(screen.getByLabelText("再输一次密码"), "keller-und-wald");
  await user.click(screen.getByRole("button", { name: "创建账户" }));
  await waitFor(() =>
    expect(sent[0]?.body).toEqual({ name: "ada", password: "keller-und-wald", scope: "owner" }),
  );
  await waitFor(() => expect(screen.queryByLabelText("密码")).toBeNull());
  const remembered = queries.getMutationCache().getAll();
  expect(JSON.stringify(remembered.map((one) => one.state))).not.toContain("keller");
});

test("a name that is none is told with what makes one", async () => {
  const errors = [{ pointer: "/name", detail: "不能作名字" }];
  const { user } = await open("/settings/accounts", {
    "GET /me": [200, { ...OWNER, signed_in_by: "local", accounts: false }],
    "GET /accounts": [200, { items: [], next_cursor: null }],
    "POST /accounts": problem(422, "invalid", { errors, hint: "不含 < >" }),
  });
  await user.click(await screen.findByRole("button", { name: "新建账户" }));
  await user.type(screen.getByLabelText(/名字/), "林 <b>");
  await user.type(screen.getByLabelText("密码"), "keller-und-wald");
  await user.type(screen.getByLabelText("再输一次密码"), "keller-und-wald");
  await user.click(screen.getByRole("button", { name: "创建账户" }));
  expect(await screen.findByText("不能作名字；不含 < >")).toBeTruthy();
});
