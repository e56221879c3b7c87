// A meeting from the golden views, and the context around the tested part.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { render } from "@testing-library/react";
import type { ReactNode } from "react";
import { vi } from "vitest";
import type { Event } from "../../../app/src/api/schema";
import { type Table, TableContext } from "../../../app/src/components/meeting-page/context";
import { PanelPlace } from "../../../app/src/features/panel/place";
import { MeetingProvider } from "../../../app/src/meeting/hooks";
import type { MeetingSource } from "../../../app/src/meeting/snapshot";
import { emptySnapshot } from "../../../app/src/meeting/snapshot";
import { opened, type ServerView, type View } from "../../../app/src/meeting/view";
import { Toasts } from "../../../app/src/ui/toast";

const FIXTURES = join(import.meta.dirname, "../../../../fixtures");

/** The state of a golden meeting after an event: `zh/consensus`; its last state when no event is named. */
export function golden(name: string, seq?: number): View {
  const text = readFileSync(join(FIXTURES, `views/${name}.jsonl`), "utf8");
  const lines = text
    .trim()
    .split("\n")
    .map((line): { seq: number; view: ServerView } => JSON.parse(line));
  const found = seq === undefined ? lines.at(-1) : lines.find((line) => line.seq === seq);
  if (!found) {
    throw new Error(`there is no view of ${name} at ${seq}`);
  }
  return opened(found.view);
}

/** The log of a golden meeting. */
export function log(name: string): Event[] {
  const text = readFileSync(join(FIXTURES, `meetings/${name}.jsonl`), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line): Event => JSON.parse(line));
}

/** The handles of a test besides the document. */
export interface At {
  jump: ReturnType<typeof vi.fn<(seq: number) => void>>;
  retry: ReturnType<typeof vi.fn<() => void>>;
}

/**
 * Renders a part of a meeting. `lines`: the lines of the transcript; `may`: the user's permissions; `tab`: of
 * the panel.
 */
export async function at(
  view: View,
  part: ReactNode,
  {
    lines = [],
    may = { speak: true, manage: true },
    tab = "health",
  }: { lines?: Event[]; may?: Table["may"]; tab?: string } = {},
): Promise<At> {
  const [jump, retry] = [vi.fn<(seq: number) => void>(), vi.fn<() => void>()];
  const snapshot = { ...emptySnapshot(0), status: "ready" as const, view, lines };
  const nothing = async () => {};
  const store: MeetingSource = {
    open: nothing,
    close: () => {},
    subscribe: () => () => {},
    snapshot: () => snapshot,
    older: nothing,
    newer: nothing,
    jump: async (seq) => jump(seq),
    toEnd: nothing,
    setAtEnd: () => {},
    retryNow: retry,
  };
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  client.setQueryData(["me"], {
    name: "ada",
    person: "ada",
    scope: may.manage ? "manage" : may.speak ? "speak" : "read",
    way: "session",
    accounts: true,
  });
  const table: Table = { id: view.id, view, past: false, may, jump };
  const page = () => (
    <QueryClientProvider client={client}>
      <MeetingProvider store={store}>
        <TableContext value={table}>
          <PanelPlace>{part}</PanelPlace>
        </TableContext>
      </MeetingProvider>
      <Toasts />
    </QueryClientProvider>
  );
  const router = createRouter({
    routeTree: createRootRoute({ component: page }),
    history: createMemoryHistory({ initialEntries: [`/?tab=${tab}`] }),
  });
  await router.load();
  render(<RouterProvider router={router} />);
  return { jump, retry };
}

/** A request to the server. */
export interface Sent {
  method: string;
  path: string;
  body: unknown;
  headers: Headers;
}

/** A server that answers every request with the same, and remembers what was sent. */
export function server(answer: (sent: Sent) => Response | Promise<Response> | undefined): Sent[] {
  const all: Sent[] = [];
  vi.stubGlobal("fetch", async (input: Request) => {
    const text = await input.clone().text();
    const url = new URL(input.url);
    const sent = {
      method: input.method,
      path: url.pathname + url.search,
      body: text ? JSON.parse(text) : null,
      headers: input.headers,
    };
    all.push(sent);
    return (await answer(sent)) ?? Response.json({ id: "m", state: "discussion", last_seq: 9 });
  });
  return all;
}

/** Events as a page of the log. */
export function ndjson(events: Event[]): Response {
  return new Response(`${events.map((event) => JSON.stringify(event)).join("\n")}\n`, {
    headers: { "content-type": "application/x-ndjson" },
  });
}
