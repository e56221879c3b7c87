// The server's interface, typed by its own document. Every call ends in what was asked for or in a Problem.

import createClient from "openapi-fetch";
import i18n from "../i18n";
import { Signal } from "../store/store";
import { learnClock } from "./clock";
import type { Problem, paths } from "./schema";
import { keepSessionHint } from "./session-hint";

/** A problem from the server (RFC 9457), or one of our own when the server could not be reached. */
export class ProblemError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail || problem.title);
    this.name = "ProblemError";
    this.problem = problem;
  }

  /** The sort of problem: `is-paused`, `not-found`, … */
  get sort(): string {
    return this.problem.type.split("#").at(-1) ?? "";
  }

  get status(): number {
    return this.problem.status;
  }
}

function isProblem(error: unknown): error is Problem {
  return typeof error === "object" && error !== null && "detail" in error && "title" in error;
}

/** Any thrown or stored error, as a problem to show. */
export function problemOf(error: unknown): Problem {
  if (error instanceof ProblemError) {
    return error.problem;
  }
  if (isProblem(error)) {
    return error;
  }
  // So browsers say that a part of the page could not be fetched.
  if (error instanceof TypeError && error.message.includes("module")) {
    return unreachable();
  }
  return ours("page", error instanceof Error ? error.message : String(error));
}

/** The server could not be reached. */
export function unreachable(): Problem {
  return ours("unreachable", i18n.t("problem.unreachable_detail"));
}

/** A problem of the page itself. */
function ours(sort: "page" | "unreachable" | "unknown", detail: string, status = 0): Problem {
  const [title, hint] = [i18n.t(`problem.${sort}`), i18n.t(`problem.${sort}_hint`)];
  return { type: `#${sort}`, status, title, detail, hint };
}

let renewing: Promise<boolean | undefined> | undefined;

/**
 * Goes on with the session of this browser; once for all requests that find it over. `false` if there is none any more,
 * `undefined` if that is not known: nobody answered, or a server or a proxy that is out of order did.
 */
function renew(): Promise<boolean | undefined> {
  renewing ??= fetch("/api/v1/sessions/refresh", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}",
  })
    .then(({ ok, status }) => ok || (status < 500 && status !== 429 ? false : undefined))
    .catch(() => undefined)
    .finally(() => {
      renewing = undefined;
    });
  return renewing;
}

const signedOut = new Signal();

/** Registers a callback for requests that were refused because the user is not signed in. */
export const onSignedOut = signedOut.on;

/** Whether a request is a sign-in: refused, it has no session that could be renewed. */
function comesIn({ method, url }: Request): boolean {
  const path = new URL(url).pathname;
  return method === "POST" && (path === "/api/v1/sessions" || path.endsWith("/enter"));
}

/** `fetch` in the language of the page; a session that ran out is renewed once. */
export async function ask(request: Request): Promise<Response> {
  const asked = new Request(request, {
    headers: new Headers([...request.headers, ["accept-language", i18n.language]]),
  });
  const again = asked.clone();
  try {
    const response = await fetch(asked);
    learnClock(response);
    if (response.status !== 401 || comesIn(asked)) {
      return response;
    }
    const renewed = await renew();
    if (renewed) {
      return await fetch(again);
    }
    if (renewed === undefined) {
      throw new ProblemError(unreachable());
    }
    keepSessionHint(false);
    signedOut.send();
    return response;
  } catch (error) {
    if (asked.signal.aborted || error instanceof ProblemError) {
      throw error;
    }
    throw new ProblemError(unreachable());
  }
}

/** The typed client: `await done(api.GET("/api/v1/meetings/{id}", { params: … }))`. */
export const api = createClient<paths>({
  // Lists in a query are one parameter with commas between its values.
  querySerializer: { array: { style: "form", explode: false } },
  baseUrl: window.location.origin,
  fetch: ask,
});

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** The data of a response. Throws a {@link ProblemError} when there is none. */
export async function done<T>(asked: Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await asked;
  if (response.ok) {
    return data as T;
  }
  throw new ProblemError(readProblem(error, response));
}

function readProblem(error: unknown, response: Response): Problem {
  if (isProblem(error)) {
    return error;
  }
  return ours("unknown", `${response.status} ${response.statusText}`, response.status);
}

/** A new random key. Also works over plain http, where a browser makes no UUIDs. */
export function newKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}

/** A key under which a request that is sent twice is done once. */
export function onceKey(): { "Idempotency-Key": string } {
  return { "Idempotency-Key": newKey() };
}
