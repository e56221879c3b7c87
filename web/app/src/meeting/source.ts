// The requests of a meeting's store to the server.
import type { Event, Problem } from "../api/schema";
import type { ServerView } from "./view";

/** Which part of a log. */
interface LogQuery {
  after?: number;
  before?: number;
  order?: "asc" | "desc";
  types?: readonly string[];
  limit?: number;
}

/** A part of a log, in the order that was asked for. */
export interface LogPage {
  events: Event[];
  /** Whether there is more in this direction. */
  more: boolean;
}

/** The `type` of a problem that is the way to the server, not its word; the page has its own text for it. */
const UNREACHABLE = "about:blank#unreachable";
/** The `type` of a problem that is an answer which cannot be read. */
const UNREADABLE = "about:blank#unreadable";

/** The requests about a meeting. A refusal is thrown as a [`Refused`]. */
export interface MeetingApi {
  /** The present state, or the state after an event; without its messages. */
  view(id: string, at?: number): Promise<ServerView>;
  log(id: string, query: LogQuery): Promise<LogPage>;
}

/** The server, or the way to it, says no. */
class Refused extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

const TIMEOUT_MS = 30_000;

/** The connection to the server. */
interface HttpParts {
  /** The origin of the server; the page's own when left out. */
  base?: string;
  /** Fetches a URL; the browser's own fetch when left out. */
  get?: (url: string, signal: AbortSignal) => Promise<Response>;
}

/** Asks the server over HTTP. */
export function httpApi({
  base = "",
  get = (url, signal) => fetch(url, { signal }),
}: HttpParts = {}): MeetingApi {
  const ask = async (id: string, rest: string): Promise<Response> => {
    const url = `${base}/api/v1/meetings/${encodeURIComponent(id)}${rest}`;
    const answer = await get(url, AbortSignal.timeout(TIMEOUT_MS)).catch((error: unknown) => {
      throw problemIn(error) ? error : new Refused(unreachable());
    });
    if (!answer.ok) throw new Refused(await refusalOf(answer));
    return answer;
  };
  return {
    async view(id, at) {
      return (await ask(id, at === undefined ? "?messages=0" : `?messages=0&at=${at}`)).json();
    },
    async log(id, query) {
      const answer = await ask(id, `/log?${logQuery(query)}`);
      const lines = (await answer.text()).split("\n").filter((line) => line !== "");
      const events = lines.map((line): Event => JSON.parse(line));
      return { events, more: (answer.headers.get("link") ?? "").includes('rel="next"') };
    },
  };
}

/** The URL of a meeting's events after one of them. */
export function eventsUrl(id: string, after: number, base = ""): string {
  return `${base}/api/v1/meetings/${encodeURIComponent(id)}/events?after=${after}`;
}

/** Any failure as a problem. */
export function problemFrom(error: unknown): Problem {
  const problem = problemIn(error);
  if (problem) return problem;
  const detail = error instanceof Error ? error.message : String(error);
  return { type: UNREADABLE, title: "unreadable answer", status: 0, detail };
}

function logQuery({ after, before, order, types, limit }: LogQuery): string {
  const query = new URLSearchParams();
  if (after !== undefined) query.set("after", String(after));
  if (before !== undefined) query.set("before", String(before));
  if (order !== undefined) query.set("order", order);
  if (types !== undefined) query.set("types", types.join(","));
  if (limit !== undefined) query.set("limit", String(limit));
  return query.toString();
}

/** The problem that an error carries: one of ours, or of the page's client. */
function problemIn(error: unknown): Problem | null {
  if (!(error instanceof Error) || !("problem" in error)) return null;
  const { problem } = error;
  return isProblem(problem) ? problem : null;
}

function isProblem(value: unknown): value is Problem {
  return typeof value === "object" && value !== null && "status" in value && "detail" in value;
}

function unreachable(): Problem {
  return { type: UNREACHABLE, title: "unreachable", status: 0, detail: "the server cannot be reached" };
}

/** The problem in a refusal. */
export async function refusalOf(answer: Response): Promise<Problem> {
  const { status, statusText } = answer;
  const body: unknown = await answer.json().catch(() => null);
  if (isProblem(body)) return body;
  return { type: "about:blank", title: statusText, status, detail: `the server answered ${status}` };
}
