// The panel: what stands in charts stands in their tables, and what is withheld stands nowhere.

import { act, cleanup, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import type { DeliberationHealth } from "../../../app/src/api/schema";
import { Pairs } from "../../../app/src/components/charts/bar-pairs";
import { Trend } from "../../../app/src/components/charts/trend";
import { TableContext, useTable } from "../../../app/src/components/meeting-page/context";
import Artifacts from "../../../app/src/features/panel/artifacts";
import Draft from "../../../app/src/features/panel/draft";
import HealthTab from "../../../app/src/features/panel/health";
import Hidden from "../../../app/src/features/panel/hidden";
import Votes from "../../../app/src/features/panel/votes";
import { at, golden, log, ndjson, server } from "./at";

function cells(table: HTMLElement): string[][] {
  return within(table)
    .getAllByRole("row")
    .map((row) => [...row.querySelectorAll("th, td")].map((cell) => cell.textContent ?? ""));
}

test("the trend's table holds each score that was given, and a dash where there is none", async () => {
  const series = [
    { id: "p1", name: "苏棠", hue: 25, values: [74, null, 88] },
    { id: "p2", name: "方宁", hue: 85, values: [37, 53, 59] },
  ];
  await at(
    golden("zh/consensus"),
    <Trend title="评分" labels={["b1", "b2", "b3"]} threshold={80} series={series} />,
  );
  expect(cells(screen.getByRole("table", { name: "评分" }))).toEqual([
    ["席位", "b1", "b2", "b3"],
    ["苏棠", "74", "–", "88"],
    ["方宁", "37", "53", "59"],
  ]);
});

test("pairs of bars have the same numbers as a table", async () => {
  const pairs = [{ name: "选 SQLite", before: 2, now: 3 }];
  await at(
    golden("zh/consensus"),
    <Pairs title="立场" what="立场" before="盲答" now="现在" most={4} pairs={pairs} />,
  );
  expect(cells(screen.getByRole("table", { name: "立场" }))).toEqual([
    ["立场", "盲答", "现在"],
    ["选 SQLite", "2", "3"],
  ]);
});

test("every vote of the view stands in the tab, with its score and reason", async () => {
  const view = golden("zh/consensus");
  await at(view, <Votes />);
  const table = cells(screen.getByRole("table", { name: "各席位分数走势" }));
  for (const ballot of view.ballots) {
    const column = table[0]?.indexOf(`第 ${ballot.id.slice(1)} 次`) ?? -1;
    expect(column).toBeGreaterThan(0);
    expect(document.body.textContent).not.toContain(ballot.id);
    for (const [id, cast] of Object.entries(ballot.cast)) {
      const name = view.participants.find((seat) => seat.participant.id === id)?.participant.name;
      const row = table.find((cells) => cells[0] === name);
      expect(row?.[column]).toBe("vote" in cast ? String(cast.vote.score) : "–");
      if ("vote" in cast) {
        expect(screen.getAllByText(cast.vote.reason).length).toBeGreaterThan(0);
      }
    }
  }
});

test("while votes are withheld no score and no reason is in the document", async () => {
  const view = golden("zh/consensus");
  const [first] = view.ballots;
  if (!first) {
    throw new Error("the golden meeting votes");
  }
  const reasons = Object.values(first.cast).flatMap((cast) => ("vote" in cast ? [cast.vote.reason] : []));
  expect(reasons.length).toBeGreaterThan(0);
  const open = { ...first, state: "open" as const, withheld: true, closed_seq: null };
  await at({ ...view, ballots: [open] }, <Votes />, { may: { speak: true, manage: false } });
  expect(screen.getByText(/表决结束前不显示各人的投票/).textContent).toContain(
    `${first.cast_count}/${first.voters.length}`,
  );
  for (const reason of reasons) {
    expect(document.body.textContent).not.toContain(reason);
  }
  // The chart is there, so that nothing moves when they are shown, and has no scores.
  const [, ...rows] = cells(screen.getByRole("table"));
  expect(rows.map(([, score]) => score)).toEqual(first.voters.map(() => "–"));
});

test("a later ballot comes after those before it, which fold, so that nothing above it moves", async () => {
  const view = golden("zh/consensus");
  expect(view.ballots.length).toBeGreaterThan(1);
  await at(view, <Votes />);
  const cards = screen.getAllByRole("region", { name: /^第 \d+ 次表决$/ });
  expect(cards.map((one) => one.querySelector("details")?.open)).toEqual(
    view.ballots.map((_, at) => at === view.ballots.length - 1),
  );
});

test("a draft shows what it gained, and the patch that led to it", async () => {
  const events = log("zh/consensus").filter(
    ({ type }) => type === "draft_revised" || type === "facilitation_written",
  );
  server(({ path }) => (path.includes("/log") ? ndjson(events) : undefined));
  await at(golden("zh/consensus"), <Draft />);
  await userEvent.click(await screen.findByRole("button", { name: "修改" }));
  expect(document.querySelectorAll("ins").length).toBeGreaterThan(0);
  expect(screen.getAllByText(/最小修订/).length).toBeGreaterThan(0);
  vi.unstubAllGlobals();
});

test("artifacts are shown as what they are; JSON stands behind a toggle", async () => {
  const view = golden("zh/decision");
  await at(view, <Artifacts />);
  for (const name of ["决策记录（ADR）", "任务清单", "风险清单"]) {
    expect(screen.getByRole("region", { name })).toBeTruthy();
  }
  expect(screen.getAllByText(/^(满足通过条件|由规则生成)$/)).toHaveLength(3);
  expect(screen.getByText("关于「我们的服务该用 SQLite 还是 PostgreSQL」的决定")).toBeTruthy();
});

test("a replay offers the versions of an artifact that there were by then", async () => {
  const view = golden("zh/decision");
  const adr = view.artifacts.find((one) => one.kind === "ADR");
  if (adr) adr.version = "v2";
  const version = (name: string, seq: number) => ({ ...adr, version: name, seq });
  const items = [version("v1", 80), version("v2", adr?.seq ?? 0), version("v3", view.last_seq + 1)];
  const speaker = { kind: "facilitator" };
  const said = { id: "m1", seq: 1, name: "", round: 1, speaker };
  server(({ path }) => {
    if (path.includes("/messages/")) return Response.json(said);
    return Response.json(path.includes("/artifacts") ? { items } : { uploads: [] });
  });
  await at(view, <Artifacts />);
  const card = await screen.findByRole("region", { name: "决策记录（ADR）" });
  await userEvent.click(await within(card).findByRole("combobox", { name: "版本", hidden: true }));
  const offered = (await screen.findAllByRole("option")).map((one) => one.textContent);
  expect(offered).toEqual(["v2", "v1"]);
  vi.unstubAllGlobals();
});

test("the patch after a failed ballot is there while the meeting rests upon it", async () => {
  const events = log("zh/consensus");
  const told = new Set(["draft_revised", "facilitation_written"]);
  let view = golden("zh/consensus", 64);
  server(({ path }) =>
    path.includes("/log")
      ? ndjson(events.filter(({ type, seq }) => told.has(type) && seq <= view.last_seq))
      : undefined,
  );
  let goOn = () => {};
  function Growing() {
    const [now, show] = useState(view);
    goOn = () => show(view);
    const table = useTable();
    return (
      <TableContext value={{ ...table, view: now }}>
        <Draft />
      </TableContext>
    );
  }
  await at(view, <Growing />);
  await screen.findByRole("article");
  expect(screen.queryByText(/最小修订/)).toBeNull();
  view = { ...golden("zh/consensus", 68), step: view.step };
  act(() => goOn());
  expect(await screen.findByText(/最小修订/)).toBeTruthy();
  vi.unstubAllGlobals();
});

test("marks are shown only when asked for, with a note", async () => {
  const view = golden("zh/brainstorm");
  expect(view.evaluations.length).toBeGreaterThan(0);
  await at(view, <Hidden />);
  expect(screen.getByText(/参会者始终看不到/)).toBeTruthy();
  expect(screen.queryByRole("table")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "显示隐藏评分" }));
  expect(screen.getByRole("table", { name: "表现评分" })).toBeTruthy();
});

