// The requests about turns, to the server.

import { api, done, onceKey } from "../../api/client";
import { clockAhead } from "../../api/clock";
import type { TurnsApi } from "./turn-client";

/** The turns of the user at one meeting. */
export function turnsAt(meeting: string): TurnsApi {
  return {
    async open(wait_seconds, signal) {
      const query = { meeting, wait_seconds };
      const page = await done(api.GET("/api/v1/turns", { params: { query }, signal }));
      return { turns: page.items, ahead: clockAhead() };
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
