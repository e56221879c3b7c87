// Speaking: by keyboard, with an input method, without a connection, and while a ballot is open.

import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Event } from "../../../app/src/api/schema";
import { insertText } from "../../../app/src/components/meeting-page/composer-input";
import { guest } from "../../../app/src/components/speaker/people";
import { Composer } from "../../../app/src/features/composer/composer";
import { suggestionsFor } from "../../../app/src/features/composer/suggestions";
import { is } from "../../../app/src/meeting/event-types";
import type { View } from "../../../app/src/meeting/view";
import { goldens } from "../meeting/logs";
import { draw, type StillSource, standing } from "../transcript/table";

const events: Event[] =
  goldens().find((one) => one.events.some((event) => event.type === "vote_cast"))?.events ?? [];
const opened = events.find((event) => is(event, "ballot_opened"))?.seq ?? 0;
const early = events.filter((event) => event.seq < opened);
const voting = events.filter((event) => event.seq <= opened);

let sent: { content: string; reply_to: string | null }[];
let refuse: boolean;
let scope: string;

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
  [sent, refuse, scope] = [[], false, "owner"];
  const json = (status: number, body: unknown) =>
    new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
  vi.stubGlobal("fetch", async (request: Request) => {
    if (new URL(request.url).pathname === "/api/v1/me") {
      return json(200, { name: "owner", scope, way: "local", accounts: false, meeting: null });
    }
    if (refuse) {
      return json(503, { type: "#x", title: "x", status: 503, detail: "磁盘已满", hint: "腾出空间" });
    }
    sent.push(await request.json());
    return json(202, { seq: 10_000, message_id: "m99" });
  });
});

async function open(source: StillSource): Promise<HTMLTextAreaElement> {
  await draw(source, <Composer />);
  const box = await screen.findByRole("textbox");
  if (!(box instanceof HTMLTextAreaElement)) throw new Error("no box");
  return box;
}

const write = (box: HTMLTextAreaElement, value: string) =>
  fireEvent.change(box, { target: { value, selectionStart: value.length, selectionEnd: value.length } });
const press = (box: HTMLTextAreaElement, init: KeyboardEventInit) => fireEvent.keyDown(box, init);
const settle = () => act(async () => new Promise((done) => setTimeout(done, 0)));

describe("words that the server has not acknowledged", () => {
  test("are there when one comes back, and are sent once more under the same key", async () => {
    const keys: (string | null)[] = [];
    let answers = false;
    const asks = globalThis.fetch;
    vi.stubGlobal("fetch", (request: Request) => {
      if (!request.url.endsWith("/messages")) return asks(request);
      keys.push(request.headers.get("idempotency-key"));
      return answers ? asks(request) : new Promise(() => {});
    });
    const box = await open(standing(early));
    write(box, "先看回退方案");
    press(box, { key: "Enter" });
    await settle();
    cleanup();
    await open(standing(early));
    expect(screen.getByRole("alert").textContent).toContain("没有收到服务器的确认");
    answers = true;
    fireEvent.click(screen.getByRole("button", { name: "重试" }));
    await settle();
    expect(keys).toEqual([keys[0], keys[0]]);
    expect(screen.getByText("发送中")).toBeDefined();
    cleanup();
    await open(standing(early));
    expect(screen.queryByText("先看回退方案")).toBeNull();
  });
});

test("what is written while a command is under way stays", async () => {
  scope = "owner";
  const asks = globalThis.fetch;
  let done = () => {};
  vi.stubGlobal("fetch", async (request: Request) => {
    if (!request.url.endsWith("/pause")) return asks(request);
    await new Promise<void>((ready) => {
      done = ready;
    });
    return asks(request);
  });
  const box = await open(standing(early));
  write(box, "/pause");
  press(box, { key: "Enter" });
  await settle();
  write(box, "/pause 另外想问");
  await act(async () => {
    done();
    await new Promise((ready) => setTimeout(ready, 20));
  });
  expect(box.value).toBe("另外想问");
});

test("who is to leave is asked about by name", async () => {
  const source = standing(early);
  const name = source.snapshot().view?.participants[0]?.participant.name ?? "";
  const box = await open(source);
  write(box, `/remove ${name}`);
  press(box, { key: "Enter" });
  expect(await screen.findByRole("alertdialog", { name: `请${name}离席` })).toBeDefined();
});

describe("the keys", () => {
  test("Enter sends, and the words are on their way until their event comes", async () => {
    const source = standing(early);
    const box = await open(source);
    write(box, "先看回退方案");
    press(box, { key: "Enter" });
    await settle();
    expect(sent).toEqual([{ content: "先看回退方案", reply_to: null }]);
    expect(box.value).toBe("");
    expect(screen.getByText("发送中")).toBeDefined();
    const view = source.snapshot().view;
    source.put({ view: view && { ...view, last_seq: 10_000 } });
    expect(screen.queryByText("发送中")).toBeNull();
  });

  test("Shift+Enter does not", async () => {
    const box = await open(standing(early));
    write(box, "一");
    press(box, { key: "Enter", shiftKey: true });
    await settle();
    expect(sent).toEqual([]);
  });

  test("Enter breaks the line where one has chosen so, and Ctrl+Enter sends", async () => {
    localStorage.setItem("quorate.enter", "breaks");
    const box = await open(standing(early));
    write(box, "一");
    press(box, { key: "Enter" });
    await settle();
    expect(sent).toEqual([]);
    press(box, { key: "Enter", ctrlKey: true });
    await settle();
    expect(sent.length).toBe(1);
  });
});

