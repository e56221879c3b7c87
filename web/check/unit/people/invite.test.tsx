// Access to a meeting: links, guests, the password.

import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { queries } from "../../../app/src/api/queries";
import InviteDialog from "../../../app/src/components/people/invite";
import { type Answers, OWNER, open } from "./page";

afterEach(() => vi.unstubAllGlobals());

const LINK = {
  id: "i1",
  scope: "speak",
  by: "ada",
  uses_left: 1,
  created_at: new Date(1).toISOString(),
  expires_at: new Date(2e12).toISOString(),
};

async function dialog(answers: Answers, me = OWNER) {
  const page = await open("/join/-", {
    "GET /me": [200, me],
    "GET /meetings/m1/invitations": [200, { items: [], next_cursor: null }],
    "GET /meetings/m1/guests": [200, { items: [], next_cursor: null }],
    "GET /meetings/m1": [200, { locked: false }],
    ...answers,
  });
  cleanup();
  render(
    <QueryClientProvider client={queries}>
      <InviteDialog id="m1" open onOpenChange={() => {}} />
    </QueryClientProvider>,
  );
  return page;
}

test("a link is shown this once, whole, and is good for one guest unless more is said", async () => {
  const { sent, user } = await dialog({
    "POST /meetings/m1/invitations": [201, { ...LINK, code: "c0de", link: "/join/c0de" }],
  });
  await user.click(await screen.findByRole("button", { name: "创建链接" }));
  const line = await screen.findByRole<HTMLInputElement>("textbox", { name: /链接已创建/ });
  expect(line.value).toBe(`${window.location.origin}/join/c0de`);
  expect(sent.at(-1)?.body).toEqual({
    scope: "speak",
    seat: null,
    name: null,
    uses: 1,
    expires_in_hours: 168,
  });
  await user.click(screen.getByRole("button", { name: "已保存，收起" }));
  expect(screen.queryByDisplayValue(/c0de/)).toBeNull();
});

test("that there was no guest the last time is not said before it is known of now", async () => {
  let come: (answer: Response) => void = () => {};
  await dialog({});
  await screen.findByText("还没有访客。");
  cleanup();
  const before = globalThis.fetch;
  vi.stubGlobal("fetch", (request: Request) =>
    request.url.endsWith("/guests") ? new Promise<Response>((done) => (come = done)) : before(request),
  );
  render(
    <QueryClientProvider client={queries}>
      <InviteDialog id="m1" open onOpenChange={() => {}} />
    </QueryClientProvider>,
  );
  const part = within(await screen.findByRole("region", { name: "在场的访客" }));
  await part.findByRole("status");
  expect(part.queryByText("还没有访客。")).toBeNull();
  const guest = {
    id: "g1",
    name: "林晚",
    scope: "speak",
    address: "::1",
    created_at: new Date(1).toISOString(),
  };
  come(Response.json({ items: [guest], next_cursor: null }));
  expect(await part.findByText("林晚")).toBeTruthy();
});

test("a link offers a seat with its role, and is listed as such", async () => {
  const seat = { role: "架构师" };
  const { sent, user } = await dialog({
    "GET /meetings/m1/invitations": [200, { items: [{ ...LINK, seat }], next_cursor: null }],
    "POST /meetings/m1/invitations": [201, { ...LINK, seat, code: "c0de", link: "/join/c0de" }],
  });
  expect(await screen.findByText("席位：架构师")).toBeDefined();
  await user.click(screen.getByRole("button", { name: "一个席位" }));
  expect(screen.queryByText("访客可以")).toBeNull();
  await user.type(screen.getByLabelText("会上的角色"), "架构师");
  await user.click(screen.getByRole("button", { name: "创建链接" }));
  await screen.findByRole("textbox", { name: /链接已创建/ });
  expect(sent.at(-1)?.body).toMatchObject({ scope: "speak", seat });
});

test("a guest is sent away after one was asked", async () => {
  const guest = {
    id: "s9",
    name: "小王",
    scope: "speak",
    address: "10.0.0.7",
    created_at: new Date().toISOString(),
    guest: true,
  };
  const { sent, user } = await dialog({
    "GET /meetings/m1/guests": [200, { items: [guest], next_cursor: null }],
    "DELETE /meetings/m1/guests/s9": [204],
  });
  await user.click(await screen.findByRole("button", { name: "移出" }));
  expect(sent).toEqual([]);
  const asks = within(await screen.findByRole("alertdialog"));
  await user.click(asks.getByRole("button", { name: "移出" }));
  await waitFor(() =>
    expect(sent.map((one) => `${one.method} ${one.path}`)).toEqual(["DELETE /meetings/m1/guests/s9"]),
  );
});

test("the password is set, and only it is changed", async () => {
  const { sent, user } = await dialog({ "PATCH /meetings/m1": [200, { id: "m1", last_seq: 2 }] });
  await user.type(await screen.findByLabelText("新密码"), "sesame");
  await user.click(screen.getByRole("button", { name: "设置密码" }));
  expect(await screen.findByText("已设密码")).toBeTruthy();
  expect(sent.at(-1)?.body).toEqual({ topic: null, announcement: null, password: "sesame" });
});

test("whoever may not manage is told what it takes", async () => {
  await dialog({}, { ...OWNER, scope: "speak" });
  expect(await screen.findByText(/需要“管理”权限/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "创建链接" })).toBeNull();
});
