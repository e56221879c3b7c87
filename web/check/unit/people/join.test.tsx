// Joining by invitation: what is sent, where it leads, and what is said when it cannot be.

import { cleanup, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { type Answers, NOBODY, OWNER, open, problem } from "./page";

afterEach(() => vi.unstubAllGlobals());

const SESSION = { id: "s1", name: "小王", guest: true, scope: "speak", meeting: "m1" };

const PREVIEW = {
  title: "用 SQLite 还是 PostgreSQL？",
  topic: "用 SQLite 还是 PostgreSQL？",
  is_over: false,
  by: "ada",
  name: null,
  scope: "speak",
  seat: null,
  expires_at: "2026-11-30T00:00:00Z",
};

/** What an invitation is to, and nobody is signed in. */
const invited = (more: object = {}): Answers => ({
  "GET /me": NOBODY,
  "POST /join/preview": [200, { ...PREVIEW, ...more }],
});

test("an invitation says to what, by whom and as what", async () => {
  const { sent } = await open("/join/abc123", invited({ seat: { role: "安全" } }));
  expect(
    await screen.findByRole("heading", { name: "邀请你参加“用 SQLite 还是 PostgreSQL？”" }),
  ).toBeTruthy();
  expect(screen.getByText("邀请来自 ada。")).toBeTruthy();
  expect(screen.getByText(/你将以“安全”的角色参会/)).toBeTruthy();
  const previews = sent.filter((one) => one.path.startsWith("/join"));
  expect(previews.map((one) => [one.path, one.body])).toEqual([["/join/preview", { code: "abc123" }]]);
  cleanup();
  const topic = "很长的议题。".repeat(40);
  await open("/join/abc123", invited({ title: topic, topic, is_over: true, by: "owner" }));
  expect(await screen.findByRole("heading", { name: "你被邀请参加一场会议" })).toBeTruthy();
  expect(screen.getByText(topic)).toBeTruthy();
  expect(screen.getByText(/会议已经结束/)).toBeTruthy();
});

test.each(["/join/abc123", "/join/-"])(
  "a browser without a session is not asked for one at %s",
  async (path) => {
    const { asked } = await open(path, invited());
    await screen.findByRole("heading", { level: 1 });
    expect(asked.filter((one) => !one.startsWith("POST /join"))).toEqual([]);
  },
);

test("an invitation with a name asks for none", async () => {
  const { sent, user } = await open("/join/abc123", invited({ name: "小王" }));
  expect(await screen.findByText("你将以 小王 的名字进入。")).toBeTruthy();
  expect(screen.queryByLabelText("你的名字")).toBeNull();
  await user.click(screen.getByRole("button", { name: "进入会议" }));
  await waitFor(() =>
    expect(sent.find((one) => one.path === "/join")?.body).toEqual({
      code: "abc123",
      name: null,
      tokens: false,
    }),
  );
});

test("what is wrong with the name of an invitation is told, though there is no field for it", async () => {
  const taken = problem(409, "name-taken", {
    detail: "小王 已被占用",
    errors: [{ pointer: "/name", detail: "小王 已被占用" }],
  });
  const { user } = await open("/join/abc123", { ...invited({ name: "小王" }), "POST /join": taken });
  await user.click(await screen.findByRole("button", { name: "进入会议" }));
  expect((await screen.findByRole("alert")).textContent).toContain("小王 已被占用");
});

test("where the invitation cannot be looked at, one can still join", async () => {
  await open("/join/abc123", { "GET /me": NOBODY, "POST /join/preview": problem(429, "too-many-attempts") });
  expect(await screen.findByLabelText("你的名字")).toBeTruthy();
});

test("the code is sent once and does not stay in the address", async () => {
  const answers = invited();
  answers["POST /join"] = () => {
    answers["GET /me"] = [
      200,
      { name: "小王", scope: "speak", signed_in_by: "session", meeting: "m1", accounts: true },
    ];
    return [201, { session: SESSION, expires_in: 900 }];
  };
  const { sent, history, user } = await open("/join/abc123", answers);
  const name = await screen.findByLabelText("你的名字");
  await waitFor(() => expect(history.location.pathname).toBe("/join/-"));
  expect(history.length).toBe(1);
  await user.type(name, " 小王 {Enter}");
  await waitFor(() => expect(history.location.pathname).toBe("/m/m1"));
  expect(sent.filter((one) => one.path === "/join").map((one) => one.body)).toEqual([
    { code: "abc123", name: "小王", tokens: false },
  ]);
  expect(history.length).toBe(1);
});

test.each([
  ["who may speak is at the table with that", {}, {}, true],
  ["who may only read is not", { scope: "read" }, {}, false],
  ["who has a seat is at the table by it", {}, { seat: { participant: "p4", name: "小王" } }, false],
])("a guest enters: %s", async (_, session, more, joins) => {
  const answers = invited();
  answers["POST /join"] = () => {
    answers["GET /me"] = [200, { ...OWNER, name: "小王", scope: "speak", meeting: "m1" }];
    return [201, { session: { ...SESSION, ...session }, expires_in: 900, ...more }];
  };
  const { sent, history, user } = await open("/join/abc123", answers);
  await user.type(await screen.findByLabelText("你的名字"), "小王{Enter}");
  await waitFor(() => expect(history.location.pathname).toBe("/m/m1"));
  const joined = sent.filter((one) => one.path === "/meetings/m1/people/self");
  expect(joined.map((one) => one.method)).toEqual(joins ? ["PUT"] : []);
});

test("the form stays in sight until the meeting is, and the page is never blank", async () => {
  const answers = invited();
  answers["POST /join"] = () => {
    answers["GET /me"] = [200, { ...OWNER, name: "小王", scope: "speak", meeting: "m1" }];
    return [201, { session: SESSION, expires_in: 900 }];
  };
  const { history, user } = await open("/join/abc123", answers);
  await user.type(await screen.findByLabelText("你的名字"), "小王");
  const blank: string[] = [];
  const watch = new MutationObserver(() => {
    if (!document.getElementById("main")?.textContent) {
      blank.push(history.location.pathname);
    }
  });
  watch.observe(document.body, { childList: true, subtree: true, characterData: true });
  await user.keyboard("{Enter}");
  // The server of this test has no such meeting.
  expect(await screen.findByText("没有这场会议")).toBeTruthy();
  watch.disconnect();
  expect(history.location.pathname).toBe("/m/m1");
  expect(blank).toEqual([]);
});

test("a name that is taken is told where it was typed", async () => {
  const taken = problem(409, "name-taken", {
    detail: "苏棠 已被占用",
    errors: [{ pointer: "/name", detail: "苏棠 已被占用" }],
  });
  const { user } = await open("/join/abc123", { ...invited(), "POST /join": taken });
  const name = await screen.findByLabelText<HTMLInputElement>("你的名字");
  await user.type(name, "苏棠{Enter}");
  expect(await screen.findByText("苏棠 已被占用")).toBeTruthy();
  await waitFor(() => expect(name.getAttribute("aria-invalid")).toBe("true"));
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a name that cannot be says what a name may be", async () => {
  const wrong = problem(422, "invalid", {
    hint: "写在一行内，不含 < >",
    errors: [{ pointer: "/name", detail: "不能作名字" }],
  });
  const { user } = await open("/join/abc123", { ...invited(), "POST /join": wrong });
  await user.type(await screen.findByLabelText("你的名字"), "<小王>{Enter}");
  expect(await screen.findByText("不能作名字；写在一行内，不含 < >")).toBeTruthy();
});

test("an invitation that is over says whom to ask", async () => {
  await open("/join/old", { "GET /me": NOBODY, "POST /join/preview": problem(404, "not-found") });
  expect(await screen.findByRole("heading", { name: "这个邀请已不能使用" })).toBeTruthy();
  expect(screen.getByText(/再要一个链接/)).toBeTruthy();
});

test("one that is used up meanwhile says the same", async () => {
  const { user } = await open("/join/old", { ...invited(), "POST /join": problem(404, "not-found") });
  await user.type(await screen.findByLabelText("你的名字"), "小王{Enter}");
  expect(await screen.findByRole("heading", { name: "这个邀请已不能使用" })).toBeTruthy();
});

test("somebody who is signed in is warned that they will be a guest", async () => {
  // Also where the browser does not know that it has a session.
  await open("/join/abc123", invited({ caller: { name: "ada", signed_in_by: "session" } }));
  expect((await screen.findByText(/换成访客身份/)).textContent).toContain("ada");
});

test("without its code the page says what to do", async () => {
  await open("/join/-", { "GET /me": NOBODY });
  expect(await screen.findByText(/请重新打开收到的链接/)).toBeTruthy();
});

test("a guest who comes back to it is led to their meeting", async () => {
  const { history } = await open(
    "/join/-",
    { "GET /me": [200, { ...OWNER, scope: "speak", meeting: "m1" }] },
    true,
  );
  await waitFor(() => expect(history.location.pathname).toBe("/m/m1"));
});

test("a guest is told of the seat that comes with the invitation, or why there is none", async () => {
  const joined = async (seat: object) => {
    const answers = invited();
    answers["POST /join"] = () => {
      answers["GET /me"] = [200, { ...OWNER, name: "小王", scope: "speak", meeting: "m1" }];
      return [201, { session: SESSION, expires_in: 900, seat }];
    };
    const { user } = await open("/join/abc123", answers);
    await user.type(await screen.findByLabelText("你的名字"), "小王{Enter}");
  };
  await joined({ name: "小王", problem: null });
  expect(await screen.findByText("你已以 小王 的身份入席，轮到你时会询问。")).toBeDefined();
  cleanup();
  await joined({
    name: null,
    problem: { type: "#meeting-is-over", title: "", status: 409, detail: "会议已结束" },
  });
  expect(await screen.findByText("没能为你安排席位（会议已结束）。你仍可旁听和发言。")).toBeDefined();
});
