// The people in the rail: presence and host in words; joining and leaving; handing over only for who may.

import { cleanup, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { PeopleRows } from "../../../app/src/features/participants/people-rows";
import { SeatRow } from "../../../app/src/features/participants/seat-row";
import { Seats } from "../../../app/src/features/participants/sidebar";
import type { View } from "../../../app/src/meeting/view";
import { at, golden, server } from "./at";

beforeEach(() => vi.unstubAllGlobals());

const person = (name: string) => ({ id: name.toLowerCase(), name, joined_at: new Date(1).toISOString() });
const [ada, lin] = [person("Ada"), person("Lin")];
const base = golden("zh/consensus", 68);
const meeting = (people: View["people"], host: typeof ada): View => ({
  ...base,
  people,
  host_person: host,
  moderator: { type: "user" },
});
const answers = (refusal?: object) =>
  server(({ method, path }) => {
    if (path.endsWith("/people")) {
      const seen = new Date(Date.now() - 300_000).toISOString();
      const items = [
        { id: "ada", presence: "online", last_seen_at: seen },
        { id: "lin", presence: "offline", last_seen_at: seen },
        { id: "p1", presence: "offline", last_seen_at: seen },
        { id: "p2", presence: "online", last_seen_at: null },
      ];
      return Response.json({ items, host: null, last_seq: 9 });
    }
    return refusal && method === "PUT" ? Response.json(refusal, { status: 403 }) : undefined;
  });

test("the host hands over after a question, and sees who is there", async () => {
  const sent = answers();
  await at(meeting([ada, lin], ada), <PeopleRows />);
  expect(await screen.findByText("5 分钟前在线")).toBeTruthy();
  expect(screen.getByText("在线")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "将主持人移交给Lin" }));
  await userEvent.click(await screen.findByRole("button", { name: "移交主持人" }));
  await waitFor(() =>
    expect(sent.find((one) => one.path.endsWith("/host"))?.body).toEqual({ person: "lin" }),
  );
});

test("a host who is away is named to others", async () => {
  answers();
  await at(meeting([], lin), <PeopleRows />);
  expect(await screen.findByText("主持人（Lin）不在座")).toBeTruthy();
});

test("whoever reads along is told that they listen, and what joining adds", async () => {
  answers();
  await at(meeting([], ada), <PeopleRows />);
  expect(screen.getByRole("heading", { name: "旁听 1 人" })).toBeTruthy();
  const row = screen.getByRole("listitem").textContent;
  for (const text of ["ada", "你", "主持人", "旁听中"]) expect(row).toContain(text);
  const join = screen.getByRole("button", { name: "加入会议" });
  const hint = document.getElementById(join.getAttribute("aria-describedby") ?? "");
  expect(hint?.textContent).toContain("其他人能看到并提及你");
});

test("whoever manages the meeting sees the guests who came in and are not at the table", async () => {
  const now = new Date().toISOString();
  const guest = {
    here: false,
    guest: true,
    scope: "read",
    used_at: now,
    created_at: now,
    address: "",
    agent: "",
  };
  const ago = new Date(Date.now() - 3_600_000).toISOString();
  const items = [
    // Another than the one at the table who has the name.
    { ...guest, id: "s1", person: "guest:s1", name: "Lin" },
    // At the table already, or with a page that is closed.
    { ...guest, id: "s2", person: "lin", name: "Lin" },
    { ...guest, id: "s3", person: "guest:s3", name: "小周", used_at: ago },
  ];
  const sent = server(({ path }) => (path.endsWith("/guests") ? Response.json({ items }) : undefined));
  await at(meeting([ada, lin], ada), <PeopleRows />);
  expect(await screen.findByRole("heading", { name: "在座 2 人 · 旁听 1 人" })).toBeTruthy();
  const rows = screen.getAllByRole("listitem").map((row) => row.textContent ?? "");
  expect(rows.filter((text) => text.includes("旁听中"))).toEqual([expect.stringContaining("Lin")]);
  expect(sent.some((one) => one.path.endsWith("/guests"))).toBe(true);
  cleanup();
  const silent = server(() => undefined);
  await at(meeting([ada, lin], ada), <PeopleRows />, { may: { speak: true, manage: false } });
  expect(silent.some((one) => one.path.endsWith("/guests"))).toBe(false);
});

/** The seat of a person, in the place of the first one. */
const seatOf = (name: string, present: boolean) =>
  base.participants.map((seat, at) => {
    const runner = { kind: "external" as const, via: "person" as const, name: name.toLowerCase() };
    return at === 0 ? { ...seat, present, participant: { ...seat.participant, name, runner } } : seat;
  });

test("a person with a seat is counted, also one who joined nothing else", async () => {
  answers();
  await at({ ...meeting([ada], ada), participants: seatOf("Lin", true) }, <PeopleRows />);
  expect(screen.getByRole("heading", { name: "另有 1 人在座" })).toBeTruthy();
});

