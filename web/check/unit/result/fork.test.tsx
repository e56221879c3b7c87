// The places of a fork: after a round, before a ballot, after a message.

import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { ForkDialog } from "../../../app/src/components/fork/fork";
import { type ForkEvent, forkMessagesOf, forkPointsOf } from "../../../app/src/components/fork/fork-points";
import { at, golden, log, ndjson, server } from "../table/at";

const view = golden("zh/consensus");
const events = log("zh/consensus");
const moments = events.filter(
  (event): event is ForkEvent =>
    event.type === "ballot_opened" || event.type === "agent_message" || event.type === "user_message",
);

afterEach(() => vi.unstubAllGlobals());

test("places are told by rounds and ballots, in their order", () => {
  const places = forkPointsOf(view, moments);
  expect(places[0]).toEqual({ kind: "end", at: view.last_seq - 1 });
  const rest = places.slice(1);
  expect(rest.map(({ at }) => at)).toEqual(rest.map(({ at }) => at).toSorted((a, b) => a - b));
  const ballot = events.find((event) => event.type === "ballot_opened");
  expect(rest).toContainEqual({ kind: "before_ballot", at: (ballot?.seq ?? 0) - 1, n: 1 });
  expect(rest).toContainEqual({ kind: "after_round", at: view.rounds[0]?.ended_seq, n: 0 });
});

test("each place is offered once, so that what is chosen is what is shown", () => {
  const rounds = [
    { number: 0, seq: 5, ended_seq: 10 },
    { number: 1, seq: 11, ended_seq: 20 },
  ];
  const ballot = { type: "ballot_opened", seq: 21, payload: { ballot: "b1" } };
  const held = { ...view, rounds, outcome: null, last_seq: 30 } as never;
  // One round ends where the next begins, and a ballot may begin there, too.
  expect(forkPointsOf(held, [ballot as never])).toEqual([
    { kind: "end", at: 30 },
    { kind: "before_round", at: 4, n: 0 },
    { kind: "after_round", at: 10, n: 0 },
    { kind: "before_ballot", at: 20, n: 1 },
  ]);
});

test("nothing is forked after a message before one is chosen", async () => {
  server(({ path }) => (path.includes("/log?") ? ndjson(moments) : undefined));
  await at(view, <ForkDialog id={view.id} view={view} open onOpenChange={() => {}} />);
  const dialog = await screen.findByRole("dialog");
  await userEvent.click(within(dialog).getByRole("combobox", { name: "起点" }));
  await userEvent.click(await screen.findByRole("option", { name: "某条发言之后" }));
  const go = () => within(dialog).getByRole("button", { name: "创建分叉" });
  expect(go()).toHaveProperty("disabled", true);
  await userEvent.click(within(dialog).getByRole("combobox", { name: "发言" }));
  await userEvent.click((await screen.findAllByRole("option"))[0] as HTMLElement);
  expect(go()).toHaveProperty("disabled", false);
});

test("where a replay stands is a place of its own, unless it is one already", () => {
  expect(forkPointsOf(view, moments, 33)[1]).toEqual({ kind: "here", at: 33 });
  expect(forkPointsOf(view, moments, view.last_seq - 1).some(({ kind }) => kind === "here")).toBe(false);
});

test("words are found by who said them, the last first", () => {
  const said = forkMessagesOf(moments);
  expect(said.length).toBe(moments.filter((event) => event.type !== "ballot_opened").length);
  expect(said[0]?.at).toBe(events.findLast((event) => event.type === "agent_message")?.seq);
});

test("a fork before a ballot is made of what came before it", async () => {
  const sent = server(({ path }) => (path.includes("/log?") ? ndjson(moments) : undefined));
  await at(view, <ForkDialog id={view.id} view={view} open onOpenChange={() => {}} />);
  const dialog = await screen.findByRole("dialog");
  expect(within(dialog).queryByText(/到事件/)).toBeNull();
  await userEvent.click(within(dialog).getByRole("combobox", { name: "起点" }));
  await userEvent.click(await screen.findByRole("option", { name: "第 1 次表决之前" }));
  await userEvent.click(within(dialog).getByRole("button", { name: "创建分叉" }));
  const ballot = events.find((event) => event.type === "ballot_opened");
  expect(sent.find(({ path }) => path.endsWith("/fork"))?.body).toEqual({ seq: (ballot?.seq ?? 0) - 1 });
});

test("from a message the same window opens, with what was said proposed, a title and other limits", async () => {
  const words = events.find((event) => event.type === "agent_message");
  const seq = words?.seq ?? 0;
  const sent = server(({ path }) => (path.includes("/log?") ? ndjson(moments) : undefined));
  await at(view, <ForkDialog id={view.id} view={view} at={seq} afterWords open onOpenChange={() => {}} />);
  const dialog = await screen.findByRole("dialog");
  await userEvent.type(within(dialog).getByRole("textbox", { name: /名称|标题/ }), "换个前提");
  await userEvent.click(within(dialog).getByRole("button", { name: "创建分叉" }));
  expect(sent.find(({ path }) => path.endsWith("/fork"))?.body).toEqual({ seq, title: "换个前提" });
});
