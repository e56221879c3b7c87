// A guest who has come in is at the table: others see them, and can mention them.

import { api, done } from "../../api/client";
import type { Scope } from "../../api/schema";

/** Joins the people at a meeting, where the guest may speak. Whoever cannot join follows the meeting all the same. */
export async function arrive(meeting: string, scope: Scope): Promise<void> {
  if (scope === "read") {
    return;
  }
  const joining = api.PUT("/api/v1/meetings/{id}/people/self", { params: { path: { id: meeting } } });
  await done(joining).catch(() => undefined);
}
