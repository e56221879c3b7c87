// Asks the server for claims and messages that lie outside of the lines in sight.

import { api, done, ProblemError } from "../../api/client";

import { excerpt, type ReferenceLookup } from "../../meeting/references";

/** The lookup of a meeting's claims and messages. */
export function referenceLookup(meeting: string): ReferenceLookup {
  return {
    async claims(ids) {
      const params = { path: { id: meeting }, query: { ids: [...ids], limit: 500 } };
      const { items } = await done(api.GET("/api/v1/meetings/{id}/claims", { params }));
      return items;
    },
    async message(id) {
      const params = { path: { id: meeting, message: id } };
      const asked = done(api.GET("/api/v1/meetings/{id}/messages/{message}", { params }));
      const said = await asked.catch((error: unknown) => {
        if (error instanceof ProblemError && error.problem.status === 404) {
          return null;
        }
        throw error;
      });
      if (!said) {
        return null;
      }
      const { speaker } = said;
      const participant = speaker.kind === "participant" ? speaker.id : null;
      const by = speaker.kind === "participant" ? {} : { by: speaker };
      return {
        id: said.id,
        participant,
        name: said.name,
        ...by,
        excerpt: excerpt(said.content),
        seq: said.seq,
      };
    },
  };
}
