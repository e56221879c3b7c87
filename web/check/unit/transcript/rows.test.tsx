// Every kind of line is drawn, in both languages; and what stands is not drawn again while others speak.

import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, test } from "vitest";
import type { Event } from "../../../app/src/api/schema";
import { AgentAction } from "../../../app/src/features/transcript/agent-action";
import { BallotClosed, BallotOpened } from "../../../app/src/features/transcript/ballot";
import { AgendaChanged, TurnFailed } from "../../../app/src/features/transcript/event-lines";
import { EvidenceMarks } from "../../../app/src/features/transcript/evidence-marks";
import { TalkPlace } from "../../../app/src/features/transcript/place";
import { ArtifactWritten } from "../../../app/src/features/transcript/records";
import { RowView } from "../../../app/src/features/transcript/row";
import { indexOf, rowsOf } from "../../../app/src/features/transcript/rows";
import ToolLine from "../../../app/src/features/transcript/tool-lines";
import { type Language, setLanguage } from "../../../app/src/i18n";
import { Words } from "../../../app/src/markdown";
import { is, type Of } from "../../../app/src/meeting/event-types";
import { isInTranscript, TRANSCRIPT_TYPES } from "../../../app/src/meeting/transcript-events";
import { goldens } from "../meeting/logs";
import { draw, standing, talkOf } from "./table";

const meetings = goldens();
const ALL = { skips: true, fromStart: true, toEnd: true };
const NOTHING = { floor: [], tasks: [] };
const eventsOf = (name: string): Event[] => meetings.find((one) => one.name === name)?.events ?? [];

afterEach(() => setLanguage("zh-CN"));

test("every kind of line happens in the golden meetings", () => {
  const seen = new Set(meetings.flatMap(({ events }) => events.map((event) => event.type as string)));
  expect(TRANSCRIPT_TYPES.filter((type) => !seen.has(type))).toEqual([]);
});

test("evidence opens the result that it cites, which is drawn already", async () => {
  const events = eventsOf("en/tools.jsonl");
  const result = events.find((event) => is(event, "tool_returned") && event.payload.outcome === "returned");
  if (!result || !is(result, "tool_returned") || result.payload.outcome !== "returned") {
    throw new Error("no result in the golden meeting");
  }
  const { call, text } = result.payload;
  const evidence = [{ call, seq: result.seq }];
  const { container } = await draw(
    standing(events),
    <>
      <ToolLine event={result} />
      <EvidenceMarks evidence={evidence} />
    </>,
  );
  const folded = () => container.querySelector("details");
  expect(folded()?.open).toBe(false);
  fireEvent.click(screen.getByRole("button"));
  expect(folded()?.open).toBe(true);
  expect(container.querySelector("pre")?.textContent).toBe(text);
});

test("what a coding agent did is told, and who permitted it", async () => {
  const events = eventsOf("zh/consensus.jsonl");
  const first = events[0];
  const action = { number: 1, kind: "execute", title: "cargo test", status: "pending", permission: "asked" };
  const payload = { participant: "p1", task: "speak:r1t1", attempt: 1, action };
  const drawn = async (more: object) => {
    const event = {
      ...first,
      seq: 9_999,
      type: "agent_action",
      payload: { ...payload, action: { ...action, ...more } },
    };
    const { container } = await draw(standing(events), <AgentAction event={event as never} />);
    const text = container.textContent ?? "";
    cleanup();
    return text;
  };
  // The call is over, so nobody can answer any more.
  const asked = await drawn({});
  expect(asked).toContain("请求许可：");
  expect(asked).toContain("运行：cargo test");
  expect(asked).not.toContain("许可一次");
  expect(await drawn({ permission: "allowed", by: { id: "u", name: "林" } })).toContain("获 林 许可");
  const read = await drawn({
    kind: "read",
    title: "Read",
    status: "completed",
    permission: "not_needed",
    locations: [{ path: "a.rs", line: 3 }],
  });
  expect(read).toContain("a.rs:3");
  const reason = { code: "failure-tools-silent", args: { seconds: 15 } };
  const failed = { kind: "other", title: "", status: "failed", permission: "not_needed" };
  const unusable = await drawn({ ...failed, unusable: { source: "repo", reason } });
  expect(unusable).toContain("工具 repo：服务器在 15 秒内没有应答");
});

