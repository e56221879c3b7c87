// The page of a new meeting: what one sees and presses, and what the server is sent.

import { QueryClientProvider } from "@tanstack/react-query";
import { act, render, renderHook, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type ReactNode, useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { queries } from "../../app/src/api/queries";
import { BudgetSection } from "../../app/src/features/create/budget";
import { ChosenParticipants } from "../../app/src/features/create/chosen-participants";
import { dominantVendor } from "../../app/src/features/create/dominant-vendor";
import { RuleOfForm } from "../../app/src/features/create/rule-of-form";
import { savedForm, saveForm } from "../../app/src/features/create/saved-form";
import { Seats } from "../../app/src/features/create/seats";
import { setLanguage } from "../../app/src/i18n";
import { complete, create } from "../../app/src/meeting-form/create-meeting";
import { ESTIMATE_DEBOUNCE_MS, readEstimate, useEstimate } from "../../app/src/meeting-form/estimate";
import { emptyForm, emptySeat, type Form, type Seat } from "../../app/src/meeting-form/form";
import { forgetForm } from "../../app/src/meeting-form/form-storage";
import { useIdempotencyKey } from "../../app/src/meeting-form/idempotency-key";
import { haveFormats } from "./served-formats";

const notices: { text: string; action?: { label: string; onSelect: () => void } }[] = [];
vi.mock("../../app/src/ui/toast", () => ({
  notify: (notice: (typeof notices)[number]) => notices.push(notice),
}));

const asked: { path: string; body: unknown; key: string | null }[] = [];
let answer: { status: number; body: object };

beforeEach(() => {
  queries.clear();
  haveFormats();
  sessionStorage.clear();
  asked.length = 0;
  notices.length = 0;
  answer = { status: 200, body: {} };
  vi.stubGlobal("fetch", async (request: Request) => {
    const body = JSON.parse((await request.text()) || "null");
    const path = new URL(request.url).pathname.replace("/api/v1", "");
    asked.push({ path, body, key: request.headers.get("idempotency-key") });
    return new Response(JSON.stringify(answer.body), {
      status: answer.status,
      headers: { "content-type": "application/json" },
    });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function Table({ names, told }: { names: string[]; told?: (seats: Seat[]) => void }) {
  const [seats, setSeats] = useState(() =>
    names.map((name) => emptySeat("simulated", name, { temperament: "balanced" })),
  );
  told?.(seats);
  return <Seats seats={seats} onChange={setSeats} wrong={{}} />;
}

const order = () =>
  screen.getAllByRole("listitem").map((row) => within(row).getByText(/^[A-Z]$/).textContent);

test("seats change places by keyboard alone, and it is said aloud", async () => {
  render(<Table names={["A", "B", "C"]} />);
  screen.getByRole("button", { name: "下移 A" }).focus();
  await userEvent.keyboard("{Enter}");
  expect(order()).toEqual(["B", "A", "C"]);
  expect(screen.getByRole("status").textContent).toBe("A 现在是第 2 位");
  screen.getByRole("button", { name: "上移 C" }).focus();
  await userEvent.keyboard(" ");
  expect(order()).toEqual(["B", "C", "A"]);
  expect(screen.getByRole("button", { name: "上移 B" }).getAttribute("aria-disabled")).toBe("true");
});

test("at the end of the list, and when a row goes, the keyboard stays among the seats", async () => {
  render(<Table names={["A", "B", "C"]} />);
  const focused = () => document.activeElement?.getAttribute("aria-label");
  screen.getByRole("button", { name: "下移 B" }).focus();
  await userEvent.keyboard("{Enter}");
  expect(order()).toEqual(["A", "C", "B"]);
  expect(focused()).toBe("下移 B");
  await userEvent.keyboard("{Enter}");
  expect(order()).toEqual(["A", "C", "B"]);
  screen.getByRole("button", { name: "移除 A" }).focus();
  await userEvent.keyboard("{Enter}");
  expect(focused()).toBe("移除 C");
});

test("somebody who was taken out comes back, and what was done since stays", async () => {
  render(<Table names={["A", "B", "C"]} />);
  await userEvent.click(screen.getByRole("button", { name: "移除 A" }));
  await userEvent.click(screen.getByRole("button", { name: "下移 B" }));
  expect(notices.map((one) => [one.text, one.action?.label])).toEqual([["已移除 A", "撤销"]]);
  act(() => notices[0]?.action?.onSelect());
  const names = screen.getAllByRole("button", { name: /^编辑/ }).map((one) => one.getAttribute("aria-label"));
  expect(names).toEqual(["编辑 A", "编辑 C", "编辑 B"]);
});

test("a process is added by its name, and is asked without what only models take", async () => {
  let now: Form = { ...emptyForm(), named: true };
  function Chosen() {
    const [form, setForm] = useState(now);
    now = form;
    return <ChosenParticipants form={form} set={setForm} wrong={{}} agents={[]} />;
  }
  queries.setQueryData(["processes"], { items: [], next_cursor: null });
  render(
    <QueryClientProvider client={queries}>
      <Chosen />
    </QueryClientProvider>,
  );
  await userEvent.click(screen.getByRole("button", { name: "添加进程或编程智能体" }));
  await userEvent.click(screen.getByRole("button", { name: /^编辑/ }));
  await userEvent.type(screen.getByRole("textbox", { name: /^进程或编程智能体/ }), "reviewer");
  expect(now.seats[0]?.model).toBe("process/reviewer");
  expect(screen.getByText("process/reviewer")).toBeDefined();
  await userEvent.click(screen.getByRole("button", { name: "更多" }));
  expect(screen.queryByText("备用模型")).toBeNull();
});

test("somebody is taken out, and what is said about the others stays", async () => {
  let now: Seat[] = [];
  render(
    <Table
      names={["A", "B"]}
      told={(seats) => {
        now = seats;
      }}
    />,
  );
  await userEvent.click(screen.getByRole("button", { name: "编辑 B" }));
  await userEvent.type(screen.getByLabelText(/^角色/), "怀疑者");
  await userEvent.click(screen.getByRole("button", { name: "移除 A" }));
  expect(now.map((one) => [one.name, one.role.name])).toEqual([["B", "怀疑者"]]);
});

const wrapper = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queries}>{children}</QueryClientProvider>
);

test("an estimate is asked for once the form has been calm for a while, and not at every key", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const hook = renderHook(({ topic }) => useEstimate({ topic }, topic !== ""), {
    wrapper,
    initialProps: { topic: "" },
  });
  for (const topic of ["要", "要不", "要不要"]) {
    hook.rerender({ topic });
    await act(() => vi.advanceTimersByTimeAsync(ESTIMATE_DEBOUNCE_MS - 100));
  }
  expect(asked).toEqual([]);
  await act(() => vi.advanceTimersByTimeAsync(ESTIMATE_DEBOUNCE_MS));
  await waitFor(() => expect(asked.map((one) => one.body)).toEqual([{ topic: "要不要" }]));
});

test("an unknown price is not nothing", () => {
  const share = (runner: string, cost_micros: number | null) => ({ runner, cost_micros, name: null });
  const course = { calls: 25, rounds: 2, tokens: 62_920, all_prices_known: false, known_cost_micros: 1200 };
  const read = readEstimate({
    currency: "USD",
    least: course,
    likely: { ...course, shares: [share("a/x", 1200), share("b/y", null), share("b/y", null)] },
    most: { ...course, open_ended: true, known_cost_micros: null },
  });
  expect(read.unpriced).toEqual(["b/y"]);
  expect(read.likely).toMatchObject({ cost: 1200, priced: false });
  expect(read.most.cost).toBeUndefined();
  expect(read.open).toBe(true);
  // No response makes it invent a value.
  expect(readEstimate(null).likely).toMatchObject({ calls: 0, cost: undefined, priced: false });
});

test("what is least never stands above what is most", () => {
  const course = (calls: number, tokens: number) => ({
    calls,
    rounds: 2,
    tokens,
    known_cost_micros: tokens,
    all_prices_known: true,
  });
  // A small budget ends the longest course after fewer calls.
  const read = readEstimate({
    least: course(34, 55_800),
    likely: course(35, 62_900),
    most: course(33, 62_000),
  });
  expect(read.least).toMatchObject({ calls: 33, tokens: 55_800, cost: 55_800 });
  expect(read.most).toMatchObject({ calls: 35, tokens: 62_900, cost: 62_900 });
});

test("a meeting is created by its file, under its key", async () => {
  answer = { status: 201, body: { id: "m1", state: "draft", last_seq: 1 } };
  expect(await create({ topic: "拆吗？" }, "k1")).toBe("m1");
  expect(asked).toEqual([{ path: "/meetings", body: { topic: "拆吗？" }, key: "k1" }]);
});

test("a ruleField that can be off is set, slid and taken back to what the format says", async () => {
  function Row() {
    const [form, set] = useState(emptyForm);
    return (
      <>
        <RuleOfForm path="decision.min_score" form={form} set={set} wrong={{ "decision.min_score": "140" }} />
        <output>{JSON.stringify(form.rules)}</output>
      </>
    );
  }
  const { container } = render(<Row />);
  const rules = () => container.querySelector("output")?.textContent;
  expect(screen.getByRole("alert").textContent).toBe("140");
  await userEvent.click(screen.getByRole("switch"));
  expect(rules()).toBe('{"decision.min_score":60}');
  await userEvent.click(screen.getByRole("button", { name: /恢复默认/ }));
  expect(rules()).toBe("{}");
});

test("one minute is one in the line of the budgets", async () => {
  await setLanguage("en");
  const form = { ...emptyForm(), rules: { "limits.wall_ms": 60_000, "limits.tokens": 500_000 } };
  render(<BudgetSection form={form} set={() => {}} wrong={{}} open={false} onToggle={() => {}} />);
  expect(screen.getByText("500,000 tokens · 1 minute")).toBeTruthy();
  await setLanguage("zh-CN");
});

test("what was filled in is there after a reload, until it is forgotten", () => {
  const form = {
    ...emptyForm(),
    topic: "拆吗？",
    named: true,
    seats: [emptySeat("simulated", "A", { temperament: "stubborn" })],
    described: ["一位律师"],
  };
  saveForm(form);
  expect(savedForm()).toMatchObject({ topic: "拆吗？", named: true, described: ["一位律师"] });
  expect(savedForm()?.seats[0]?.temperament).toBe("stubborn");
  saveForm({ ...emptyForm(), named: true });
  expect(savedForm()?.named).toBe(true);
  sessionStorage.setItem("quorate.new", "{broken");
  expect(savedForm()).toBeUndefined();
  forgetForm();
  expect(savedForm()).toBeUndefined();
});

test("what is to stay off the record is kept in no place that lasts, and what was kept of it goes", () => {
  saveForm({ ...emptyForm(), topic: "收购谁？" });
  expect(savedForm()?.topic).toBe("收购谁？");
  saveForm({ ...emptyForm(), topic: "收购谁？", off_record: true });
  expect(sessionStorage).toHaveLength(0);
  expect(savedForm()).toBeUndefined();
});

test("a meeting that does not start is kept, nobody is asked in, and that is told", async () => {
  answer = { status: 429, body: { type: "#too-many", status: 429, title: "太多", detail: "会议太多" } };
  const lack = await complete("m1", { form: described(), files: [], start: true });
  expect(asked.map((one) => one.path)).toEqual(["/meetings/m1/start"]);
  expect(lack).toMatchObject({ sentences: ["一位律师", "一位会计"], files: [] });
  expect(lack.begin).toMatchObject({ message: "会议太多" });
});

test("one file that cannot be attached keeps neither the others nor the start from being done", async () => {
  const files = ["a.txt", "b.txt"].map((name) => new File(["x"], name));
  vi.stubGlobal("fetch", async ({ url }: Request) => {
    const { pathname, searchParams } = new URL(url);
    asked.push({ path: pathname.replace("/api/v1", ""), body: null, key: null });
    const bad = searchParams.get("name") === "a.txt";
    return Response.json(bad ? { title: "大", detail: "太大" } : {}, { status: bad ? 413 : 200 });
  });
  const lack = await complete("m1", { form: described(), files, start: true });
  expect(lack).toEqual({ files: ["a.txt"], sentences: [] });
  expect(asked.map((one) => one.path)).toEqual([
    "/meetings/m1/files",
    "/meetings/m1/files",
    "/meetings/m1/start",
    "/meetings/m1/participants",
    "/meetings/m1/participants",
  ]);
});

test("the same file keeps its key over another try; another file has its own", () => {
  const { result } = renderHook(useIdempotencyKey);
  const key = result.current({ topic: "拆吗？" });
  expect(result.current({ topic: "拆吗？" })).toBe(key);
  expect(result.current({ topic: "合吗？" })).not.toBe(key);
});

const described = () => ({ ...emptyForm(), topic: "拆吗？", described: ["一位律师", "一位会计"] });

test("one vendor with more than half of the seats is noticed, from three seats on", () => {
  const seats = (...models: string[]) => ({
    ...emptyForm(),
    named: true,
    seats: models.map((model, at) => emptySeat("model", `P${at}`, { model })),
  });
  expect(dominantVendor(seats("a/x", "a/y", "b/z"), [])).toBe("a");
  expect(dominantVendor(seats("a/x", "b/y"), [])).toBeUndefined();
  expect(dominantVendor(seats("a/x", "a/y", "b/z", "b/w"), [])).toBeUndefined();
  expect(dominantVendor({ ...emptyForm(), models: ["a/x"] }, [])).toBe("a");
  expect(dominantVendor({ ...emptyForm(), models: ["a/x", "b/y"] }, [])).toBeUndefined();
  expect(dominantVendor({ ...emptyForm(), models: ["a/x"], simulate: true }, [])).toBeUndefined();
  expect(dominantVendor(emptyForm(), [])).toBeUndefined();
});
