// The requests about turns, to the server.

import { api, done, onceKey } from "../../api/client";
import type { TurnsApi } from "./turn-client";

/** The server tells whole seconds: up to one more is no difference, and of every other one half is left out. */
const TOLD_MS = 1_000;

/** How far this clock is ahead of the server's, of a time that the server told a moment ago. */
export function aheadOf(since: number): number {
  return since >= 0 && since <= TOLD_MS ? 0 : since - TOLD_MS / 2;
}

/** The turns of the user at one meeting. */
export function turnsAt(meeting: string): TurnsApi {
  return {
    async open(wait_seconds, signal) {
      const query = { meeting, wait_seconds };
      const asked = await api.GET("/api/v1/turns", { params: { query }, signal });
      const page = await done(Promise.resolve(asked));
      const told = Date.parse(asked.response.headers.get("date") ?? "");
      return { turns: page.items, ahead: Number.isNaN(told) ? 0 : aheadOf(Date.now() - told) };
    },
    answer: (ticket, body) =>
      done(
        api.POST("/api/v1/turns/{ticket}/answer", {
          params: { path: { ticket }, header: onceKey() },
          // The shape of the fields is that of the turn's schema; the document cannot say it.
          body: "text" in body ? { text: body.text } : { fields: body.fields as Record<string, never> },
        }),
      ),
    skip: (ticket) =>
      done(api.POST("/api/v1/turns/{ticket}/skip", { params: { path: { ticket }, header: onceKey() } })),
  };
}