describe.each<Language>(["zh-CN", "en"])("in %s", (language) => {
  test.each(meetings)("$name: every line says something", async ({ events }) => {
    await setLanguage(language);
    const source = standing(events);
    const rows = rowsOf(events.filter(isInTranscript), NOTHING, ALL);
    const { container } = await draw(
      source,
      rows.map((row) => (
        <div key={row.key} data-row={row.key}>
          <RowView row={row} />
        </div>
      )),
    );
    const drawn = [...container.querySelectorAll("[data-row]")];
    expect(drawn.length).toBe(rows.length);
    // Some lines are fetched when they are first drawn.
    await waitFor(() => {
      const silent = drawn.filter((row) => row.textContent?.trim() === "");
      expect(silent.map((row) => row.getAttribute("data-row"))).toEqual([]);
    });
    expect(container.textContent).not.toMatch(
      /talk\.[a-z_]+|undefined|\[object|NaN|无法显示|cannot be shown/,
    );
  });
});

test("a ballot that was missed by little says by how little", async () => {
  const clauses = [
    { clause: "mean_score", needed: 80, got: 79.98, met: false },
    { clause: "pass_ratio", needed: 2 / 3, got: 0.666, met: false },
  ];
  const [closed] = eventsOf("zh/consensus.jsonl").filter((event) => is(event, "ballot_closed"));
  const verdict = { passed: false, clauses, votes: 4, abstentions: 0 };
  const event = { ...closed, payload: { ballot: "b9", verdict } } as unknown as Of<"ballot_closed">;
  const { container } = await draw(standing([]), <BallotClosed event={event} />);
  const said = [...container.querySelectorAll("li")].map((one) => one.textContent);
  expect(said).toEqual([
    "未达到平均分79.98，需要 80差 0.02",
    "未达到赞成比例66.6%，需要 66.7%差 0.1 个百分点",
  ]);
});

test("an item of the agenda is told by its title, also when it is gone", async () => {
  const events = eventsOf("en/faults-243.jsonl");
  const [added] = events.filter((event) => is(event, "agenda_changed"));
  const gone = { change: "removed", item: "a1", by: { kind: "person" as const, id: "owner", name: "owner" } };
  const removed = { ...added, seq: 9_000, payload: gone } as unknown as Of<"agenda_changed">;
  const { container } = await draw(standing([...events, removed]), <AgendaChanged event={removed} />);
  expect(container.textContent).toBe("议题What it costs已移除");
  cleanup();
  const far = await draw(standing([removed]), <AgendaChanged event={removed} />);
  expect(far.container.textContent).toBe("议题已移除");
});

test("why somebody failed, and what to do, is said in the reader's language; a provider's words are quoted", async () => {
  const events = eventsOf("zh/consensus.jsonl");
  const [first] = events;
  const payload = {
    turn: "r1t1",
    participant: "p1",
    kind: "network",
    detail: {
      code: "failure-unreachable",
      args: { provider: "deepseek", why: { code: "failure-cause-refused" } },
    },
    hint: { text: "is it running? base_url is https://api.deepseek.com" },
  } as const;
  const failed = { ...first, seq: 9_999, type: "turn_failed", payload } as Event;
  const { container } = await draw(standing(events), <TurnFailed event={failed as never} />);
  expect(container.textContent).toContain("请检查网络和供应商的接口地址");
  expect(container.textContent).toContain("无法连接 deepseek：连接被拒绝");
});

test("a remedy for this very case stands alone", async () => {
  const events = eventsOf("zh/consensus.jsonl");
  const payload = {
    turn: "r1t1",
    participant: "p1",
    kind: "overloaded",
    detail: { text: "503" },
    hint: { code: "remedy-later-or-another-model" },
  } as const;
  const failed = { ...events[0], seq: 9_999, type: "turn_failed", payload } as Event;
  const { container } = await draw(standing(events), <TurnFailed event={failed as never} />);
  expect(container.textContent?.match(/换一个模型|另选模型|另选一个模型/g)?.length).toBe(1);
});

test.each<[Language, string[]]>([
  ["zh-CN", ["Lin 加入会议", "Lin将主持人移交给Mei", "Mei 退出会议", "Lin请Zoe退出会议"]],
  [
    "en",
    [
      "Lin joined the meeting",
      "Lin handed the host’s role to Mei",
      "Mei left the meeting",
      "Lin removed Zoe from the meeting",
    ],
  ],
])("who joins, leaves and hosts is a line each: %s", async (language, expected) => {
  await setLanguage(language);
  const [lin, mei, zoe] = ["Lin", "Mei", "Zoe"].map((name) => ({ id: name.toLowerCase(), name }));
  const by = (person: object | undefined) => ({ kind: "person", ...person });
  const said = [
    { type: "person_joined", payload: { person: lin } },
    { type: "host_changed", payload: { host: mei, by: by(lin) } },
    { type: "person_left", payload: { person: mei, by: by(mei) } },
    { type: "person_left", payload: { person: zoe, by: by(lin) } },
  ];
  const [first] = eventsOf("zh/consensus.jsonl");
  const events = said.map((one, at) => ({ ...first, ...one, seq: at + 1 }) as unknown as Event);
  const rows = rowsOf(events.filter(isInTranscript), NOTHING, { ...ALL, fromStart: false });
  const { container } = await draw(
    standing(events),
    rows.map((row) => (
      <div key={row.key} data-row={row.key}>
        <RowView row={row} />
      </div>
    )),
  );
  expect([...container.querySelectorAll("[data-row]")].map((row) => row.textContent)).toEqual(expected);
});

test("a person who gives up a seat before answering is told of plainly, and is you to themselves", async () => {
  const [first] = eventsOf("zh/consensus.jsonl");
  const joined = eventsOf("zh/consensus.jsonl").find((event) => is(event, "participant_joined"));
  if (!joined || !is(joined, "participant_joined")) throw new Error("nobody has joined");
  const runner = { kind: "external" as const, via: "person" as const, name: "wang" };
  const participant = { ...joined.payload.participant, name: "小王", runner };
  const { id } = participant;
  const by = { kind: "person", id: "wang", name: "小王" };
  const said = [
    { type: "participant_joined", payload: { participant, by } },
    { type: "participant_left", payload: { participant: id, by } },
    {
      type: "turn_failed",
      payload: { turn: "r1t1", participant: id, kind: "left", detail: { text: "away" } },
    },
  ];
  const events = said.map((one, at) => ({ ...first, ...one, seq: at + 1 }) as unknown as Event);
  const source = standing([...events.slice(0, 1)]);
  const rows = rowsOf(events, NOTHING, { ...ALL, fromStart: false });
  const drawn = rows.map((row) => <RowView key={row.key} row={row} />);
  await setLanguage("en");
  const { container } = await draw(source, drawn);
  expect(container.textContent).toBe("小王 took a seat小王 gave up the seat小王 left before answering");
  expect(container.querySelector(".text-bad")).toBeNull();
  cleanup();
  const talk = { ...talkOf(source), seats: new Set([id]) };
  const own = await draw(source, <TalkPlace talk={talk}>{drawn}</TalkPlace>);
  expect(own.container.textContent).toBe("You took a seatYou gave up the seatYou left before answering");
});

test("a provider that cannot be reached is told of once in each wait, whoever was asked", () => {
  const [first] = eventsOf("zh/consensus.jsonl");
  const waits = (waiting_for: string[], tries = 1) => ({
    type: "provider_wait_started",
    payload: { waiting_for, tries, kind: "network", detail: { text: "" }, hint: { text: "" } },
  });
  const ended = { type: "provider_wait_ended", payload: { reason: "reachable" } };
  const said = [
    waits(["tea"]),
    waits(["tea"]),
    waits(["tea"], 2),
    waits(["ink", "tea"]),
    ended,
    waits(["tea"]),
  ];
  const events = said.map((one, at) => ({ ...first, ...one, seq: at + 1 }) as unknown as Event);
  const rows = rowsOf(events, NOTHING, { ...ALL, fromStart: false });
  expect(rows.map((row) => row.seq)).toEqual([1, 4, 5, 6]);
});

describe("an artifact in the transcript", () => {
  const wrote = eventsOf("zh/decision.jsonl").filter((event) => event.type === "artifact_written");
  test.each(wrote)("says what is in it", async (event) => {
    const { container } = await draw(
      standing(eventsOf("zh/decision.jsonl")),
      <ArtifactWritten event={event as never} />,
    );
    expect(container.querySelector("p")?.textContent?.length).toBeGreaterThan(4);
  });
});

describe("a ballot", () => {
  const events = eventsOf("zh/consensus.jsonl");
  const opened = events.find((event) => is(event, "ballot_opened"));
  const cast = events.find((event) => is(event, "vote_cast"));
  const closed = events.find((event) => is(event, "ballot_closed"));
  if (
    !opened ||
    !cast ||
    !closed ||
    !is(opened, "ballot_opened") ||
    !is(cast, "vote_cast") ||
    !is(closed, "ballot_closed")
  ) {
    throw new Error("the golden meeting has no ballot");
  }
  if ("withheld" in cast.payload) throw new Error("the golden meeting withholds its votes");
  const { reason, score } = cast.payload.vote;

  test("that is open tells who has voted, and nothing of how", async () => {
    const source = standing(events.filter((event) => event.seq <= cast.seq));
    const { container } = await draw(source, <BallotOpened event={opened} />);
    expect(container.textContent).toContain("已投票");
    expect(container.innerHTML).not.toContain(reason);
    expect(container.innerHTML).not.toContain(`>${score}`);
  });

  test("whose votes are withheld does not even have them in the document", async () => {
    const source = standing(events.filter((event) => event.seq <= cast.seq));
    const view = source.snapshot().view;
    const masked = view?.ballots.map((ballot) => ({ ...ballot, cast: {}, withheld: true }));
    source.put({ view: view && { ...view, ballots: masked ?? [] } });
    const { container } = await draw(source, <BallotOpened event={opened} />);
    expect(container.textContent).toContain("已投 1");
    expect(container.innerHTML).not.toContain(reason);
  });

  test("that is closed tells each vote, as bars and as the same table", async () => {
    const source = standing(events.filter((event) => event.seq <= closed.seq));
    const { container } = await draw(source, <BallotClosed event={closed} />);
    const votes = Object.values(source.snapshot().view?.ballots[0]?.cast ?? {});
    screen.getByRole("button", { name: "以表格显示" }).click();
    await screen.findByRole("table");
    for (const one of votes) {
      if ("vote" in one) {
        expect(container.textContent).toContain(String(one.vote.score));
        expect(container.textContent).toContain(one.vote.reason);
      }
    }
  });
});

test("finished rows are not drawn again while somebody speaks", async () => {
  const events = meetings[0]?.events ?? [];
  const message = events.find((event) => is(event, "agent_message"));
  if (!message || !is(message, "agent_message")) throw new Error("nobody has spoken");
  const source = standing(events.filter((event) => event.seq <= message.seq));
  const rows = rowsOf([message], { floor: [{ turn: "r9t9", participant: "p1" }], tasks: [] }, ALL);
  const drawings = new Map<string, number>();
  const count = (text: string) => {
    drawings.set(text, (drawings.get(text) ?? 0) + 1);
    return text;
  };
  const { container } = await draw(
    source,
    <Words value={count}>
      {rows.map((row) => (
        <RowView key={row.key} row={row} />
      ))}
    </Words>,
  );
  const before = new Map(drawings);
  for (let at = 1; at <= 50; at++) {
    const answer = "字".repeat(at);
    const partial = {
      task: "speak:r9t9",
      attempt: 1,
      participant: "p1",
      turn: "r9t9",
      answer,
      reasoning: "",
    };
    source.put({ partials: new Map([[partial.task, partial]]) });
  }
  expect(container.textContent).toContain("字".repeat(50));
  expect([...before].filter(([text, times]) => drawings.get(text) !== times)).toEqual([]);
});

describe("rows", () => {
  const events = (meetings[0]?.events ?? []).filter(isInTranscript);

  test("keep their identity when others come", () => {
    const some = rowsOf(events.slice(0, 20), NOTHING, ALL);
    const more = rowsOf(events.slice(0, 40), NOTHING, ALL);
    expect(some.slice(1, 15).every((row, at) => row === more[at + 1])).toBe(true);
  });

  test("have keys of their own", () => {
    const keys = rowsOf(events, NOTHING, ALL).map((row) => row.key);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test("what is said takes the place of what was being said", () => {
    const message = events.find((event) => is(event, "agent_message"));
    const turn = message && is(message, "agent_message") ? message.payload.turn : "";
    const before = rowsOf([], { floor: [{ turn, participant: "p1" }], tasks: [] }, ALL);
    const after = rowsOf(message ? [message] : [], { floor: [{ turn, participant: "p1" }], tasks: [] }, ALL);
    expect(after.map((row) => row.key)).toEqual(before.map((row) => row.key));
  });

  test("are found by any event, also one that is not told", () => {
    const rows = rowsOf(events, NOTHING, ALL);
    const last = events.at(-1)?.seq ?? 0;
    for (let seq = 1; seq <= last + 5; seq++) {
      expect(rows[indexOf(rows, seq)]).toBeDefined();
    }
  });

  test("of turns that were passed are left out where the rules hide them", () => {
    const skip = meetings
      .flatMap((one) => one.events)
      .find((event) => is(event, "turn_skipped") && event.payload.reason !== "timed_out");
    if (!skip) throw new Error("nobody has passed");
    expect(rowsOf([skip], NOTHING, { ...ALL, skips: false }).map((row) => row.what)).toEqual(["head"]);
  });
});
