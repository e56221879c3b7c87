// Mentions on every page: new ones are notified once and counted while the tab is hidden; what was read is sent once.

import { QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { act, cleanup, render } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { mentionsChanged, readMentions } from "../../../app/src/api/mentions";
import { queries } from "../../../app/src/api/queries";
import { useMentionWatch } from "../../../app/src/shell/mention-watch";
import { unreadLabel } from "../../../app/src/shell/mentions";
import { useTitle } from "../../../app/src/shell/title";
import { server } from "../table/at";

interface Mention {
  seq: number;
  is_unread: boolean;
}

let all: Mention[] = [];
let shown: { text: string; closed: boolean }[] = [];
const item = ({ seq, is_unread }: Mention) => ({
  meeting: "m",
  topic: "主题",
  seq,
  message_id: `m${seq}`,
  by: "Ada",
  excerpt: "@林 看",
  said_at: new Date(seq).toISOString(),
  is_unread,
});
const answers = () =>
  server(({ method }) => {
    const unread = all.filter((one) => one.is_unread).length;
    return Response.json(
      method === "PUT" ? { unread } : { items: all.map(item).reverse(), next_cursor: null, unread },
    );
  });
const look = (visibility: DocumentVisibilityState) => {
  vi.spyOn(document, "visibilityState", "get").mockReturnValue(visibility);
  vi.spyOn(document, "hasFocus").mockReturnValue(visibility === "visible");
  act(() => void document.dispatchEvent(new Event("visibilitychange")));
};

function Page() {
  useTitle("会议");
  useMentionWatch(true);
  return null;
}

/** What the queries know is drawn: they tell of it by a timer. */
const drawn = () => act(() => new Promise<void>((done) => setTimeout(done)));

async function open() {
  const router = createRouter({
    routeTree: createRootRoute({
      component: () => (
        <QueryClientProvider client={queries}>
          <Page />
        </QueryClientProvider>
      ),
    }),
    history: createMemoryHistory(),
  });
  await router.load();
  render(<RouterProvider router={router} />);
  await vi.waitFor(() => expect(queries.getQueryData(["mentions"])).toBeDefined());
  // What is known by now is drawn before anything comes.
  await drawn();
}

/** Something has changed on the server, and the page has looked. */
async function come(now: Mention[]) {
  all = now;
  mentionsChanged();
  await vi.waitFor(() =>
    expect(queries.getQueryData<{ items: Mention[] }>(["mentions"])?.items.map((one) => one.seq)).toEqual(
      now.map((one) => one.seq).reverse(),
    ),
  );
  await drawn();
}

beforeEach(() => {
  shown = [];
  queries.clear();
  queries.setQueryData(["me"], { name: "lin", person: "lin", scope: "speak" });
  class Notice {
    static permission = "granted";
    onclick = null;
    readonly kept: { text: string; closed: boolean };
    constructor(text: string) {
      this.kept = { text, closed: false };
      shown.push(this.kept);
    }
    close() {
      this.kept.closed = true;
    }
  }
  vi.stubGlobal("Notification", Notice);
  vi.stubGlobal("isSecureContext", true);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test("what was said before the page was opened is no news; what comes then is told once", async () => {
  all = [{ seq: 1, is_unread: true }];
  answers();
  look("hidden");
  await open();
  expect(shown).toEqual([]);
  expect(document.title).toBe("会议 · 众议");
  const two = [...all, { seq: 2, is_unread: true }];
  await come(two);
  await come([...two, { seq: 3, is_unread: true }]);
  expect(shown.map((one) => one.text)).toEqual(Array(2).fill("Ada 在“主题”中提及你"));
  expect(document.title).toBe("(2) 会议 · 众议");
  look("visible");
  expect(document.title).toBe("会议 · 众议");
});

test("a notification goes when its message was read, wherever that was", async () => {
  all = [];
  answers();
  look("hidden");
  await open();
  await come([{ seq: 2, is_unread: true }]);
  all = [{ seq: 2, is_unread: false }];
  mentionsChanged();
  await vi.waitFor(() => expect(shown.map((one) => one.closed)).toEqual([true]));
  await drawn();
  expect(document.title).toBe("会议 · 众议");
});

test("what was seen is sent once, and what is known to be read is not sent", async () => {
  all = [{ seq: 1, is_unread: false }];
  const sent = answers();
  look("visible");
  await open();
  for (const seq of [1, 4, 3, 5, 5]) {
    readMentions("lin", "m", seq);
  }
  await vi.waitFor(() => expect(sent.filter((one) => one.method === "PUT")).toHaveLength(1));
  expect(sent.find((one) => one.method === "PUT")?.body).toEqual({ meeting: "m", seq: 5 });
});

test("many are not counted in figures", () => {
  expect([0, 1, 99, 100].map(unreadLabel)).toEqual(["", "1", "99", "99+"]);
});
