// A page in a test: a router that stays in memory, a store of its own, and a server that answers from a table.

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { render } from "@testing-library/react";
import type { ReactNode } from "react";
import { vi } from "vitest";

/** A request. */
export interface Asked {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
}

/** Answers requests: `undefined` is a 404. Gives the list of what was asked. */
export function server(answer: (asked: Asked) => unknown): Asked[] {
  const all: Asked[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    const url = new URL(request.url);
    const text = await request.text();
    const asked = {
      method: request.method,
      path: url.pathname,
      query: url.searchParams,
      body: text === "" ? undefined : JSON.parse(text),
    };
    all.push(asked);
    const given = await answer(asked);
    return given === undefined
      ? Response.json(
          { type: "#not-found", title: "not found", status: 404, detail: "没有" },
          { status: 404 },
        )
      : Response.json(given);
  });
  return all;
}

/** Renders at an address; any other address is an empty page. Gives the router, to see where one is. */
export async function at(address: string, path: string, page: () => ReactNode) {
  const root = createRootRoute();
  const own = createRoute({ getParentRoute: () => root, path, component: page });
  const rest = createRoute({ getParentRoute: () => root, path: "$", component: () => null });
  const router = createRouter({
    routeTree: root.addChildren([own, rest]),
    history: createMemoryHistory({ initialEntries: [address] }),
    defaultPendingMinMs: 0,
  });
  await router.load();
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const shown = render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return { ...shown, router, client };
}
