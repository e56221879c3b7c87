// Which models the server gives the seats of a meeting that names none.

import { useQuery } from "@tanstack/react-query";
import { api, done } from "../../api/client";

/** The least meeting: which models are chosen does not depend on it. */
const ANY = { topic: "?", format: "discussion", seats: 2, rules: { limits: { max_rounds: 1 } } } as const;

/** The names of the models of so many seats, each once; none while it is unknown. */
export function useAutomaticModels(seats: number, enabled: boolean): string[] {
  const { data } = useQuery({
    queryKey: ["providers", "automatic"],
    queryFn: async ({ signal }) => {
      const { chosen } = await done(api.POST("/api/v1/meetings/estimate", { signal, body: ANY }));
      return chosen?.in_turn.map((one) => one.model) ?? [];
    },
    enabled,
    staleTime: 300_000,
    retry: false,
  });
  return [...new Set(data?.slice(0, seats))];
}
