// Queries for the result of a meeting.

import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, ask, done, ProblemError } from "../../api/client";
import { askHealth } from "../../api/health";
import type { MeetingId, Problem, Report, WhatIfReport, WhatIfRequest } from "../../api/schema";
import i18n from "../../i18n";
import { LOG_PAGE } from "../../meeting/log-pages";
import { pageApi } from "../../meeting/page-api";
import type { ServerView } from "../../meeting/view";
import { zone } from "../../shell/formatting";

/** The result, or the present state; that is reloaded while it is shown. */
export const reportOf = (id: MeetingId) =>
  queryOptions({
    queryKey: ["meeting", id, "report", tag()],
    queryFn: async ({ signal }): Promise<Report> =>
      (await asked(`${of(id)}/report?lang=${tag()}`, { signal })).json(),
    refetchInterval: (query) => (query.state.data && !query.state.data.outcome ? 5_000 : false),
  });

/** The state of the meeting, without its messages. */
export const viewOf = (id: MeetingId) =>
  queryOptions({
    queryKey: ["meeting", id, "view"],
    queryFn: async ({ signal }): Promise<ServerView> =>
      (await asked(`${of(id)}?messages=0`, { signal })).json(),
    refetchInterval: (query) => (query.state.data && !query.state.data.outcome ? 5_000 : false),
  });

/** What the agreement rests on now; after the end it stays. */
export const healthOf = (id: MeetingId, over: boolean) =>
  queryOptions({
    queryKey: ["meeting", id, "health", "now"],
    queryFn: () => askHealth(id),
    staleTime: over ? Number.POSITIVE_INFINITY : 0,
    refetchInterval: over ? false : 5_000,
  });

/** The assumed changes; rules that are left out stay as they were. */
export type WhatIfChanges = Partial<WhatIfRequest>;

/** The meeting under other rules. */
export const whatIfOf = (id: MeetingId, changes: WhatIfChanges) =>
  queryOptions({
    queryKey: ["meeting", id, "what-if", changes, tag()],
    queryFn: async ({ signal }): Promise<WhatIfReport> => {
      const body = JSON.stringify(changes);
      const headers = { "content-type": "application/json" };
      return (
        await asked(`${of(id)}/what-if?lang=${tag()}`, { signal, method: "POST", headers, body })
      ).json();
    },
    staleTime: 60_000,
  });

/** Everything that participants said, in order, a page after another. */
export const spokenOf = (id: MeetingId) =>
  infiniteQueryOptions({
    queryKey: ["meeting", id, "spoken"],
    queryFn: async ({ pageParam }) =>
      pageApi.log(id, { after: pageParam, types: ["agent_message"], limit: LOG_PAGE }),
    initialPageParam: 0,
    getNextPageParam: (page) => (page.more ? page.events.at(-1)?.seq : undefined),
    staleTime: 60_000,
  });

/** In which form a meeting is handed on. */
export type ExportForm = "markdown" | "html" | "pdf" | "json" | "jsonl" | "files";

/** The formats that programs of the operator make. */
export const exporters = queryOptions({
  queryKey: ["exporters"],
  queryFn: () => done(api.GET("/api/v1/exporters")),
});

/** A file that was made for a meeting. */
interface Made {
  name: string;
  content: Blob;
}

/** Exports a meeting as a file. `form`: one of the formats, or the name of an exporter. */
export async function exported(id: MeetingId, form: string, marks: boolean): Promise<Made> {
  const query = new URLSearchParams({
    format: form,
    with_marks: String(marks),
    lang: tag(),
    time_zone: zone(),
  });
  const answer = await asked(`${of(id)}/export?${query}`);
  const given = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") ?? "")?.[1];
  return { name: given ?? `meeting-${id.slice(0, 8)}`, content: await answer.blob() };
}

/** The result as Markdown. */
export async function resultText(id: MeetingId): Promise<string> {
  return (await asked(`${of(id)}/report/markdown?lang=${tag()}`)).text();
}

/** The language of the page, as the server names it. */
const tag = () => (i18n.language === "en" ? "en" : "zh");

const of = (id: MeetingId) => `meetings/${encodeURIComponent(id)}`;

/** The response of the server, of any type. A refusal is thrown. */
export async function asked(path: string, more: RequestInit = {}): Promise<Response> {
  const answer = await ask(new Request(new URL(`/api/v1/${path}`, window.location.origin), more));
  if (!answer.ok) {
    throw new ProblemError(await refusal(answer));
  }
  return answer;
}

async function refusal(answer: Response): Promise<Problem> {
  const plain = { type: "#unknown", status: answer.status, title: answer.statusText, detail: "" };
  const told: Partial<Problem> | null = await answer.json().catch(() => null);
  return { ...plain, detail: answer.statusText, ...told };
}
