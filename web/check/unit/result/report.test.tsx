// A result as it is read: the verdict in words, every vote, dissent that stays, and the way to each source.

import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import type { ClauseResult as Clause, MeetingOutcome, Report } from "../../../app/src/api/schema";
import { clauseWords } from "../../../app/src/components/ballot/clauses";
import { outcomeName, outcomeWords, rowOutcome } from "../../../app/src/components/outcome";
import { Referring } from "../../../app/src/components/record/references";
import { runnerLabel } from "../../../app/src/components/speaker/runner-label";
import { runnerWords } from "../../../app/src/features/result/labels";
import { ResultPlace } from "../../../app/src/features/result/place";
import { ResultReport } from "../../../app/src/features/result/report";
import { Verdict } from "../../../app/src/features/result/verdict";
import { lanes } from "../../../app/src/features/result/votes";
import i18n, { setLanguage } from "../../../app/src/i18n";
import type { ServerView } from "../../../app/src/meeting/view";
import message from "../fixtures/message-m12.json";
import brainstorm from "../fixtures/report-brainstorm.json";
import consensus from "../fixtures/report-consensus.json";
import decision from "../fixtures/report-decision.json";
import view from "../fixtures/view-consensus.json";
import whatIf from "../fixtures/what-if.json";
import { OWNER } from "../people/page";
import { at, server } from "./test-page";

const read = <T,>(value: unknown): T => JSON.parse(JSON.stringify(value));
const table = read<ServerView>(view);

afterEach(async () => {
  vi.unstubAllGlobals();
  await setLanguage("zh-CN");
});

async function shown(value: unknown) {
  const asked = server(({ path }) =>
    path.endsWith("/what-if") ? whatIf : path.endsWith("/messages/m12") ? message : undefined,
  );
  const report = read<Report>(value);
  const page = await at("/m/x/result", "/m/$id/result", () => (
    <ResultPlace meeting={report.meeting_id} view={table}>
      <Referring messages={report.messages}>
        <ResultReport report={report} view={table} />
      </Referring>
    </ResultPlace>
  ));
  return { ...page, asked, report };
}

const part = (name: string) => within(screen.getByRole("region", { name }));

test("the verdict is said first, with each clause", async () => {
  await shown(consensus);
  expect(screen.getByText("表决通过（第 2 次表决）")).toBeTruthy();
  expect(screen.getByText(/4 位表决人中 4 位同意通过/)).toBeTruthy();
  const verdict = document.getElementById("verdict")?.textContent ?? "";
  expect(verdict).toContain("有效票数4，需要 3高出 1");
  expect(verdict).toContain("平均分83.3，需要 80高出 3.3");
});

test("the line among the scores of a ballot is that of each vote where the rules have one", async () => {
  const [first, ...more] = consensus.ballots;
  const clause = { clause: "min_score", needed: 60, got: 78, met: true };
  const verdict = { ...first?.verdict, clauses: [...(first?.verdict?.clauses ?? []), clause] };
  await shown({ ...consensus, ballots: [{ ...first, verdict }, ...more] });
  const lines = screen.getAllByTestId("vote-threshold").map((line) => line.style.left);
  expect(lines.toSorted()).toEqual(["60%", "80%"]);
});

test("where nobody was asked, as in a room, the support says so, and who is known to differ", async () => {
  const agreement = { ...consensus.agreement, basis: "nothing", passed: null, ballot: null };
  const none = { supports: 0, reserved: 0, dissents: 1, undecided: 3 };
  const room = { ...consensus, outcome: { outcome: "completed" }, agreement: { ...agreement, ...none } };
  const { unmount } = await shown(room);
  const verdict = () => document.getElementById("verdict")?.textContent ?? "";
  expect(verdict()).toContain("没有进行表决，1 位持其他立场");
  unmount();
  // Before its end it may still be asked, and ideas need no agreement.
  for (const other of [{ outcome: null }, { collects_ideas: true }]) {
    const { unmount: away } = await shown({ ...room, ...other });
    expect(verdict()).not.toContain("没有进行表决");
    away();
  }
});

test("where there is no room beside the text, its contents stand folded above it", async () => {
  await shown(consensus);
  const contents = screen.getByTestId("contents");
  expect((contents as HTMLDetailsElement).open).toBe(false);
  const targets = [...contents.querySelectorAll("a")].map((one) => one.getAttribute("href") ?? "");
  expect(targets.length).toBeGreaterThan(5);
  for (const target of targets) {
    expect(document.querySelector(target), target).toBeTruthy();
  }
});

