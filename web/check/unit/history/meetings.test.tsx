// The list of meetings, and what is found in them.

import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import type { MeetingListItem } from "../../../app/src/api/schema";
import TagsDialog from "../../../app/src/components/tags/tags-dialog";
import { HitFilters, SearchBox } from "../../../app/src/features/history/filters";
import { byDay, MeetingList } from "../../../app/src/features/history/meeting-list";
import { meetingsQuery, sinceStart } from "../../../app/src/features/history/queries";
import { Hits } from "../../../app/src/features/history/search-hits";
import { pin } from "../../../app/src/shell/pins";
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

const one = meetings.items[0];

test("a fork names its origin and leads there, and a paused meeting says why it waits", async () => {
  const fork = { ...one, id: "f1", state: "paused", outcome: null, title: "另一条路" };
  const items = [
    { ...fork, forked_from: { meeting: "o1", seq: 30 } },
    { ...one, id: "o1", title: "原来那场" },
  ];
  server(({ path }) => {
    if (path.endsWith("/me")) return owner;
    const pause = { reason: "budget_limit", questions: [{}, {}], resume_token: "t", paused_at: "" };
    return path.endsWith("/f1") ? { pause, host_person: null } : { items, next_cursor: null };
  });
  await at("/meetings", "/meetings", () => <MeetingList narrowed={{}} onClear={() => {}} />);
  const origin = await screen.findByRole("link", { name: "分叉自“原来那场”" });
  expect(origin.getAttribute("href")).toBe("/m/o1?at=30");
  expect(await screen.findByText(/预算用完了 · 有 2 个问题等你回答/)).toBeTruthy();
});

test.each([
  [null, "讨论开始前等你确认", "下一轮前等你确认"],
  [{ number: 1 }, "下一轮前等你确认", "讨论开始前等你确认"],
])(
  "a check-in is before the first round or the next one, and a team that is to be found is not none",
  async (round, said, unsaid) => {
    const items = [{ ...one, id: round ? "r2" : "r1", state: "paused", outcome: null, participants: 0 }];
    server(({ path }) => {
      if (path.endsWith("/me")) return owner;
      const pause = { reason: "check_in", questions: [{}], resume_token: "t", paused_at: "" };
      return /\/r[12]$/.test(path) ? { pause, host_person: null, round } : { items, next_cursor: null };
    });
    await at("/meetings", "/meetings", () => <MeetingList narrowed={{}} onClear={() => {}} />);
    expect(await screen.findByText(new RegExp(said))).toBeTruthy();
    const row = screen.getByRole("listitem").textContent;
    expect(row).not.toContain(unsaid);
    expect(row).toContain("还没有参会者");
  },
);

test("a meeting that has ended says in one line what was concluded", async () => {
  const items = [{ ...one, id: "c1", state: "ended", outcome: "accepted", conclusion_line: "采用 SQLite。" }];
  server(({ path }) => (path.endsWith("/me") ? owner : { items, next_cursor: null }));
  await at("/meetings", "/meetings", () => <MeetingList narrowed={{}} onClear={() => {}} />);
  expect((await screen.findByTestId("conclusion-line")).textContent).toBe("采用 SQLite。");
});

test("the list tells the time of creation, by which it is ordered, also while a meeting goes on", async () => {
  const created_at = new Date(Date.now() - 3 * 86_400_000).toISOString();
  const updated_at = new Date().toISOString();
  const items = [{ ...one, state: "discussion", outcome: null, created_at, updated_at }];
  server(({ path }) => (path.endsWith("/me") ? owner : { items, next_cursor: null }));
  await at("/meetings", "/meetings", () => <MeetingList narrowed={{}} onClear={() => {}} />);
  const row = await screen.findByRole("listitem");
  expect(row.querySelector("time")?.getAttribute("datetime")).toBe(created_at);
  expect(row.textContent).toContain("3 天前创建");
});

test("a meeting is renamed in the list; without a title it shows its topic", async () => {
  const items = [{ ...one, id: "r1", state: "draft", outcome: null, title: "旧名", topic: "主题" }];
  const asked = server(({ path }) => (path.endsWith("/me") ? owner : { items, next_cursor: null }));
  await at("/meetings", "/meetings", () => <MeetingList narrowed={{}} onClear={() => {}} />);
  const rename = async (title: string) => {
    await userEvent.click(await screen.findByRole("button", { name: /的操作/ }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "重命名" }));
    const field = await screen.findByRole("textbox", { name: "标题" });
    await userEvent.clear(field);
    await userEvent.type(field, `${title}{Enter}`);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  };
  await rename("新名");
  await rename("");
  const bodies = asked.filter(({ method }) => method === "PATCH").map(({ body }) => body);
  expect(bodies).toEqual([{ title: "新名" }, { title: null }]);
});

