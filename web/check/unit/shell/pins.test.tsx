// Pinned meetings: above the others in the side bar, by their ids alone.

import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { MeetingListItem } from "../../../app/src/api/schema";
import MeetingLinks from "../../../app/src/shell/meeting-links";
import { pin } from "../../../app/src/shell/pins";
import meetings from "../fixtures/meetings.json";
import { at, server } from "../result/test-page";

afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

const rows = meetings.items.map((row) => ({ ...row, title: row.topic })) as unknown as MeetingListItem[];
const [one, two] = rows as [MeetingListItem, MeetingListItem];
const titles = (group: string) =>
  within(screen.getByRole("region", { name: group }))
    .getAllByRole("link")
    .map((link) => link.getAttribute("title"));

test("a pinned meeting stands above the last ones, and in one place", async () => {
  const asked: string[] = [];
  server(({ path }) => {
    asked.push(path);
    return { ...two, id: "far", title: "很久以前那场" };
  });
  const now = { waiting: [], running: [], paused: [], recent: [one, two] };
  await at("/", "/", () => <MeetingLinks now={now} />);
  await screen.findAllByRole("link");
  expect(screen.queryByRole("region", { name: "已置顶" })).toBeNull();
  act(() => pin(two.id, true));
  act(() => pin("far", true));
  await waitFor(() => expect(titles("已置顶")).toEqual(["很久以前那场", two.title]));
  expect(titles("最近")).toEqual([one.title]);
  expect(asked).toEqual([expect.stringContaining("/meetings/far")]);
  expect(localStorage.getItem("quorate.pins")).toBe(JSON.stringify(["far", two.id]));
  act(() => pin("far", false));
  act(() => pin(two.id, false));
  await waitFor(() => expect(screen.queryByRole("region", { name: "已置顶" })).toBeNull());
});

test("a fork is shown as one while it runs, too", async () => {
  server(() => undefined);
  const fork = { ...one, state: "discussion", forked_from: { meeting: "m0", seq: 3 } } as MeetingListItem;
  const now = { waiting: [], running: [fork], paused: [], recent: [two] };
  await at("/", "/", () => <MeetingLinks now={now} />);
  const [running, other] = await screen.findAllByRole("link");
  expect(running?.textContent).toContain("分叉");
  expect(other?.textContent).not.toContain("分叉");
});

test("a pinned meeting that is deleted is asked for once, and its pin is forgotten", async () => {
  const asked = server(({ path }) =>
    path.endsWith("/kept") ? { ...two, id: "kept", title: "kept" } : undefined,
  );
  const now = { waiting: [], running: [], paused: [], recent: [one] };
  pin("kept", true);
  pin("deleted", true);
  await at("/", "/", () => <MeetingLinks now={now} />);
  await waitFor(() => expect(localStorage.getItem("quorate.pins")).toBe(JSON.stringify(["kept"])));
  expect(asked.filter(({ path }) => path.endsWith("/deleted"))).toHaveLength(1);
  act(() => pin("kept", false));
});

test.each([
  ["a server that is out of order", 503, { type: "#x", title: "x", status: 503, detail: "x" }],
  ["a proxy that does not find the server", 404, "404 page not found"],
])("a pin outlasts %s", async (_, status, body) => {
  let refused = 0;
  vi.stubGlobal("fetch", async () => {
    refused += 1;
    return Response.json(body, { status });
  });
  pin("kept", true);
  await at("/", "/", () => <MeetingLinks now={{ waiting: [], running: [], paused: [], recent: [one] }} />);
  await waitFor(() => expect(refused).toBe(1));
  await screen.findAllByRole("link");
  await new Promise((done) => setTimeout(done, 50));
  expect(localStorage.getItem("quorate.pins")).toBe(JSON.stringify(["kept"]));
  act(() => pin("kept", false));
});
