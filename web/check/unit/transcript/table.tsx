// A table for tests: a meeting as it stands, and everything that parts of it need around them.

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { act, render } from "@testing-library/react";
import type { ReactNode } from "react";
import type { Event } from "../../../app/src/api/schema";
import { AtTable } from "../../../app/src/components/meeting-page/context";
import { peopleOf } from "../../../app/src/components/speaker/people";
import type { Talk } from "../../../app/src/features/transcript/context";
import { Opened } from "../../../app/src/features/transcript/opened";
import { TalkPlace } from "../../../app/src/features/transcript/place";
import { applyAll } from "../../../app/src/meeting/fold";
import { MeetingProvider } from "../../../app/src/meeting/hooks";
import { References } from "../../../app/src/meeting/references";
import { emptySnapshot, type MeetingSource, type Snapshot } from "../../../app/src/meeting/snapshot";
import { isInTranscript } from "../../../app/src/meeting/transcript-events";
import { blank } from "../../../app/src/meeting/view";

/** A store whose snapshot a test lays down itself. */
export class StillSource implements MeetingSource {
  #now: Snapshot;
  readonly #listeners = new Set<() => void>();
  readonly jumps: number[] = [];

  constructor(now: Snapshot) {
    this.#now = now;
  }

  subscribe = (told: () => void) => {
    this.#listeners.add(told);
    return () => this.#listeners.delete(told);
  };
  snapshot = () => this.#now;

  /** Something has changed. */
  put(change: Partial<Snapshot>): void {
    act(() => {
      this.#now = { ...this.#now, ...change };
      for (const told of this.#listeners) told();
    });
  }

  async open() {}
  close() {}
  async older() {}
  async newer() {}
  async jump(seq: number) {
    this.jumps.push(seq);
  }
  async toEnd() {}
  setAtEnd() {}
  retryNow() {}
}

/** A meeting as it stands after these events. */
export function standing(events: readonly Event[], change: Partial<Snapshot> = {}): StillSource {
  const view = applyAll(blank("meeting"), events);
  const lines = events.filter(isInTranscript);
  return new StillSource({
    ...emptySnapshot(0),
    status: "ready",
    connection: "live",
    view,
    lines,
    ...change,
  });
}

/** The context of rows, for a meeting in its present state. */
export function talkOf(source: MeetingSource): Talk {
  const { view, lines } = source.snapshot();
  const known = new References({ claims: async () => [], message: async () => null });
  known.learn(lines);
  return {
    id: view?.id ?? "",
    people: peopleOf(view),
    known,
    goTo: (seq) => void source.jump(seq),
    opened: new Opened(),
    may: { speak: true, manage: true },
    me: undefined,
    seats: new Set(),
  };
}

/** Draws a part of a table, with the pages that it may lead to. */
export async function draw(source: MeetingSource, node: ReactNode, { manages = false } = {}) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  if (manages) {
    client.setQueryData(["me"], {
      name: "ada",
      person: "ada",
      scope: "manage",
      way: "session",
      accounts: true,
    });
  }
  const root = createRootRoute({
    component: () => (
      <QueryClientProvider client={client}>
        <MeetingProvider store={source}>
          <AtTable>
            <TalkPlace talk={talkOf(source)}>{node}</TalkPlace>
          </AtTable>
        </MeetingProvider>
      </QueryClientProvider>
    ),
  });
  const pages = ["/", "/m/$id", "/m/$id/result"].map((path) =>
    createRoute({ getParentRoute: () => root, path, component: () => null }),
  );
  const router = createRouter({
    routeTree: root.addChildren(pages),
    history: createMemoryHistory({ initialEntries: ["/m/meeting"] }),
  });
  await router.load();
  const drawn = render(<RouterProvider router={router} />);
  await act(async () => {});
  return drawn;
}