test("an ended meeting off the record is neither renamed nor tagged, for nothing is kept of it", async () => {
  const items = [{ ...one, id: "e1", state: "ended", outcome: "accepted", off_record: true }];
  server(({ path }) => (path.endsWith("/me") ? owner : { items, next_cursor: null }));
  await at("/meetings", "/meetings", () => <MeetingList narrowed={{}} onClear={() => {}} />);
  await userEvent.click(await screen.findByRole("button", { name: /的操作/ }));
  await screen.findByRole("menuitem", { name: "打开" });
  expect(screen.queryByRole("menuitem", { name: "重命名" })).toBeNull();
  expect(screen.queryByRole("menuitem", { name: "编辑标签" })).toBeNull();
});

test("a meeting that has ended is tagged, and each tag leads to the meetings that have it", async () => {
  const items = [{ ...one, id: "t1", state: "ended", outcome: "accepted", tags: ["路线图"] }];
  const asked = server(({ path }) => (path.endsWith("/me") ? owner : { items, next_cursor: null }));
  await at("/meetings", "/meetings", () => <MeetingList narrowed={{}} onClear={() => {}} />);
  const tag = await screen.findByRole("link", { name: "路线图" });
  expect(tag.getAttribute("href")).toBe(`/meetings?tag=${encodeURIComponent("路线图")}`);
  await userEvent.click(await screen.findByRole("button", { name: /的操作/ }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "编辑标签" }));
  const field = await screen.findByRole<HTMLInputElement>("textbox", { name: "标签" });
  expect(field.value).toBe("路线图");
  await userEvent.type(field, "，第三季度, q3 {Enter}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(asked.find(({ method }) => method === "PATCH")?.body).toEqual({
    tags: ["路线图", "第三季度", "q3"],
  });
});

test("in a meeting, which has no tags in its view, they are asked for before they are changed", async () => {
  let answers = 0;
  const asked = server(({ path, method }) => {
    if (path.endsWith("/me")) return owner;
    if (method === "PATCH") return {};
    answers += 1;
    return { id: "t3", tags: ["路线图"] };
  });
  let closed = false;
  await at("/m/t3", "/m/$id", () => (
    <TagsDialog
      meeting={{ id: "t3", title: "先做哪一个" }}
      onClose={() => {
        closed = true;
      }}
    />
  ));
  const field = await screen.findByRole<HTMLInputElement>("textbox", { name: "标签" });
  expect(field.value).toBe("路线图");
  expect(answers).toBe(1);
  await userEvent.type(field, "、q3 {Enter}");
  await waitFor(() => expect(closed).toBe(true));
  expect(asked.find(({ method }) => method === "PATCH")?.body).toEqual({ tags: ["路线图", "q3"] });
});

test("tags that were changed in another window are there when this one is turned to", async () => {
  let tags = ["旧"];
  server(({ path }) =>
    path.endsWith("/me") ? owner : { items: [{ ...one, id: "t2", tags }], next_cursor: null },
  );
  await at("/meetings", "/meetings", () => <MeetingList narrowed={{}} onClear={() => {}} />);
  await screen.findByRole("link", { name: "旧" });
  tags = ["新"];
  fireEvent(window, new Event("focus"));
  expect(await screen.findByRole("link", { name: "新" })).toBeTruthy();
  expect(screen.queryByRole("link", { name: "旧" })).toBeNull();
});

test("the list is narrowed by a tag, and a row says whom the meeting waits for", async () => {
  const waiting = { reason: null, questions: 0, names: ["林晚"], you: false };
  const items = [{ ...one, id: "w1", state: "discussion", outcome: null, waiting_for: waiting }];
  const asked = server(({ path }) => (path.endsWith("/me") ? owner : { items, next_cursor: null }));
  await at("/meetings", "/meetings", () => <MeetingList narrowed={{ tag: "q3" }} onClear={() => {}} />);
  expect((await screen.findByTestId("waits-for")).textContent).toBe("等待林晚");
  expect(asked.some(({ query }) => query.get("tag") === "q3")).toBe(true);
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
  await at("/meetings", "/meetings", () => <MeetingList narrowed={{ state: "ended" }} onClear={() => {}} />);
  expect(await screen.findByText("没有符合条件的会议")).toBeTruthy();
});

