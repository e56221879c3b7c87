// The questions of a paused meeting, form by form, and the sent answers.

import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useEffect, useState } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import type { MeetingPause, Question } from "../../../app/src/api/schema";
import { showQuestions } from "../../../app/src/components/meeting-page/postponed-questions";
import { Questions } from "../../../app/src/features/questions/questions";
import { phraseIn } from "../../../app/src/i18n/phrases";
import type { View } from "../../../app/src/meeting/view";
import { at, golden, log, ndjson, server } from "./at";

beforeEach(() => {
  vi.unstubAllGlobals();
  showQuestions();
});

function paused(
  reason: MeetingPause["reason"],
  suggested_next: MeetingPause["suggested_next"],
  questions: Question[],
): View {
  const view = golden("zh/decision", 11);
  return {
    ...view,
    pause: { reason, suggested_next, questions, resume_token: "now", paused_at: "2026-03-01T08:30:00.000Z" },
  };
}

/** A meeting that waits for the word of its host. */
function awaiting(id: string, name = id): View {
  return { ...golden("zh/faults-2123", 60), host_person: { id, name } };
}

async function press(name: string) {
  await userEvent.click(screen.getByRole("button", { name, hidden: false }));
}

test("typed questions: what is required is asked for, and answers go out with the token of the pause", async () => {
  const view = golden("zh/decision", 11);
  const sent = server(() => undefined);
  await at(view, <Questions />);
  const window = await screen.findByRole("dialog");
  for (const question of view.pause?.questions ?? []) {
    expect(within(window).getByText(phraseIn("zh-CN", question.ask), { exact: false })).toBeTruthy();
    expect(within(window).queryByText(question.key)).toBeNull();
  }
  await press("提交并继续");
  expect(within(window).getByText("需要回答，或选择“不回答，直接继续”")).toBeTruthy();
  expect(sent).toEqual([]);
  await userEvent.click(within(window).getByRole("radio", { name: "一到三个月" }));
  expect(within(window).getByText("需要回答，或选择“其余不回答，继续”")).toBeTruthy();
  expect(screen.getByRole("button", { name: "其余不回答，继续" })).toBeTruthy();
  await userEvent.type(within(window).getAllByRole("textbox")[0] as HTMLElement, "1200");
  await userEvent.tab();
  await userEvent.click(within(window).getByRole("radio", { name: "一到三个月" }));
  await press("提交并继续");
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({
    method: "POST",
    path: `/api/v1/meetings/${view.id}/resume`,
    body: {
      token: view.pause?.resume_token,
      answers: { affected: 1200, deadline: "一到三个月" },
      take_defaults: false,
    },
  });
});

const question = (key: string, more: Partial<Question> = {}): Question => ({
  key,
  ask: { text: key },
  kind: { kind: "text" },
  required: false,
  ...more,
});

test("what is not answered takes its default when one says so", async () => {
  const asks = [question("goal", { default: "一年" }), question("team")];
  const sent = server(() => undefined);
  await at(paused("missing_info", "answer_questions", asks), <Questions />);
  await screen.findByRole("dialog");
  await press("全部用默认值");
  await waitFor(() => expect(sent[0]?.body).toMatchObject({ answers: {}, take_defaults: true }));
});

test("where nothing has a default and nothing is needed, none is offered, and nothing is said to be sent", async () => {
  const sent = server(() => undefined);
  await at(golden("zh/brainstorm", 7), <Questions />);
  const window = await screen.findByRole("dialog");
  const buttons = () =>
    within(window)
      .getAllByRole("button")
      .map((one) => one.textContent);
  expect(buttons()).not.toContain("全部用默认值");
  expect(buttons()).not.toContain("提交并继续");
  await userEvent.type(within(window).getAllByRole("textbox")[0] as HTMLElement, "甲");
  expect(buttons()).toContain("提交并继续");
  await userEvent.clear(within(window).getAllByRole("textbox")[0] as HTMLElement);
  await press("继续");
  await waitFor(() => expect(sent[0]?.body).toMatchObject({ answers: {}, take_defaults: false }));
  expect(await screen.findByText("会议继续")).toBeTruthy();
});

