// Meetings that wait for the user stand in the side bar and in the title, and are notified once each; those that they paused
// themselves are not among them.

import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { queries } from "../../../app/src/api/queries";
import { meetingsNow, waitsFor } from "../../../app/src/shell/waiting";
import { OWNER, open } from "../people/page";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const row = (id: string, state: string, title: string) => ({
  id,
  state,
  title,
  topic: title,
  description: "",
  format: "consensus",
  language: "zh",
  last_seq: 9,
  outcome: state === "ended" ? "accepted" : null,
  participants: 4,
  simulated: true,
  off_record: false,
  forked_from: null,
  created_at: "2026-11-22T04:00:00Z",
  updated_at: "2026-11-22T04:00:00Z",
});
const pause = (reason: string, questions: object[] = []) => ({
  pause: { reason, questions, resume_token: "t", paused_at: "2026-11-22T04:00:00Z" },
  host_person: null,
});
let rows = [
  row("asks", "paused", "要问你的"),
  row("own", "paused", "自己暂停的"),
  row("runs", "discussion", "在谈的"),
];
const answers = {
  "GET /me": [200, OWNER],
  "GET /meetings": ({ query }: { query: URLSearchParams }) => {
    const states = query.get("state")?.split(",");
    return [200, { items: rows.filter((one) => !states || states.includes(one.state)), next_cursor: null }];
  },
  "GET /meetings/asks": [200, pause("missing_info", [{}])],
  "GET /meetings/own": [200, pause("user_request")],
  "GET /meetings/more": [200, pause("budget_limit")],
} as never;

test("they are listed first, counted beside the link and in the title", async () => {
  await open("/agents", answers);
  const waiting = await screen.findByRole("region", { name: "等你处理" });
  expect(
    within(waiting)
      .getAllByRole("link")
      .map((link) => link.getAttribute("href")),
  ).toEqual(["/m/asks"]);
  const running = screen.getByRole("region", { name: "进行中" });
  expect(within(running).getAllByRole("link")).toHaveLength(2);
  expect(screen.getByRole("link", { name: "会议，1 场等你处理" })).toBeTruthy();
  await waitFor(() => expect(document.title).toMatch(/^\(1\) /));
});

test("one that begins to wait is notified once, for whoever looks elsewhere", async () => {
  const told: string[] = [];
  class Notice {
    static permission = "granted";
    constructor(text: string) {
      told.push(text);
    }
    close() {}
  }
  vi.stubGlobal("Notification", Notice);
  vi.stubGlobal("isSecureContext", true);
  vi.spyOn(document, "hasFocus").mockReturnValue(false);
  await open("/agents", answers);
  await screen.findByRole("region", { name: "等你处理" });
  expect(told).toEqual([]);
  rows = [...rows, row("more", "paused", "没有预算的")];
  await queries.refetchQueries({ queryKey: meetingsNow.queryKey });
  await waitFor(() => expect(told).toEqual(["“没有预算的”等你处理"]));
  await queries.refetchQueries({ queryKey: meetingsNow.queryKey });
  expect(told).toHaveLength(1);
});

test("whom a pause waits for follows from its reason", () => {
  const of = (reason: string, host: string | null = null, questions: object[] = []) =>
    waitsFor({ ...pause(reason, questions), host_person: host && { id: host, name: host } } as never, OWNER);
  expect(of("missing_info")).toBe(true);
  expect(of("user_request")).toBe(false);
  expect(of("user_request", null, [{}])).toBe(true);
  expect(of("awaiting_host", "ada")).toBe(true);
  expect(of("awaiting_host", "lin")).toBe(false);
});