describe("an input method", () => {
  test.each([{ isComposing: true }, { keyCode: 229 }])(
    "that composes has Enter to itself: %j",
    async (init) => {
      const box = await open(standing(early));
      write(box, "ni hao");
      press(box, { key: "Enter", ...init });
      await settle();
      expect(sent).toEqual([]);
      expect(box.value).toBe("ni hao");
    },
  );

  test("that composes is offered no names, and chooses none", async () => {
    const box = await open(standing(early));
    fireEvent.compositionStart(box);
    write(box, "请@");
    expect(screen.queryByRole("listbox")).toBeNull();
    press(box, { key: "Enter", keyCode: 229 });
    expect(box.value).toBe("请@");
    fireEvent.compositionEnd(box);
    expect(screen.getByRole("listbox")).toBeDefined();
  });
});

describe("a mention", () => {
  test("right after Chinese is offered, chosen by arrows and Enter, and not sent by it", async () => {
    const source = standing(early);
    const names = source.snapshot().view?.participants.map((one) => one.participant.name) ?? [];
    const box = await open(source);
    write(box, "请@");
    expect(screen.getAllByRole("option").length).toBe(names.length);
    press(box, { key: "ArrowDown" });
    press(box, { key: "Enter" });
    await settle();
    expect(box.value).toBe(`请@${names[1]} `);
    expect(sent).toEqual([]);
  });

  test("is put aside by Escape", async () => {
    const box = await open(standing(early));
    write(box, "@");
    press(box, { key: "Escape" });
    expect(screen.queryByRole("listbox")).toBeNull();
  });

  test("comes from elsewhere, too", async () => {
    const box = await open(standing(early));
    act(() => insertText("@苏棠 "));
    expect(box.value).toBe("@苏棠 ");
  });
});

test("without a connection nothing is sent, the reason is said, and the words are kept", async () => {
  const source = standing(early, { connection: "lost" });
  const box = await open(source);
  write(box, "等一下再发");
  press(box, { key: "Enter" });
  await settle();
  expect(sent).toEqual([]);
  expect(screen.getByText(/连接中断/)).toBeDefined();
  expect(sessionStorage.getItem("quorate.say.meeting")).toBe("等一下再发");
});

test("what could not be sent says why, and is sent again under the same key", async () => {
  refuse = true;
  const box = await open(standing(early));
  write(box, "请听");
  press(box, { key: "Enter" });
  await settle();
  expect(screen.getByRole("alert").textContent).toContain("磁盘已满");
  refuse = false;
  screen.getByRole("button", { name: /重试/ }).click();
  await settle();
  expect(sent.map((one) => one.content)).toEqual(["请听"]);
});

test("once something is typed, an open ballot is spoken of as the rules have it", async () => {
  const source = standing(voting);
  const box = await open(source);
  expect(screen.queryByText(/发言会中断正在进行的表决/)).toBeNull();
  fireEvent.change(box, { target: { value: "等等" } });
  expect(screen.getByText(/发言会中断正在进行的表决/)).toBeDefined();
  const view = source.snapshot().view;
  const rules = view && {
    ...view.rules,
    decision: { ...view.rules.decision, on_steering: "queue" as const },
  };
  source.put({ view: view && rules && { ...view, rules } });
  expect(screen.queryByText(/发言会中断/)).toBeNull();
  expect(screen.getByText(/不会中断表决/)).toBeDefined();
});

test("a command is called unknown only when no command begins so", async () => {
  const box = await open(standing(early));
  fireEvent.change(box, { target: { value: "/" } });
  expect(screen.queryByText(/没有命令/)).toBeNull();
  expect(screen.getByRole("button", { name: "发送" }).hasAttribute("disabled")).toBe(true);
  fireEvent.change(box, { target: { value: "/nothing" } });
  expect(screen.getByText(/没有命令 \/nothing/)).toBeTruthy();
});

describe("where the rules let no people speak", () => {
  const silent = (change: Partial<View>, floor: "host" | "rotation" = "rotation") => {
    const { view } = standing(early).snapshot();
    const turns = view && { ...view.rules.turns, people_may_speak: false, floor };
    const rules = view && turns && { ...view.rules, turns };
    return standing(early, { view: view && rules && { ...view, rules, ...change } });
  };
  const pause: View["pause"] = {
    reason: "awaiting_host",
    resume_token: "t",
    questions: [],
    paused_at: "2026-03-01T08:30:00.000Z",
    suggested_next: "say_who_speaks",
  };
  const agent = { moderator: { type: "agent" as const, id: "p1" } };

  test.each([
    { who: "somebody who is no host", source: silent({}), may: false },
    { who: "somebody where a participant hosts", source: silent(agent, "host"), may: false },
    { who: "the host", source: silent({}, "host"), may: true },
    {
      who: "whoever stands in for a host who is gone",
      source: silent({ ...agent, participants: [] }, "host"),
      may: true,
    },
    { who: "whoever the meeting waits for", source: silent({ pause }), may: true },
  ])("$who may speak: $may", async ({ source, may }) => {
    const box = await open(source);
    write(box, "请说");
    press(box, { key: "Enter" });
    await settle();
    expect(sent.map((one) => one.content)).toEqual(may ? ["请说"] : []);
  });
});

