// Deliberation health, for the panel of a meeting and for its result.

import { api, done } from "./client";
import type { MeetingId } from "./schema";

/** Asks for what the agreement of a meeting rests on, now or after an event. */
export const askHealth = (id: MeetingId, at?: number) =>
  done(
    api.GET("/api/v1/meetings/{id}/deliberation-health", {
      params: { path: { id }, query: at === undefined ? {} : { at } },
    }),
  );
