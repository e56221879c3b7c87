// The form of a turn: by its kind, with its draft, its faults, and what becomes of it.

import { act, cleanup, fireEvent, screen, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { OpenTurn } from "../../../app/src/api/schema";
import { OwnTurn } from "../../../app/src/features/turn/own-turn";
import { retellTexts } from "../../../app/src/i18n";
import { useIsTurnOpen } from "../../../app/src/meeting/own-seat";
import { goldens } from "../meeting/logs";
import { draw, type StillSource, standing } from "../transcript/table";

const VOTE = {
  type: "object",
  properties: {
    missing: { type: "array", items: { type: "string", maxLength: 200 }, minItems: 0, maxItems: 3 },
    pass: { type: "boolean" },
    reason: { type: "string", maxLength: 300 },
    score: { type: "integer", minimum: 0, maximum: 100 },
  },
  required: ["score", "pass", "reason", "missing"],
} as Record<string, unknown> as Record<string, never>;

const TURN: OpenTurn = {
  ticket: "t1",
  meeting: "meeting",
  participant: "Lin",
  role: "架构师",
  kind: "speak",
  round: 1,
  instructions: "",
  messages: [{ role: "user", content: "全部任务" }],
  targets: [{ claim: "c4", owner: "沈括", text: "单机足够", disagrees: true }],
  focus: [],
  draft: null,
  answer_schema: null,
  can_skip: true,
  problem: null,
  offered_at: "2026-01-01T00:00:00Z",
  deadline_at: "2026-01-01T00:03:00Z",
};

let turns: OpenTurn[];
let handed: { path: string; body: unknown }[];
let refuse: string | null;

beforeEach(() => {
  sessionStorage.clear();
  [turns, handed, refuse] = [[TURN], [], null];
  const json = (status: number, body: unknown) => Response.json(body, { status });
  vi.stubGlobal("fetch", async (request: Request) => {
    const { pathname: path, searchParams } = new URL(request.url);
    if (path === "/api/v1/me") {
      return json(200, { name: "Lin", person: "guest:7", scope: "speak", meeting: "meeting" });
    }
    if (path === "/api/v1/turns") {
      expect(searchParams.get("meeting")).toBe("meeting");
      while (turns.length === 0) await new Promise((done) => setTimeout(done, 20));
      return json(200, { items: turns, next_cursor: null });
    }
    handed.push({ path, body: await request.json().catch(() => null) });
    if (refuse)
      return json(409, { type: `/api/v1/problems#${refuse}`, title: refuse, status: 409, detail: refuse });
    turns = [];
    return json(200, { meeting: "meeting", seq: 9, asked_again: false, problem: null });
  });
});

const events = goldens().find((one) => one.events.some((event) => event.type === "vote_cast"))?.events ?? [];
const early = events.slice(
  0,
  events.findIndex((event) => event.type === "ballot_opened"),
);

/** A meeting at which the guest has the first seat. */
function seated(): StillSource {
  const source = standing(early);
  const { view } = source.snapshot();
  const [first, ...others] = view?.participants ?? [];
  if (!view || !first) throw new Error("nobody is there");
  const runner = { kind: "external" as const, via: "person" as const, name: "guest:7" };
  const participant = { ...first.participant, name: "Lin", runner };
  source.put({ view: { ...view, participants: [{ ...first, participant, present: true }, ...others] } });
  return source;
}

function Told() {
  return <p data-testid="told">{String(useIsTurnOpen())}</p>;
}

const open = async (source = seated(), name = "轮到你发言") => {
  await draw(
    source,
    <>
      <OwnTurn />
      <Told />
    </>,
  );
  return screen.findByRole("form", { name });
};
const settle = () => act(async () => new Promise((done) => setTimeout(done, 30)));

test("a turn in words is written, sent with its position, and gone", async () => {
  const form = await open();
  expect(within(form).getByText("单机足够", { exact: false })).toBeDefined();
  expect(screen.getByTestId("told").textContent).toBe("true");
  const told = screen.getAllByRole("status").map((one) => one.textContent);
  expect(told).toContain("轮到你了，请讨论发言。");
  fireEvent.click(within(form).getByRole("button", { name: "提交回答" }));
  expect(within(form).getByText("请填写。")).toBeDefined();
  expect(within(form).getByRole("alert").textContent).toBe("还有 1 处需要修改。");
  fireEvent.change(within(form).getByLabelText("你的发言"), { target: { value: "先用 **SQLite**。" } });
  fireEvent.change(within(form).getByLabelText("你的立场"), { target: { value: "SQLite" } });
  fireEvent.keyDown(form, { key: "Enter", ctrlKey: true });
  await settle();
  expect(handed).toEqual([
    {
      path: "/api/v1/turns/t1/answer",
      body: { text: '先用 **SQLite**。\n\n```json\n{"position":"SQLite"}\n```' },
    },
  ]);
  expect(screen.queryByRole("form")).toBeNull();
  expect(screen.getByText("你的回答已记入会议记录。")).toBeDefined();
  expect(screen.getByTestId("told").textContent).toBe("false");
  expect(sessionStorage.getItem("quorate.turn.t1")).toBeNull();
});

test("a vote has a field for each part, and says what is missing", async () => {
  turns = [{ ...TURN, kind: "vote", answer_schema: VOTE, can_skip: false, draft: "**用 SQLite**" }];
  const form = await open(seated(), "轮到你投票");
  expect(within(form).getByText("用 SQLite")).toBeDefined();
  expect(within(form).queryByRole("button", { name: "跳过" })).toBeNull();
  const shown: Element[] = [];
  vi.spyOn(Element.prototype, "scrollIntoView").mockImplementation(function (this: Element) {
    shown.push(this);
  });
  fireEvent.click(within(form).getByRole("button", { name: "提交回答" }));
  // Beside the button, which is always in sight, and the first field with what is wrong with it.
  const alert = within(form).getByRole("alert");
  expect(alert.textContent).toBe("还有 3 处需要修改。");
  expect(alert.parentElement?.contains(within(form).getByRole("button", { name: "提交回答" }))).toBe(true);
  await settle();
  expect(shown.at(-1)?.textContent).toContain("请填写。");
  expect(document.activeElement).toBe(within(form).getByRole("textbox", { name: "给草案的分数" }));
  expect(within(form).getAllByText("请填写。")).toHaveLength(3);
  const score = within(form).getByRole("textbox", { name: "给草案的分数" });
  fireEvent.change(score, { target: { value: "85" } });
  fireEvent.blur(score);
  // What was wrong is right as soon as it is filled in, and nothing else is blamed meanwhile.
  expect(within(form).getByRole("alert").textContent).toBe("还有 2 处需要修改。");
  fireEvent.click(within(form).getByRole("button", { name: "是" }));
  fireEvent.change(within(form).getByLabelText("理由"), { target: { value: "够用" } });
  fireEvent.click(within(form).getByRole("button", { name: "为“草案还缺什么”添加一项" }));
  fireEvent.change(within(form).getByLabelText("草案还缺什么 1"), { target: { value: "备份" } });
  fireEvent.click(within(form).getByRole("button", { name: "提交回答" }));
  await settle();
  expect(handed[0]?.body).toEqual({ fields: { score: 85, pass: true, reason: "够用", missing: ["备份"] } });
});

test("a draft outlives a reload, and a second try begins with the first", async () => {
  const write = (form: HTMLElement, value: string) =>
    fireEvent.change(within(form).getByLabelText("你的发言"), { target: { value } });
  write(await open(), "写到一半");
  await settle();
  cleanup();
  const again = await open();
  expect(within(again).getByLabelText<HTMLTextAreaElement>("你的发言").value).toBe("写到一半");
});

test("a turn that is over says so, and its words can be said all the same", async () => {
  const form = await open();
  fireEvent.change(within(form).getByLabelText("你的发言"), { target: { value: "来晚了" } });
  refuse = "turn-is-over";
  turns = [];
  fireEvent.click(within(form).getByRole("button", { name: "提交回答" }));
  await settle();
  const alert = screen.getByRole("alert");
  expect(alert.textContent).toContain("你写的内容保留在这里");
  expect(alert.textContent).toContain("来晚了");
  fireEvent.click(within(alert).getByRole("button", { name: "知道了" }));
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a turn is skipped where it may be", async () => {
  const form = await open();
  fireEvent.click(within(form).getByRole("button", { name: "跳过" }));
  await settle();
  expect(handed).toEqual([{ path: "/api/v1/turns/t1/skip", body: null }]);
  expect(screen.getByText("你跳过了这次发言。")).toBeDefined();
});

test("between turns the browser is asked for notifications only by a click", async () => {
  const requestPermission = vi.fn(async () => "granted");
  vi.stubGlobal("Notification", { permission: "default", requestPermission });
  vi.stubGlobal("isSecureContext", true);
  turns = [];
  await draw(seated(), <OwnTurn />);
  const button = await screen.findByRole("button", { name: "开启通知" });
  await settle();
  expect(requestPermission).not.toHaveBeenCalled();
  fireEvent.click(button);
  expect(requestPermission).toHaveBeenCalledOnce();
  await settle();
});

test("a turn is notified once, also when the texts of the page are fetched meanwhile", async () => {
  const shown: string[] = [];
  vi.stubGlobal(
    "Notification",
    class {
      static permission = "granted";
      close = () => {};
      constructor(text: string) {
        shown.push(text);
      }
    },
  );
  vi.stubGlobal("isSecureContext", true);
  vi.spyOn(document, "hasFocus").mockReturnValue(false);
  await open();
  act(retellTexts);
  await settle();
  expect(shown).toHaveLength(1);
  vi.restoreAllMocks();
});

test("after an answer the focus is where it says what became of it", async () => {
  const form = await open();
  fireEvent.change(within(form).getByLabelText("你的发言"), { target: { value: "好" } });
  fireEvent.click(within(form).getByRole("button", { name: "提交回答" }));
  await settle();
  expect(document.activeElement?.textContent).toBe("你的回答已记入会议记录。");
});

test("who has no seat is asked nothing", async () => {
  const asked = vi.fn();
  const before = globalThis.fetch;
  vi.stubGlobal("fetch", (request: Request) => {
    asked(new URL(request.url).pathname);
    return before(request);
  });
  await draw(standing(early), <OwnTurn />);
  await settle();
  expect(asked.mock.calls.flat()).not.toContain("/api/v1/turns");
});
