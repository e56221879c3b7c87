// Access to a meeting, as the server stores it: invitations, guests, the password.

import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, done } from "../../api/client";

/** The invitations that can still be taken. */
export const invitations = (id: string) =>
  queryOptions({
    queryKey: ["meeting", id, "invitations"],
    queryFn: () => done(api.GET("/api/v1/meetings/{id}/invitations", { params: { path: { id } } })),
    // A link is used while the list is looked at, too.
    staleTime: 0,
    refetchInterval: 15_000,
  });

/** The guests who are in. */
export const guests = (id: string) =>
  queryOptions({
    queryKey: ["meeting", id, "guests"],
    queryFn: () => done(api.GET("/api/v1/meetings/{id}/guests", { params: { path: { id } } })),
    // Whoever opens the list finds those who came a moment ago, too. A meeting that is over tells nobody that somebody came.
    staleTime: 0,
    refetchInterval: 5_000,
  });

/** Whether the meeting has a password. */
export const lock = (id: string) =>
  queryOptions({
    queryKey: ["meeting", id, "lock"],
    queryFn: async () => {
      const asked = api.GET("/api/v1/meetings/{id}", { params: { path: { id }, query: { messages: 0 } } });
      return (await done(asked)).locked;
    },
  });

/** Gives the meeting a password, another one, or with `null` none. */
export function useLock(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (password: string | null) =>
      // Topic and announcement stay as they are; a password of `null` is none.
      done(
        api.PATCH("/api/v1/meetings/{id}", {
          params: { path: { id } },
          body: { topic: null, announcement: null, password },
        }),
      ),
    onSuccess: (_, password) => queries.setQueryData(lock(id).queryKey, password !== null),
  });
}
