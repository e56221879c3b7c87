// Asks how well the table deliberates, again when something has happened that bears on it, a second later.

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { ask, ProblemError } from "../../../api/client";
import type { Problem } from "../../../api/schema";
import { useTable } from "../../table/context";
import type { Health } from "./shape";

const LATER_MS = 1000;

/** How it stands, and what to do when it cannot be told. */
export function useHealth() {
  const { view, past } = useTable();
  const rounds = view.rounds.filter((round) => round.ended_seq !== null).length;
  const counted = view.ballots.filter((ballot) => ballot.state !== "open").length;
  const now = `${view.messages_total}-${rounds}-${counted}-${view.phase.phase === "ended"}`;
  const then = useLater(past ? String(view.last_seq) : now);
  return useQuery({
    queryKey: ["meeting", view.id, "health", then],
    queryFn: async () => {
      const at = past ? `?at=${then}` : "";
      const url = new URL(
        `/api/v1/meetings/${encodeURIComponent(view.id)}/health${at}`,
        window.location.origin,
      );
      const answer = await ask(new Request(url));
      if (!answer.ok) {
        const problem: Problem = await answer.json();
        throw new ProblemError(problem);
      }
      const health: Health = await answer.json();
      return health;
    },
    placeholderData: (before) => before,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The value as it was when it last stayed the same for a while. */
function useLater(value: string): string {
  const [then, setThen] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setThen(value), LATER_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return then;
}