test("an agreement that is suspicious is said to be, with the way to what makes it so", async () => {
  const health = (standing: string) => ({
    verdict: { standing, text: { code: `health-standing-${standing}` }, because: [] },
  });
  const open = async (standing: string) => {
    const answers = server(({ path }) =>
      path.endsWith("/deliberation-health") ? health(standing) : undefined,
    );
    const report = read<Report>(consensus);
    await at("/m/x/result", "/m/$id/result", () => (
      <ResultPlace meeting={report.meeting_id} view={table}>
        <Verdict report={report} view={table} />
      </ResultPlace>
    ));
    await waitFor(() => expect(answers.some((one) => one.path.endsWith("/deliberation-health"))).toBe(true));
    return report.meeting_id;
  };
  const id = await open("suspicious");
  const said = within(await screen.findByTestId("suspicion"));
  expect(said.getByText(/一致来得可疑/)).toBeTruthy();
  expect(said.getByRole("link").getAttribute("href")).toBe(`/m/${id}?tab=health`);
  document.body.innerHTML = "";
  await open("robust");
  expect(screen.queryByTestId("suspicion")).toBeNull();
});

test("without a ballot the disagreements are referred to only where there are some", async () => {
  const report = { ...read<Report>(consensus), ballots: [], dissent: [] };
  const sides = [{ issue: "甲还是乙", sides: [] }] as unknown as Report["disagreements"];
  await shown({ ...report, disagreements: [] });
  expect(part("不同意见").queryByText(/“分歧”/)).toBeNull();
  document.body.innerHTML = "";
  await shown({ ...report, disagreements: sides });
  expect(part("不同意见").getByText(/“分歧”/)).toBeTruthy();
});

test("a message that the minutes name is a way to it", async () => {
  const named = read<Report>(consensus);
  const minutes = { version: 1, seq: 9, content: "- 林晚：先补前提（m12）\n- 沈川：不在这里（m9999）" };
  await shown({ ...named, minutes: { ...named.minutes, ...minutes } });
  const links = part("纪要").getAllByRole("link", { name: "查看消息 m12" });
  expect(links.some((link) => link.textContent === "m12")).toBe(true);
  expect(part("纪要").queryByRole("link", { name: /m9999/ })).toBeNull();
});

test("who was simulated is called the same in the result as at the table, in the language of the page", async () => {
  await shown(consensus);
  expect(part("用量与费用").getByText("模拟 · 固执")).toBeTruthy();
  expect(runnerLabel({ kind: "simulated", temperament: "stubborn" })).toBe("模拟 · 固执");
  await setLanguage("en");
  expect(runnerWords("simulated (stubborn)")).toBe("Simulated · Stubborn");
  expect(runnerWords("ollama/qwen3")).toBe("ollama/qwen3");
  expect(runnerWords("person")).toBe("Person");
});

test("dissent stands there although the draft was accepted, and says when there is none", async () => {
  await shown(consensus);
  expect(part("有保留的支持").getByText("何溪")).toBeTruthy();
  expect(part("不同意见").getByText("没有人投反对票。")).toBeTruthy();
  document.body.innerHTML = "";
  await shown(decision);
  expect(part("不同意见").getAllByText(/没有表决/).length).toBeGreaterThan(0);
  document.body.innerHTML = "";
  const [one] = read<Report>(consensus).reservations;
  await shown({ ...consensus, dissent: [one] });
  expect(part("不同意见").getByText("何溪")).toBeTruthy();
});

test("the conclusion, an action, what is missing and a draft lead to the events that they come from", async () => {
  const missing = [{ text: "压力测试", by: ["何溪"], ballot: "b2", seq: 81 }];
  const actions = [{ what: "先试一周", who: null }];
  await shown({ ...consensus, missing, actions, conclusion_seq: 90 });
  const to = (name: string, words: string) =>
    new URL(part(name).getAllByRole<HTMLAnchorElement>("link", { name: words })[0]?.href ?? "").searchParams;
  expect(to("结论", "在会议中查看").get("at")).toBe("90");
  expect(to("行动项", "见结论").get("at")).toBe("90");
  expect(to("还缺什么", "第 2 次表决").get("at")).toBe("81");
  expect(part("还缺什么").getByText("何溪")).toBeTruthy();
  expect(to("表决", "查看这版草案").get("at")).toBe("61");
});

test("who moved and came back is not said to be unchanged", async () => {
  const [one] = read<Report>(consensus).shifts;
  const shift = { ...one, last: one?.first, moved_by_argument: 2, moved_without: 0 };
  await shown({ ...consensus, shifts: [{ ...shift, returned: true }] });
  expect(part("立场变化").getByText("改变过，又回到最初的立场")).toBeTruthy();
  expect(part("立场变化").queryByText("不变")).toBeNull();
  document.body.innerHTML = "";
  await shown({ ...consensus, shifts: [{ ...shift, returned: false }] });
  expect(part("立场变化").getByText("说改变了，但措辞与最初相同")).toBeTruthy();
});