test.each<[MeetingPause["reason"], MeetingPause["suggested_next"], Question[], string]>([
  ["budget_limit", "raise_the_budget_or_end", [question("budget", { default: 0 })], "结束会议"],
  ["awaiting_host", "say_who_speaks", [question("message", { default: "@Ada" })], "请所有人发言"],
  ["tool_approval", "allow_or_refuse_the_tool", [question("t1", { default: "refused" })], "全部拒绝"],
  ["missing_info", "answer_questions", [question("goal", { default: "一年" })], "用默认值"],
])("a default is called what it does: %s", async (reason, next, asks, label) => {
  const sent = server(() => undefined);
  await at({ ...paused(reason, next, asks), host_person: null }, <Questions />);
  await screen.findByRole("dialog");
  await press(label);
  await waitFor(() => expect(sent[0]?.body).toMatchObject({ answers: {}, take_defaults: true }));
});

test("questions put aside stay as a line, and come back with what was written", async () => {
  server(() => undefined);
  await at(golden("zh/brainstorm", 7), <Questions />);
  const window = await screen.findByRole("dialog");
  await userEvent.type(within(window).getAllByRole("textbox")[0] as HTMLElement, "新主题");
  await press("稍后回答");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await press("回答问题");
  const again = await screen.findByRole("dialog");
  expect(within(again).getByDisplayValue("新主题")).toBeTruthy();
});

test("questions take no keys away from whoever is writing: they are put aside until they are wanted", async () => {
  server(() => undefined);
  await Promise.all([
    import("../../../app/src/features/questions/questions-window"),
    import("../../../app/src/ui/windows"),
  ]);
  function Writing({ words }: { words: string }) {
    const [asked, setAsked] = useState(false);
    useEffect(() => setAsked(true), []);
    return (
      <>
        {/* biome-ignore lint/a11y/noAutofocus: somebody writes there */}
        <textarea aria-label="发言" autoFocus defaultValue={words} />
        {asked && <Questions />}
      </>
    );
  }
  const settle = () => act(() => new Promise((done) => setTimeout(done, 300)));
  await at(golden("zh/brainstorm", 7), <Writing words="" />);
  await settle();
  expect(screen.getByRole("dialog")).toBeTruthy();
  cleanup();

  await at(golden("zh/brainstorm", 7), <Writing words="写到一半" />);
  await settle();
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole("textbox", { name: "发言" }));
  await press("回答问题");
  expect(await screen.findByRole("dialog")).toBeTruthy();
});

test("a team is approved without those who are not ticked", async () => {
  const proposed = log("zh/brainstorm").filter((event) => event.type === "team_proposed" && event.seq <= 12);
  const sent = server(({ path }) => (path.includes("/log") ? ndjson(proposed) : undefined));
  await at(golden("zh/brainstorm", 12), <Questions />);
  const window = await screen.findByRole("dialog");
  const ticks = await within(window).findAllByRole("checkbox");
  const [event] = proposed;
  const candidates = event?.type === "team_proposed" ? (event.payload.candidates ?? []) : [];
  expect(ticks).toHaveLength(candidates.length);
  await userEvent.click(ticks[0] as HTMLElement);
  await press("提交并继续");
  await waitFor(() => expect(sent.at(-1)?.method).toBe("POST"));
  expect(sent.at(-1)?.body).toMatchObject({
    answers: { team: "accept", leave_out: candidates[0]?.newcomer.name },
  });
});

test("a check-in before the first round is named so, and as before the next one later", async () => {
  server(() => undefined);
  await at(golden("zh/brainstorm", 7), <Questions />);
  expect(await screen.findByRole("dialog", { name: "讨论开始前" })).toBeTruthy();
  cleanup();
  showQuestions();
  await at(golden("zh/brainstorm", 53), <Questions />);
  expect(await screen.findByRole("dialog", { name: "下一轮开始前" })).toBeTruthy();
});

test("what the host has to put right is told without the name of the field, and with what helps", async () => {
  const detail = "message：没有提到在座的任何人";
  const errors = [{ pointer: "/answers/message", detail }];
  const problem = { type: "#bad-answer", title: "bad", status: 422, detail, hint: "提到 @苏棠", errors };
  server(() => Response.json(problem, { status: 422 }));
  await at(awaiting("ada"), <Questions />);
  const window = await screen.findByRole("dialog");
  await userEvent.type(within(window).getByRole("textbox"), "你好");
  await press("提交并继续");
  expect(await within(window).findByText("没有提到在座的任何人；提到 @苏棠")).toBeTruthy();
});

