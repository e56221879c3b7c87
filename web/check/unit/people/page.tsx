// The whole page at one address, over a server that answers as a test says.

import { QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, createRouter, RouterProvider } from "@tanstack/react-router";
import { configure, render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { vi } from "vitest";
import { queries } from "../../../app/src/api/queries";
import type { CurrentUser as Me, Problem } from "../../../app/src/api/schema";
import { keepSessionHint } from "../../../app/src/api/session-hint";
import { router as real } from "../../../app/src/routes";
import { Toasts } from "../../../app/src/ui/toast";
import { haveFormats } from "../served-formats";

/** A request to the server. */
export interface Asked {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
  headers: Headers;
}

// Pages are fetched when they are first opened.
configure({ asyncUtilTimeout: 8_000 });

type Answer = [status: number, body?: unknown, headers?: Record<string, string>];

/** `"POST /sessions"` and its response; a request without an entry is a 404. */
export type Answers = Record<string, Answer | ((asked: Asked) => Answer)>;

/** A problem as the server tells it. */
export function problem(status: number, sort: string, more: Partial<Problem> = {}): Answer {
  const { detail = sort, ...rest } = more;
  return [status, { type: `/api/v1/problems#${sort}`, title: sort, status, detail, ...rest }];
}

/** A signed-in user. */
export const OWNER: Me = {
  name: "ada",
  person: "ada",
  scope: "owner",
  meeting: null,
  signed_in_by: "session",
  accounts: true,
};
/** The response without a sign-in. */
export const NOBODY = problem(401, "sign-in");

/** Opens the page; what changes something is in `sent`, every request in `asked`, and `answers` can be changed under way.
 * `hadSession`: whether this browser had a session when it last asked. */
export async function open(path: string, answers: Answers, hadSession = false) {
  queries.clear();
  keepSessionHint(hadSession);
  haveFormats();
  const sent: Asked[] = [];
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (input: Request | string, init?: RequestInit) => {
    const request = input instanceof Request ? input : new Request(new URL(input, location.origin), init);
    const { pathname, searchParams: query } = new URL(request.url);
    const one = {
      method: request.method,
      path: pathname.replace("/api/v1", ""),
      query,
      body: JSON.parse((await request.text()) || "null") as unknown,
      headers: request.headers,
    };
    asked.push(`${one.method} ${one.path}`);
    if (one.method !== "GET") {
      sent.push(one);
    }
    const found = answers[`${one.method} ${one.path}`] ?? problem(404, "not-found");
    const [status, body, headers] = typeof found === "function" ? found(one) : found;
    const type = status < 400 ? "application/json" : "application/problem+json";
    return new Response(body === undefined ? null : JSON.stringify(body), {
      status,
      headers: { "content-type": type, ...(body === undefined ? { "content-length": "0" } : {}), ...headers },
    });
  });
  const history = createMemoryHistory({ initialEntries: [path] });
  const router = createRouter({ routeTree: real.routeTree, history });
  render(
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
      <Toasts />
    </QueryClientProvider>,
  );
  return { sent, asked, history, user: userEvent.setup() };
}
