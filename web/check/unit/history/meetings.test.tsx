// The list of meetings, and what is found in them.

import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import type { MeetingListItem } from "../../../app/src/api/schema";
import { SearchBox } from "../../../app/src/features/history/filters";
import { byDay, MeetingList } from "../../../app/src/features/history/meeting-list";
import { meetingsQuery, sinceStart } from "../../../app/src/features/history/queries";
import { Hits } from "../../../app/src/features/history/search-hits";
import meetings from "../fixtures/meetings.json";
import found from "../fixtures/search.json";
import { at, server } from "../result/test-page";

afterEach(() => vi.unstubAllGlobals());

const owner = { name: "owner", scope: "owner", signed_in_by: "local", accounts: false };

test("each row says where the meeting stands, and leads where one wants to go", async () => {
  server(({ path }) => (path.endsWith("/me") ? owner : { ...meetings, next_cursor: null }));
  await at("/meetings", "/meetings", () => <MeetingList narrowed={{}} onClear={() => {}} />);
  const rows = (await screen.findAllByRole("listitem")).map((row) => row.textContent ?? "");
  expect(rows).toHaveLength(meetings.items.length);
  expect(rows.some((row) => row.includes("表决通过") && row.includes("共识"))).toBe(true);
  expect(rows.some((row) => row.includes("草稿"))).toBe(true);
  const ended = meetings.items.find((row) => row.state === "ended");
  const draft = meetings.items.find((row) => row.state === "draft");
  const links = screen.getAllByRole("link").map((link) => link.getAttribute("href"));
  expect(links).toContain(`/m/${ended?.id}/result`);
  expect(links).toContain(`/m/${draft?.id}`);
});

test("a meeting is deleted after it was asked whether to", async () => {
  const asked = server(({ path, method }) =>
    path.endsWith("/me") ? owner : method === "DELETE" ? {} : { ...meetings, next_cursor: null },
  );
  await at("/meetings", "/meetings", () => <MeetingList narrowed={{}} onClear={() => {}} />);
  const first = (await screen.findAllByRole("button", { name: /的操作/ }))[0];
  if (!first) throw new Error("no row has a menu");
  await userEvent.click(first);
  await userEvent.click(await screen.findByRole("menuitem", { name: "删除…" }));
  const dialog = within(await screen.findByRole("alertdialog"));
  expect(asked.some((one) => one.method === "DELETE")).toBe(false);
  await userEvent.click(dialog.getByRole("button", { name: "删除会议" }));
  await waitFor(() => expect(asked.some((one) => one.method === "DELETE")).toBe(true));
});

test("nothing held yet and nothing that fits are told apart", async () => {
  server(({ path }) => (path.endsWith("/me") ? owner : { items: [], next_cursor: null }));
  await at("/meetings", "/meetings", () => <MeetingList narrowed={{}} onClear={() => {}} />);
  expect(await screen.findByRole("button", { name: "看一场演示" })).toBeTruthy();
  document.body.innerHTML = "";
  await at("/meetings", "/meetings", () => <MeetingList narrowed={{ q: "x" }} onClear={() => {}} />);
  expect(await screen.findByText("没有符合条件的会议")).toBeTruthy();
});

test("the list is asked for as the address says", async () => {
  const asked = server(() => ({ items: [], next_cursor: null }));
  await at("/meetings", "/meetings", () => (
    <MeetingList
      narrowed={{ q: "知识库", state: "running", format: "room", kind: "simulated", since: "week" }}
      onClear={() => {}}
    />
  ));
  await screen.findByText("没有符合条件的会议");
  const query = asked.find((one) => one.path.endsWith("/meetings"))?.query;
  expect(query?.get("q")).toBe("知识库");
  expect(query?.get("state")).toBe("preparation,discussion,ballot,closing");
  expect(query?.get("format")).toBe("room");
  expect(query?.get("simulated")).toBe("true");
  expect(Date.parse(query?.get("created_after") ?? "")).toBe(sinceStart("week"));
});

test("it is brought up to date only while something runs", () => {
  const every = meetingsQuery({}).refetchInterval;
  const rows = (state: string) => ({ state: { data: { pages: [{ items: [{ state }] }] } } });
  const ask = (state: string) =>
    typeof every === "function" ? Reflect.apply(every, null, [rows(state)]) : every;
  expect(ask("ended")).toBe(false);
  expect(ask("discussion")).toBe(4_000);
});

test("rows stand under their days", () => {
  const rows: MeetingListItem[] = JSON.parse(JSON.stringify(meetings.items));
  const days = byDay(
    rows.map((row, n) => ({
      ...row,
      created_at: new Date(Date.UTC(2026, 10, 22 - (n % 2), 4)).toISOString(),
    })),
  );
  expect(days.map(([day]) => day)).toEqual(["2026-11-22", "2026-11-21"]);
  expect(days.flatMap(([, own]) => own)).toHaveLength(rows.length);
});

test("Chinese words that were found are marked where they stand, and lead to the message", async () => {
  const asked = server(() => found);
  await at("/meetings", "/meetings", () => <Hits q="自建" />);
  const marks = (await screen.findAllByText("自建")).filter((node) => node.tagName === "MARK");
  expect(marks).toHaveLength(found.items.flatMap((hit) => hit.snippet).filter((piece) => piece.hit).length);
  const hit = found.items[0];
  expect(screen.getAllByRole("link")[0]?.getAttribute("href")).toBe(`/m/${hit?.meeting}?at=${hit?.seq}`);
  expect(asked[0]?.query.get("q")).toBe("自建");
});

test("what an input method composes is not looked for until it is done", async () => {
  const told: string[] = [];
  await at("/", "/", () => <SearchBox value="" label="词" onChange={(text) => told.push(text)} />);
  const box = await screen.findByRole("textbox", { name: "词" });
  fireEvent.compositionStart(box);
  fireEvent.change(box, { target: { value: "zi" } });
  await act(() => new Promise<void>((done) => setTimeout(done, 320)));
  expect(told).toEqual([]);
  fireEvent.change(box, { target: { value: "自建" } });
  fireEvent.compositionEnd(box);
  await waitFor(() => expect(told).toEqual(["自建"]));
});