const said = (code: string) => ({ code });
const support = (...holders: string[]) => ({ count: holders.length, share: 0.5, holders });

/** The health of a meeting with two relevant participants. */
function healthOf(
  view: { last_seq: number },
  one: string,
  two: string,
): Partial<DeliberationHealth> & Pick<DeliberationHealth, "dissent"> {
  return {
    last_seq: view.last_seq,
    simulated: true,
    verdict: {
      standing: "suspicious",
      text: said("health-standing-suspicious"),
      because: [{ rule: "evidence", value: 0, threshold: 1, text: said("health-no-evidence"), seqs: [41] }],
    },
    dissent: {
      objections: [
        {
          claim: "c9",
          kind: "objection",
          holder: one,
          text: "回退要三天",
          seq: 45,
          message: "m5",
          answered_by: [],
          score: 59,
        },
      ],
      blocking: 1,
      overruled: 0,
      lowest: [],
    },
    positions: [
      { text: "选择 SQLite", now: support(one, two), blind: support(one), by_likeness: false, seqs: [17] },
    ],
    flips: [],
    unshared: { count: 0, items: [] },
    unanswered: { raised: 4, answered: 2, coverage: 0.5, items: [] },
    participation: { seats: [], gini: 0.5 },
    independence: { seats: 4, effective: 1.4, rho: 0.6, families: [], simulated: true },
    value: {
      ballot_change: null,
      change_per_round: null,
      change_per_unit: null,
      calls: 0,
      tokens: 0,
      novelty: [],
      cost_micros: null,
      rounds_left: 2,
      text: { code: "health-round-unshared", args: { facts: 1 } },
      seqs: [],
    },
    rounds: [],
    alarms: [],
  };
}