test("the host speaks and calls on somebody", async () => {
  const sent = server(() => undefined);
  const view = awaiting("ada");
  await at(view, <Questions />);
  const window = await screen.findByRole("dialog");
  const here = view.participants.find((seat) => seat.participant.name.includes(" "))?.participant.name;
  await userEvent.click(within(window).getByRole("button", { name: `@${here}` }));
  await press("提交并继续");
  await waitFor(() =>
    expect(sent[0]?.body).toMatchObject({ answers: { message: expect.stringContaining(`@"${here}"`) } }),
  );
});

test("only the host is asked for the host's word; others read whom the meeting waits for", async () => {
  server(() => undefined);
  await at(awaiting("lin", "林客"), <Questions />);
  expect(await screen.findByText("等待主持人（林客）点名发言")).toBeTruthy();
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(screen.queryByRole("button")).toBeNull();
  cleanup();
  await at(awaiting("ada"), <Questions />);
  expect(await screen.findByRole("dialog", { name: "请以主持人身份发言" })).toBeTruthy();
});

test("a budget is raised in the unit that people count it in", async () => {
  const sent = server(() => undefined);
  const view = paused("budget_limit", "raise_the_budget_or_end", [
    {
      key: "budget",
      ask: { code: "question-new-cost-limit", args: { limit: 500000 } },
      required: true,
      kind: { kind: "number" },
      default: 0,
    },
  ]);
  view.budget = { ...view.budget, cost_micros: { used: 500_000, limit: 500_000 } };
  await at(view, <Questions />);
  await screen.findByRole("dialog");
  await userEvent.click(screen.getByRole("button", { name: /^2 倍/ }));
  await press("提交并继续");
  await waitFor(() => expect(sent[0]?.body).toMatchObject({ answers: { budget: 1_000_000 } }));
});

test("one of two ways is chosen, and says what follows", async () => {
  const sent = server(() => undefined);
  await at(golden("en/faults-154", 52), <Questions />);
  const window = await screen.findByRole("dialog");
  // What holds without a choice is chosen already.
  expect(within(window).getByRole<HTMLInputElement>("radio", { name: /继续讨论/ }).checked).toBe(true);
  expect(within(window).queryByRole("button", { name: /默认值/ })).toBeNull();
  expect(within(window).getByText(/^为什么问：/)).toBeTruthy();
  await press("继续");
  await waitFor(() => expect(sent[0]?.body).toMatchObject({ answers: { next: "continue" } }));
});

test("who chooses the end presses a button that says so", async () => {
  const sent = server(() => undefined);
  await at(golden("en/faults-154", 52), <Questions />);
  const window = await screen.findByRole("dialog");
  await userEvent.click(within(window).getByRole("radio", { name: /结束会议/ }));
  await press("结束会议");
  await waitFor(() => expect(sent[0]?.body).toMatchObject({ answers: { next: "end" } }));
  expect(await screen.findByText("正在结束，按目前最好的结论收尾")).toBeTruthy();
});

test("an artifact that did not pass is written again", async () => {
  const sent = server(() => undefined);
  const view = paused("gate_failed", "retry_or_let_the_rules_write", [
    {
      key: "gate",
      ask: { code: "question-gate", args: { record: "ADR" } },
      why: { code: "answer-unknown-message", args: { field: "tasks[0]", message: "m99" } },
      kind: { kind: "choice", choices: ["retry", "by_rules"] },
      default: "by_rules",
      required: true,
    },
  ]);
  await at(view, <Questions />);
  const window = await screen.findByRole("dialog");
  expect(within(window).getByText("为什么问：`tasks[0]` 引用了不存在的消息 m99")).toBeTruthy();
  await userEvent.click(within(window).getByRole("radio", { name: /再写一次/ }));
  await press("提交并继续");
  await waitFor(() => expect(sent[0]?.body).toMatchObject({ answers: { gate: "retry" } }));
});

test("who allows a tool for the meeting has decided on its other calls", async () => {
  const sent = server(() => undefined);
  const call = (key: string, tool: string): Question => ({
    key,
    ask: { code: "question-allow-tool", args: { name: "Ada", tool } },
    kind: { kind: "choice", choices: ["once", "meeting", "refused"] },
    default: "refused",
    required: true,
  });
  const calls = [call("t1", "desk__note"), call("t2", "desk__note"), call("t3", "desk__order")];
  const view = { ...paused("tool_approval", "allow_or_refuse_the_tool", calls), host_person: null };
  await at(view, <Questions />);
  const window = await screen.findByRole("dialog");
  const [first] = within(window).getAllByRole("radio", { name: /本场会议允许/ });
  await userEvent.click(first as HTMLElement);
  const chosen = within(window).getAllByRole<HTMLInputElement>("radio", { name: /本场会议允许/ });
  expect(chosen.map((one) => one.checked)).toEqual([true, true, false]);
  const once = within(window).getAllByRole("radio", { name: /允许本次/ });
  await userEvent.click(once[2] as HTMLElement);
  await press("提交并继续");
  await waitFor(() =>
    expect(sent[0]?.body).toMatchObject({ answers: { t1: "meeting", t2: "meeting", t3: "once" } }),
  );
});