test("who gives up a seat and stays is told of once: at the table, and not among those who left", async () => {
  answers();
  await at({ ...meeting([lin], ada), participants: seatOf("Lin", false) }, <Seats />);
  const rows = screen.getAllByRole("listitem").map((row) => row.textContent ?? "");
  expect(rows.filter((text) => text.includes("Lin"))).toEqual([expect.stringContaining("已离席")]);
  expect(screen.queryByText(/已离席 1 位/)).toBeNull();
  cleanup();
  await at({ ...meeting([], ada), participants: seatOf("Lin", false) }, <Seats />);
  expect(screen.getByText("已离席 1 位")).toBeTruthy();
  cleanup();
  // A guest who listens again.
  const guest = { id: "s1", person: "lin", name: "Lin", here: false, used_at: new Date().toISOString() };
  server(({ path }) => (path.endsWith("/guests") ? Response.json({ items: [guest] }) : undefined));
  await at({ ...meeting([], ada), participants: seatOf("Lin", false) }, <Seats />);
  await waitFor(() => expect(screen.queryByText("已离席 1 位")).toBeNull());
  expect(screen.getAllByRole("listitem").map((row) => row.textContent)).toContainEqual(
    expect.stringMatching(/Lin.*旁听中.*已离席/),
  );
});

test("a refusal is shown in its words", async () => {
  answers({ type: "#not-the-host", title: "x", status: 403, detail: "只有主持人能移交。" });
  await at(meeting([ada, lin], ada), <PeopleRows />);
  await userEvent.click(await screen.findByRole("button", { name: "将主持人移交给Lin" }));
  await userEvent.click(await screen.findByRole("button", { name: "移交主持人" }));
  expect(await screen.findByText(/只有主持人能移交/)).toBeTruthy();
});

test("who neither hosts nor stands in for an absent host is offered nothing", async () => {
  answers();
  await at(meeting([ada, lin], lin), <PeopleRows />);
  expect(screen.queryByRole("button", { name: /移交/ })).toBeNull();
});

test.each([
  ["加入会议", [lin], "PUT"],
  ["退出会议", [ada, lin], "DELETE"],
] as const)("%s is a request of its own", async (name, people, method) => {
  const sent = answers();
  await at(meeting([...people], lin), <PeopleRows />);
  expect(sent.some((one) => one.path.endsWith("/self"))).toBe(false);
  await userEvent.click(screen.getByRole("button", { name }));
  await waitFor(() => expect(sent.find((one) => one.path.endsWith("/self"))?.method).toBe(method));
});

test("who may only read sends nothing and is offered nothing", async () => {
  answers();
  await at(meeting([lin], lin), <PeopleRows />, { may: { speak: false, manage: false } });
  expect(screen.queryByRole("button")).toBeNull();
});

test("an agent that connects itself says whether it is there; one that a model answers does not", async () => {
  const sent = answers();
  const view = meeting([], ada);
  const [scout, model] = view.participants.map((seat, at) =>
    at === 0
      ? {
          ...seat,
          participant: {
            ...seat.participant,
            runner: { kind: "external" as const, via: "agent" as const, name: "scout" },
          },
        }
      : seat,
  );
  if (!scout || !model) throw new Error("two seats");
  const rows = [scout, model].map((seat) => (
    <SeatRow key={seat.participant.id} seat={seat} activity={{ is: "idle" }} />
  ));
  await at({ ...view, participants: [scout, model] }, <ul>{rows}</ul>);
  expect(await screen.findByText("5 分钟前在线")).toBeTruthy();
  expect(screen.queryByText("在线")).toBeNull();
  expect(sent.filter((one) => one.path.endsWith("/people"))).toHaveLength(1);
});

test("a person with a seat who spoke is listed once, at the seat, which says that they host", async () => {
  answers();
  const seated = base.participants.map((seat, at) =>
    at === 0
      ? {
          ...seat,
          participant: {
            ...seat.participant,
            name: "Ada",
            runner: { kind: "external" as const, via: "person" as const, name: "ada" },
          },
        }
      : seat,
  );
  await at({ ...meeting([ada, lin], ada), participants: seated }, <Seats />);
  expect(await screen.findByRole("heading", { name: "另有 1 人在座" })).toBeTruthy();
  const rows = screen.getAllByRole("listitem").map((row) => row.textContent ?? "");
  expect(rows.filter((text) => text.includes("Ada"))).toHaveLength(1);
  expect(rows.find((text) => text.includes("Ada"))).toContain("主持人");
  expect(rows.some((text) => text.includes("Lin"))).toBe(true);
  expect(screen.queryByRole("button", { name: /加入会议|退出会议/ })).toBeNull();
});
