// An agent with its version, and what changes it.

import { queryOptions } from "@tanstack/react-query";
import { api, done } from "../../api/client";
import type { Agent, AgentRequest, SavedAgent } from "../../api/schema";

/** An agent, and the version that an edit goes by. */
export interface Versioned {
  agent: Agent;
  etag: string | null;
}

/** One agent, by its name or id. */
export const agent = (name: string) =>
  queryOptions({
    queryKey: ["agent", name],
    queryFn: async (): Promise<Versioned> => {
      const asked = api.GET("/api/v1/agents/{name}", { params: { path: { name } } });
      return { agent: await done(asked), etag: (await asked).response.headers.get("etag") };
    },
  });

/** Changes an agent; refused with 412 when it was changed after the version was looked at. */
export function change(name: string, etag: string | null, body: AgentRequest): Promise<SavedAgent> {
  const header = etag ? { "If-Match": etag } : undefined;
  return done(api.PATCH("/api/v1/agents/{name}", { params: { path: { name }, header }, body }));
}

/** Takes an agent out of the library. */
export function remove(name: string): Promise<void> {
  return done(api.DELETE("/api/v1/agents/{name}", { params: { path: { name } } }));
}