test("who came after the blind round is not said to have answered blind", async () => {
  const shifts = read<Report>(consensus).shifts;
  await shown(consensus);
  expect(screen.getByText(i18n.t("result.shifts_note"))).toBeTruthy();
  document.body.innerHTML = "";
  const [first, ...others] = shifts;
  await shown({ ...consensus, shifts: [{ ...first, first_blind: false }, ...others] });
  const names = first?.name ?? "";
  expect(screen.getByText(i18n.t("result.shifts_note_late", { names }))).toBeTruthy();
  document.body.innerHTML = "";
  await shown({ ...consensus, shifts: shifts.map((one) => ({ ...one, first_blind: false })) });
  expect(screen.getByText(i18n.t("result.shifts_note_plain"))).toBeTruthy();
});

test("each position leads to the message that states it", async () => {
  await shown(decision);
  const links = part("立场变化").getAllByRole("link", { name: i18n.t("result.to_message", { id: "m1" }) });
  expect(links).toHaveLength(1);
  expect(part("立场变化").getAllByRole("link")).toHaveLength(2 * decision.shifts.length);
});

test("who ended a meeting, and with which words, is the verdict", async () => {
  const ended_by = { by: { kind: "person" as const, id: "小林", name: "小林" }, note: "够了，先做", seq: 70 };
  await shown({ ...decision, outcome: { outcome: "completed" }, ended_by });
  expect(screen.getByText("讨论完成（由 小林 结束：够了，先做）")).toBeTruthy();
});

test("who ended a meeting at this machine, without an account, is not told a machine's name", async () => {
  const ended_by = { by: { kind: "person" as const, id: "owner", name: "owner" }, note: "够了", seq: 70 };
  await shown({ ...decision, outcome: { outcome: "aborted", reason: "user" }, ended_by });
  expect(screen.getByText("由 用户 结束：够了")).toBeTruthy();
  const outcome = { outcome: "aborted", reason: "user" } as const;
  expect(outcomeWords(i18n.t, outcome, ended_by, "owner")).toBe("由你结束：够了");
  expect(outcomeWords(i18n.t, outcome, ended_by, "guest:1")).toBe("由 用户 结束：够了");
});

test("an artifact with nothing in it is no card, and it is said why", async () => {
  const empty = {
    type: "SUMMARY",
    version: "v1",
    author: "规则",
    seq: 88,
    content: { summary: "", key_points: [] },
  };
  await shown({ ...consensus, artifacts: [empty] });
  expect(part("交付物").getByText(/摘要没有内容/)).toBeTruthy();
  expect(part("交付物").queryByRole("tab")).toBeNull();
});

test("a line leads to the message that it rests on", async () => {
  const { router, asked, report } = await shown(consensus);
  await userEvent.click(screen.getByRole("link", { name: "查看消息 m12" }));
  await waitFor(() => expect(router.state.location.pathname).toBe(`/m/${report.meeting_id}`));
  expect(router.state.location.search).toEqual({ at: message.seq });
  expect(asked.filter((one) => one.path.endsWith("/m12"))).toHaveLength(1);
});

test("votes are sorted by what is pressed", async () => {
  await shown(consensus);
  const votes = within(screen.getByRole("table", { name: "第 2 次表决" }));
  const names = () => votes.getAllByRole("rowheader").map((cell) => cell.textContent?.slice(1));
  expect(names()).toEqual(["陈默", "许岩", "沈川", "何溪"]);
  await userEvent.click(votes.getByRole("button", { name: "分数" }));
  expect(names().at(-1)).toBe("何溪");
  expect(votes.getByRole("columnheader", { name: "分数" }).getAttribute("aria-sort")).toBe("descending");
  await userEvent.click(votes.getByRole("button", { name: "分数" }));
  expect(names()[0]).toBe("何溪");
});

test("a decision shows its record, its tasks and its risks, the heaviest first", async () => {
  await shown(decision);
  expect(part("交付物").getAllByText("关于「团队知识库」的决定").length).toBeGreaterThan(0);
  const risks = part("风险").getAllByRole("listitem");
  expect(risks).toHaveLength(6);
  expect(risks[0]?.textContent).toContain("可能性 高影响 高");
  expect(part("行动项").getByText(/验收：在约定日期前交出结果/)).toBeTruthy();
  expect(screen.queryByRole("region", { name: "表决" })).toBeNull();
});

test("a brainstorm shows its best ideas and the wildcard, and hides its marks until they are asked for", async () => {
  await shown(brainstorm);
  expect(part("最佳想法").getAllByRole("listitem")).toHaveLength(3);
  expect(part("最佳想法").getByText(/意外之选/)).toBeTruthy();
  expect(screen.queryByText("5 / 10")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "显示隐藏评分" }));
  expect(screen.getAllByText("5 / 10").length).toBeGreaterThan(0);
});