test("words that no topic has are looked for in all that was said", async () => {
  const asked = server(({ path }) =>
    path.endsWith("/me") ? owner : path.endsWith("/search") ? found : { items: [], next_cursor: null },
  );
  await at("/meetings", "/meetings", () => (
    <MeetingList narrowed={{ q: "收敛", format: "room" }} onClear={() => {}} />
  ));
  expect(await screen.findByText("没有主题包含这些词。以下是在全文中找到的：")).toBeTruthy();
  await waitFor(() => expect(document.querySelector("mark")).toBeTruthy());
  const query = asked.find((one) => one.path.endsWith("/search"))?.query;
  expect([query?.get("q"), query?.get("format")]).toEqual(["收敛", "room"]);
});

test("the list is asked for as the address says", async () => {
  const asked = server(() => ({ items: [], next_cursor: null }));
  await at("/meetings", "/meetings", () => (
    <MeetingList
      narrowed={{ q: "知识库", state: "running", format: "room", kind: "simulated", since: "week" }}
      onClear={() => {}}
    />
  ));
  await screen.findByText("没有主题包含这些词。以下是在全文中找到的：");
  const query = asked.find((one) => one.path.endsWith("/meetings"))?.query;
  expect(query?.get("q")).toBe("知识库");
  expect(query?.get("state")).toBe("preparation,discussion,ballot,closing");
  expect(query?.get("format")).toBe("room");
  expect(query?.get("simulated")).toBe("true");
  expect(Date.parse(query?.get("created_after") ?? "")).toBe(sinceStart("week"));
});

test("it is brought up to date often while something runs, and else now and then", () => {
  const every = meetingsQuery({}).refetchInterval;
  const rows = (state: string) => ({ state: { data: { pages: [{ items: [{ state }] }] } } });
  const ask = (state: string) =>
    typeof every === "function" ? Reflect.apply(every, null, [rows(state)]) : every;
  expect(ask("ended")).toBe(30_000);
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

test("what is found stands under its meeting, three at first", async () => {
  const hit = found.items[0];
  const items = ["a", "b", "a", "a", "a", "b"].map((meeting, seq) => ({
    ...hit,
    meeting,
    topic: meeting,
    seq,
  }));
  server(() => ({ ...found, items }));
  await at("/meetings", "/meetings", () => <Hits q="自建" narrowed={{}} onClear={() => {}} />);
  const first = within(await screen.findByRole("region", { name: "a" }));
  expect(first.getAllByRole("listitem")).toHaveLength(3);
  await userEvent.click(first.getByRole("button", { name: "显示另外 1 处" }));
  expect(first.getAllByRole("listitem")).toHaveLength(4);
  expect(within(screen.getByRole("region", { name: "b" })).getAllByRole("listitem")).toHaveLength(2);
});

test("a meeting that is not among the newest is found under the title that it has now", async () => {
  const hit = found.items[0];
  const created_at = "2026-01-02T03:04:05.678Z";
  const row = {
    ...one,
    id: "old",
    title: "改过的名字",
    state: "ended",
    outcome: "aborted(round_limit)",
    created_at,
  };
  server(({ path, query }) => {
    if (path.endsWith("/meetings"))
      return { items: query.get("created_after") ? [row] : [], next_cursor: null };
    return path.endsWith("/old")
      ? { created_at }
      : { ...found, items: [{ ...hit, meeting: "old", topic: "旧主题" }] };
  });
  await at("/meetings", "/meetings", () => <Hits q="自建" narrowed={{}} onClear={() => {}} />);
  const region = await screen.findByRole("region", { name: "改过的名字" });
  expect(within(region).getByTestId("hit-meeting").textContent).toContain("轮次用完");
});

test("Chinese words that were found are marked where they stand, and lead to the message", async () => {
  const asked = server(() => found);
  await at("/meetings", "/meetings", () => <Hits q="自建" narrowed={{}} onClear={() => {}} />);
  const marks = (await screen.findAllByText("自建")).filter((node) => node.tagName === "MARK");
  const counts = new Map<string, number>();
  const shown = found.items.filter(({ meeting }) => {
    counts.set(meeting, (counts.get(meeting) ?? 0) + 1);
    return (counts.get(meeting) ?? 0) <= 3;
  });
  expect(marks).toHaveLength(shown.flatMap((hit) => hit.snippet).filter((piece) => piece.hit).length);
  const hit = found.items[0];
  expect(screen.getAllByRole("link")[1]?.getAttribute("href")).toBe(`/m/${hit?.meeting}?at=${hit?.seq}`);
  expect(asked[0]?.query.get("q")).toBe("自建");
});

test("the full-text search is narrowed as the address says", async () => {
  const asked = server(() => found);
  await at("/meetings", "/meetings", () => (
    <Hits q="自建" narrowed={{ hit: "minutes", by: "林晚", since: "month" }} onClear={() => {}} />
  ));
  await screen.findAllByRole("listitem");
  const query = asked.find((one) => one.path.endsWith("/search"))?.query;
  expect(query?.get("kind")).toBe("minutes");
  expect(query?.get("participant")).toBe("林晚");
  expect(Date.parse(query?.get("happened_after") ?? "")).toBe(sinceStart("month"));
});

test("a search that finds nothing offers to clear its filters, where it has some", async () => {
  server(() => ({ ...found, items: [] }));
  const cleared = vi.fn();
  await at("/meetings", "/meetings", () => <Hits q="无" narrowed={{ by: "林晚" }} onClear={cleared} />);
  await userEvent.click(await screen.findByRole("button", { name: "清除筛选" }));
  expect(cleared).toHaveBeenCalledOnce();
  document.body.innerHTML = "";
  await at("/meetings", "/meetings", () => <Hits q="无" narrowed={{}} onClear={cleared} />);
  expect(await screen.findByText("没有找到“无”")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "清除筛选" })).toBeNull();
});