test("health: a meeting that ended before anybody spoke is told from one that has not come to it", async () => {
  server(() => undefined);
  const silent = { ...golden("zh/consensus", 68), messages_total: 0 };
  await at(silent, <HealthTab />);
  expect(await screen.findByText("还没有可以评估的内容")).toBeTruthy();
  cleanup();
  await at({ ...silent, state: "ended" }, <HealthTab />);
  expect(await screen.findByText("没有人发言")).toBeTruthy();
});

test("health: the verdict in words, dissent with a way to it, no bar of progress", async () => {
  const view = golden("zh/consensus");
  const [one = "p1", two = "p2"] = view.participants.map((seat) => seat.participant.id);
  const health = healthOf(view, one, two);
  const sent = server(({ path }) =>
    path.includes("/deliberation-health") ? Response.json(health) : undefined,
  );
  const { jump } = await at(view, <HealthTab />);
  expect(await screen.findByRole("heading", { name: "可疑的一致" })).toBeTruthy();
  expect(sent[0]?.path).toBe(`/api/v1/meetings/${view.id}/deliberation-health`);
  await userEvent.click(screen.getByRole("button", { name: "最初表态之后没有出现新的依据。" }));
  await userEvent.click(screen.getByRole("button", { name: /回退要三天/ }));
  expect(jump.mock.calls).toEqual([[41], [45]]);
  expect(cells(screen.getByRole("table", { name: "立场：盲答与现在" }))[1]).toEqual([
    "选择 SQLite",
    "1",
    "2",
  ]);
  expect(screen.getByText(/未回应的论点（已回应 50%）/)).toBeTruthy();
  expect(screen.queryByRole("progressbar")).toBeNull();
  vi.unstubAllGlobals();
});

test("health: what was under way is not any more once the meeting is over", async () => {
  const view = golden("zh/consensus");
  const health = healthOf(view, "p1", "p2");
  server(() =>
    Response.json({
      ...health,
      verdict: { ...health.verdict, standing: "converging" },
      unanswered: { raised: 8, answered: 5, coverage: 0.625, items: [] },
    }),
  );
  await at(view, <HealthTab />);
  expect(await screen.findByRole("heading", { name: "未达成一致" })).toBeTruthy();
  // The server rounds a half to the even number.
  expect(screen.getByText(/未回应的论点（已回应 63%）/)).toBeTruthy();
  vi.unstubAllGlobals();
});

test("health: low scores are said to be that, and that they let the draft pass", async () => {
  const view = golden("zh/consensus");
  const [one = "p1", two = "p2"] = view.participants.map((seat) => seat.participant.id);
  const low = (pass: boolean) => ({ participant: one, score: 76, pass, ballot: "b2", seq: 90 });
  const health = healthOf(view, one, two);
  health.dissent = { objections: [], blocking: 0, overruled: 0, lowest: [low(true)] };
  server(({ path }) => (path.includes("/deliberation-health") ? Response.json(health) : undefined));
  await at(view, <HealthTab />);
  expect(await screen.findByText("上次表决最低的几个分数，都投了赞成")).toBeTruthy();
  expect(screen.getByText("76 分，赞成")).toBeTruthy();
  vi.unstubAllGlobals();
});

test("health: without a blind round nothing is called blind, and no claim is said to be answered", async () => {
  const view = golden("zh/discussion");
  const [one = "p1", two = "p2"] = view.participants.map((seat) => seat.participant.id);
  const health = healthOf(view, one, two);
  health.unanswered = { raised: 0, answered: 0, coverage: null, items: [] };
  view.rounds = view.rounds.filter((round) => round.kind !== "blind");
  server(({ path }) => (path.includes("/deliberation-health") ? Response.json(health) : undefined));
  await at(view, <HealthTab />);
  expect(await screen.findByText("还没有人提出论点。")).toBeTruthy();
  expect(screen.getByRole("table", { name: "立场：最初与现在" })).toBeTruthy();
  expect(screen.queryByText(/盲答|已回应/)).toBeNull();
  vi.unstubAllGlobals();
});