describe("at the end", () => {
  const put = (source: StillSource, state: "closing" | "ended", task = "conclude") => {
    const { view } = source.snapshot();
    const calls = {
      [task]: {
        attempt: 1,
        reserved: { tokens: 0, cost_micros: 0 },
        started_at: "2026-11-25T03:00:00.000Z",
      },
    };
    const outcome = { outcome: "completed" as const };
    const step = state === "closing" ? state : null;
    source.put({ view: view && { ...view, state, step, outcome, calls: step ? calls : {} } });
  };

  test("words stay while the conclusion is written and after, and can be copied", async () => {
    const user = userEvent.setup();
    const source = standing(early);
    const box = await open(source);
    write(box, "还有一句");
    put(source, "closing");
    expect(screen.getByText("正在撰写结论。")).toBeDefined();
    expect(screen.queryByRole("button", { name: "发送" })).toBeNull();
    press(box, { key: "Enter" });
    await settle();
    expect(sent).toEqual([]);
    put(source, "ended");
    expect(box.value).toBe("还有一句");
    await user.click(screen.getByRole("button", { name: "复制" }));
    expect(await navigator.clipboard.readText()).toBe("还有一句");
    write(box, "");
    expect(screen.queryByRole("textbox")).toBeNull();
  });

  test.each([
    ["conclude", "正在撰写结论。"],
    ["minutes:v2", "正在撰写纪要。"],
    ["artifact:ADR:v1", "正在撰写交付物。"],
    ["something:new", "会议正在收尾。"],
  ])("while %s is under way, that is what is said", async (task, said) => {
    scope = "speak";
    const source = standing(early);
    await open(source);
    put(source, "closing", task);
    expect(screen.getByText(said)).toBeDefined();
  });

  test("without words there is nothing to copy, and whoever has no command has no field", async () => {
    const source = standing(early);
    const box = await open(source);
    put(source, "closing");
    expect(box.placeholder).toBe("输入 / 使用命令");
    expect(screen.queryByRole("button", { name: "复制" })).toBeNull();
    cleanup();
    scope = "speak";
    const guest = standing(early);
    await open(guest);
    put(guest, "closing");
    expect(screen.queryByRole("textbox")).toBeNull();
    expect(screen.getByText("正在撰写结论。")).toBeDefined();
  });

  test("what could not be sent stays, too", async () => {
    refuse = true;
    const source = standing(early);
    const box = await open(source);
    write(box, "请听");
    press(box, { key: "Enter" });
    await settle();
    put(source, "ended");
    fireEvent.click(screen.getByRole("button", { name: "放回输入框" }));
    expect(box.value).toBe("请听");
  });

  test("a meeting that closes can be paused, and nothing else", async () => {
    const source = standing(early);
    const box = await open(source);
    put(source, "closing");
    write(box, "/");
    expect(screen.getAllByRole("option").map((one) => one.textContent)).toEqual([
      expect.stringContaining("/pause"),
      expect.stringContaining("/resume"),
    ]);
  });
});

test("whoever may only read has no composer, and too long a text cannot be sent", async () => {
  const box = await open(standing(early));
  write(box, "字".repeat(10_001));
  expect(screen.getByText(/超出 1 字/)).toBeDefined();
  expect(screen.getByRole("button", { name: "发送" }).hasAttribute("disabled")).toBe(true);
});

test("a guest who may only read is not asked to speak", async () => {
  scope = "read";
  await draw(standing(early), <Composer />);
  await settle();
  expect(screen.queryByRole("textbox")).toBeNull();
});

test("words that are being written off the record are kept nowhere", async () => {
  const { view } = standing(early).snapshot();
  const box = await open(standing(early, { view: view && { ...view, off_record: true } }));
  write(box, "收购谁？");
  expect(box.value).toBe("收购谁？");
  expect(sessionStorage).toHaveLength(0);
  // Nor while they are sent, and not when that fails.
  refuse = true;
  press(box, { key: "Enter" });
  await settle();
  expect(screen.getByRole("alert").textContent).toContain("磁盘已满");
  expect(box.value).toBe("");
  expect(sessionStorage).toHaveLength(0);
});

test("the names after @ are those of others, not of one's own seat", () => {
  const people = [guest("Ada"), guest("Lin")].map((one, at) => ({ ...one, id: `p${at + 1}` }));
  const offered = (own: string[]) =>
    suggestionsFor("@", 1, people, [], [], new Set(own)).map(({ label }) => label);
  expect(offered(["p1"])).toEqual(["Lin"]);
  expect(offered([])).toEqual(["Ada", "Lin"]);
});