test("the kind of a hit, its speaker and its time are filters of the search", async () => {
  const told: unknown[] = [];
  await at("/", "/", () => (
    <HitFilters
      narrowed={{ since: "week" }}
      onChange={(more) => told.push(more)}
      onClear={() => told.push("clear")}
    />
  ));
  await userEvent.type(await screen.findByRole("textbox", { name: "发言者的名称" }), "林晚{Enter}");
  await waitFor(() => expect(told).toContainEqual({ by: "林晚" }));
  await userEvent.click(screen.getByRole("combobox", { name: "种类" }));
  await userEvent.click(await screen.findByRole("option", { name: "纪要" }));
  await waitFor(() => expect(told).toContainEqual({ hit: "minutes" }));
  await userEvent.click(screen.getByRole("button", { name: "清除筛选" }));
  expect(told.at(-1)).toBe("clear");
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

test("pinned meetings stand on top of the list, also one that the list has not come to", async () => {
  const created_at = "2026-01-02T03:04:05.678Z";
  const [a, b] = ["a", "b"].map((id) => ({ ...one, id, title: id }));
  const far = { ...one, id: "far", title: "far", created_at };
  server(({ path, query }) => {
    if (path.endsWith("/me")) return owner;
    if (path.endsWith("/far")) return { created_at };
    return { items: query.get("created_after") ? [far] : [a, b], next_cursor: null };
  });
  const pinned = () =>
    within(screen.getByRole("region", { name: "已置顶" }))
      .getAllByRole("link")
      .map((link) => link.textContent);
  const narrow = { tag: "" };
  await at("/meetings", "/meetings", () => <MeetingList narrowed={narrow} onClear={() => {}} />);
  await screen.findByRole("link", { name: "b" });
  expect(screen.queryByRole("region", { name: "已置顶" })).toBeNull();
  act(() => pin("far", true));
  act(() => pin("b", true));
  await waitFor(() => expect(pinned()).toEqual(["b", "far"]));
  expect(screen.getAllByRole("link").map((link) => link.textContent)).toEqual(["b", "far", "a"]);
  act(() => pin("far", false));
  act(() => pin("b", false));
  await waitFor(() => expect(screen.queryByRole("region", { name: "已置顶" })).toBeNull());
});

test("what is found is narrowed by its meetings, and looked for further until there is something", async () => {
  const hit = { ...found.items[0], meeting: "a" };
  const pages = [
    { ...found, items: [], next_cursor: "2" },
    { ...found, items: [hit], next_cursor: null },
  ];
  const asked: URLSearchParams[] = [];
  server(({ path, query }) => {
    if (!path.endsWith("/search")) {
      return { items: [{ ...one, id: "a", title: "a" }], next_cursor: null };
    }
    asked.push(query);
    return pages[query.get("cursor") === "2" ? 1 : 0];
  });
  const narrowed = { kind: "real", state: "running", format: "consensus" };
  await at("/meetings", "/meetings", () => <Hits q="自建" narrowed={narrowed} onClear={() => {}} />);
  expect(await screen.findByRole("region", { name: "a" })).toBeTruthy();
  expect(asked).toHaveLength(2);
  for (const query of asked) {
    expect(query.get("simulated")).toBe("false");
    expect(query.get("format")).toBe("consensus");
    expect(query.get("state")?.split(",")).toContain("discussion");
  }
});
