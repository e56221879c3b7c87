// What participants have said: asked for once when a card opens, then followed on the meeting's own connection.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Event } from "../../api/schema";
import { useTable } from "../../components/meeting-page/context";
import { useMeeting } from "../../meeting/hooks";
import { lastEventsOf, type Of } from "../../meeting/log-pages";
import { pageApi } from "../../meeting/page-api";
import type { Snapshot } from "../../meeting/snapshot";

type Message = Of<"agent_message">;

/** The messages, complete up to the event `until`. */
interface KnownMessages {
  until: number;
  messages: Message[];
}

type Window = Pick<Snapshot, "lines" | "hasOlder" | "hasNewer">;

/**
 * What is known once the lines in sight are added. The same object when they add nothing; `null` when lines are
 * missing between what is known and what is in sight, so that it has to be asked for again.
 */
export function withLines(known: KnownMessages, window: Window, lastSeq: number): KnownMessages | null {
  const [first] = window.lines;
  // The reader looks at earlier lines, which are known.
  if (window.hasNewer || !first || lastSeq <= known.until) return known;
  if (window.hasOlder && first.seq > known.until + 1) return null;
  const isNew = (event: Event): event is Message =>
    event.type === "agent_message" && event.seq > known.until && event.seq <= lastSeq;
  const added = window.lines.filter(isNew);
  return added.length === 0 ? known : { until: lastSeq, messages: [...known.messages, ...added] };
}

/** The last messages of participants up to the shown state of the meeting. */
export function useMessages(): readonly Message[] {
  const { view, past } = useTable();
  const { id, last_seq: lastSeq } = view;
  const client = useQueryClient();
  // The answers of a blind round are withheld until it ends, and asked for once more then.
  const blind = view.rounds.some((round) => round.kind === "blind" && round.ended_seq == null);
  const key = ["meeting", id, "said", blind];
  const { data } = useQuery({
    queryKey: key,
    queryFn: async (): Promise<KnownMessages> => {
      const messages = await lastEventsOf(pageApi, id, ["agent_message"]);
      return { until: Math.max(lastSeq, messages.at(-1)?.seq ?? 0), messages };
    },
    staleTime: Number.POSITIVE_INFINITY,
    // Whoever opens a card later asks anew.
    gcTime: 0,
  });
  const lines = useMeeting((snapshot) => snapshot.lines);
  const hasOlder = useMeeting((snapshot) => snapshot.hasOlder);
  const hasNewer = useMeeting((snapshot) => snapshot.hasNewer);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is named by the meeting
  useEffect(() => {
    // A replay ends where the log did, and has been asked for whole.
    if (!data || past) return;
    const next = withLines(data, { lines, hasOlder, hasNewer }, lastSeq);
    if (next === null) {
      void client.invalidateQueries({ queryKey: key });
    } else if (next !== data) {
      client.setQueryData(key, next);
    }
  }, [data, lines, hasOlder, hasNewer, lastSeq, past, client, id, blind]);
  return data?.messages.filter((event) => event.seq <= lastSeq) ?? [];
}