test("where nobody answered, the reasons stand there and the way to the providers", async () => {
  const sent = server(() => undefined);
  const view = paused("nobody_answered", "check_providers_then_resume", []);
  view.round = {
    number: 1,
    kind: "serial",
    focus: [],
    order: ["p1"],
    queue: [],
    offered_again: 0,
    ended_seq: null,
    turns: [
      {
        id: "r1t1",
        participant: "p1",
        seq: 14,
        can_skip: false,
        reason: { why: "rotation" },
        targets: [],
        state: { failed: "authentication" },
      },
    ],
  };
  await at(view, <Questions />);
  const window = await screen.findByRole("dialog");
  expect(within(window).getByText("密钥无效或没有权限")).toBeTruthy();
  expect(within(window).getByRole("link", { name: "检查供应商" }).getAttribute("href")).toBe(
    "/settings/providers",
  );
  await userEvent.click(within(window).getByRole("button", { name: "继续" }));
  await waitFor(() => expect(sent[0]?.path).toContain("/resume"));
});

test("a pause that somebody asked for asks nothing", async () => {
  await at(golden("zh/faults-111", 47), <Questions />);
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(screen.queryByRole("region", { name: "会议在等待回答" })).toBeNull();
});

test("whoever may not speak is told that somebody else is waited for", async () => {
  await at(golden("zh/decision", 11), <Questions />, { may: { speak: false, manage: false } });
  expect(screen.getByText("正在等待有权限的人回答")).toBeTruthy();
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("what the server does not take is told at the question", async () => {
  const detail = "“很多”不是数字";
  const problem = {
    type: "#bad-answer",
    title: "bad",
    status: 422,
    detail,
    errors: [{ pointer: "/answers/deadline", detail }],
  };
  server(() => Response.json(problem, { status: 422 }));
  await at(golden("zh/decision", 11), <Questions />);
  await screen.findByRole("dialog");
  await press("不回答，直接继续");
  expect(await screen.findByText(detail)).toBeTruthy();
});

test("a pause that is over is explained, and its successor is fetched", async () => {
  const problem = { type: "#wrong-resume-token", title: "wrong", status: 409, detail: "这次停顿已经过去" };
  server(() => Response.json(problem, { status: 409 }));
  const { retry } = await at(golden("zh/decision", 11), <Questions />);
  await screen.findByRole("dialog");
  await press("不回答，直接继续");
  expect(await screen.findByText(/你填写的内容没有提交/)).toBeTruthy();
  await press("重试");
  expect(retry).toHaveBeenCalled();
});

test("when nobody answered, each participant is listed once, with its last failure", async () => {
  server(() => undefined);
  const view = golden("en/limits", 37);
  const turns = view.round?.turns ?? [];
  expect(turns).toHaveLength(4);
  await at(view, <Questions />);
  const window = await screen.findByRole("dialog", { name: "本轮没有可用的回答" });
  expect(within(window).getAllByRole("listitem")).toHaveLength(2);
});

test("when every vote of a ballot failed, the voters are listed with what failed", async () => {
  server(() => undefined);
  const view = golden("zh/consensus");
  const [ballot] = view.ballots.slice(-1);
  if (!ballot) throw new Error("there was a ballot");
  const failed = {
    failed: {
      kind: "malformed" as const,
      detail: { text: "不是 JSON" },
      hint: { text: "换一个模型" },
      seq: 9,
    },
  };
  const cast = Object.fromEntries(ballot.voters.map((one) => [one, failed]));
  const pause = { ...paused("nobody_answered", "check_providers_then_resume", []).pause };
  const ended = { ...view, state: "paused" as const, outcome: null, ballots: [{ ...ballot, cast }] };
  await at({ ...ended, pause: pause as MeetingPause }, <Questions />);
  const window = await screen.findByRole("dialog", { name: "本轮没有可用的回答" });
  expect(within(window).getAllByRole("listitem")).toHaveLength(ballot.voters.length);
  expect(within(window).getAllByText(/不是 JSON/)).toHaveLength(ballot.voters.length);
});