test("a meeting that runs says so, and keeps its marks", async () => {
  await shown({ ...consensus, outcome: null });
  expect(screen.getByText(/会议还在进行/)).toBeTruthy();
  expect(screen.getByText("还没有结论")).toBeTruthy();
});

const clause = (kind: Clause["clause"], needed: number, got: number | null): Clause => ({
  clause: kind,
  needed,
  got,
  met: got !== null && got >= needed,
});

test.each([
  [clause("mean_score", 80, 71), "71，需要 80", "差 9"],
  [clause("mean_score", 80, 80), "80，需要 80", "刚好"],
  [clause("pass_ratio", 0.75, 0.5), "50%，需要 75%", "差 25 个百分点"],
  [clause("min_score", 60, 66.66), "66.7，需要 60", "高出 6.7"],
  [clause("quorum", 3, null), "没有可看的票，需要 3", ""],
  [clause("mean_score", 75, 74.25), "74.3，需要 75", "差 0.7"],
  [clause("mean_score", 75, 74.96), "74.96，需要 75", "差 0.04"],
  [clause("pass_ratio", 0.75, 2 / 3), "66.7%，需要 75%", "差 8.3 个百分点"],
])("a clause says what it needed and by how much it was missed", (one, how, gap) => {
  expect(clauseWords(i18n.t, one)).toMatchObject({ how, gap });
});

test("every outcome has its sentence, in both languages", async () => {
  const all: Report["outcome"][] = [
    null,
    { outcome: "accepted", ballot: "b3" },
    { outcome: "completed" },
    { outcome: "converged", by: "few_open_points" },
    { outcome: "converged", by: "artifacts" },
    { outcome: "converged", by: "stable_recommendation" },
    { outcome: "aborted", reason: "round_limit" },
    { outcome: "aborted", reason: "nobody_left" },
    { outcome: "aborted", reason: "user" },
    { outcome: "aborted", reason: "budget", budget: "wall_time" },
  ];
  for (const language of ["zh-CN", "en"] as const) {
    await setLanguage(language);
    const said = all.map((one) => outcomeWords(i18n.t, one));
    expect(new Set(said).size).toBe(all.length);
    expect(said.filter((text) => text.includes("result."))).toEqual([]);
  }
});

test("an outcome as the list writes it is read", () => {
  const kinds = ["accepted", "converged", "completed", "aborted(round_limit)", "aborted(token_budget)"];
  expect(kinds.map((one) => rowOutcome(i18n.t, one).text)).toEqual([
    "表决通过",
    "讨论收敛",
    "讨论完成",
    "轮次用完，未达成一致",
    "token 预算用完，提前结束",
  ]);
});

test.each<[string, MeetingOutcome]>([
  ["accepted", { outcome: "accepted", ballot: "b3" }],
  ["converged", { outcome: "converged", by: "artifacts" }],
  ["completed", { outcome: "completed" }],
  ["aborted(round_limit)", { outcome: "aborted", reason: "round_limit" }],
  ["aborted(nobody_left)", { outcome: "aborted", reason: "nobody_left" }],
  ["aborted(user)", { outcome: "aborted", reason: "user" }],
  ["aborted(token_budget)", { outcome: "aborted", reason: "budget", budget: "tokens" }],
  ["aborted(cost_budget)", { outcome: "aborted", reason: "budget", budget: "cost" }],
  ["aborted(time_budget)", { outcome: "aborted", reason: "budget", budget: "wall_time" }],
])("%s is called the same in lists, at the meeting and on the result", (written, outcome) => {
  const name = rowOutcome(i18n.t, written).text;
  expect(outcomeName(i18n.t, outcome)).toBe(name);
  expect(outcomeWords(i18n.t, outcome).startsWith(name)).toBe(true);
});

test("scores that lie close to each other get lanes of their own", () => {
  expect(lanes([82, 87, 87, 77])).toEqual([0, 0, 1, 0]);
  expect(lanes([50, 51, 52])).toEqual([0, 1, 2]);
});

test.each([
  ["owner", 1],
  ["speak", 0],
] as const)("hidden marks are promised to who will see them: %s", async (scope, count) => {
  const view = { ...table, rules: { ...table.rules, roster: { ...table.rules.roster, evaluate: true } } };
  const report = { ...read<Report>(consensus), outcome: null, evaluations: [] };
  server(({ path }) => (path.endsWith("/me") ? { ...OWNER, scope } : whatIf));
  await at("/m/x/result", "/m/$id/result", () => (
    <ResultPlace meeting={report.meeting_id} view={view}>
      <Referring messages={report.messages}>
        <ResultReport report={report} view={view} />
      </Referring>
    </ResultPlace>
  ));
  await screen.findByRole("region", { name: "换规则试算" });
  await waitFor(() => expect(screen.queryAllByRole("region", { name: "隐藏评分" })).toHaveLength(count));
});
