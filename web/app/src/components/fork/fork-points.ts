// Places from which a meeting can be forked: rounds, ballots, and messages.

import { queryOptions } from "@tanstack/react-query";
import type { Actor, MeetingId } from "../../api/schema";
import { eventsOf, type Of } from "../../meeting/log-pages";
import { pageApi } from "../../meeting/page-api";
import { excerpt } from "../../meeting/references";
import type { ServerView } from "../../meeting/view";

/** A place between two events: the fork has all up to the event `at`. */
export interface ForkPoint {
  kind: "end" | "here" | "before_round" | "after_round" | "before_ballot";
  at: number;
  /** The number of the round or ballot. */
  n?: number;
}

/** A message; the fork continues after it. */
export interface ForkMessage {
  at: number;
  name: string;
  /** The person who said it. */
  by?: Actor;
  text: string;
  round: number;
}

const TYPES = ["ballot_opened", "agent_message", "user_message"] as const;

/** An event that a place lies at. */
export type ForkEvent = Of<(typeof TYPES)[number]>;

/** Ballots and words, out of the log. */
export const forkEventsOf = (id: MeetingId, until: number) =>
  queryOptions({
    queryKey: ["meeting", id, "moments", until],
    queryFn: () => eventsOf(pageApi, id, TYPES),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Which name a place has of several. */
const ORDER: readonly ForkPoint["kind"][] = ["before_ballot", "after_round", "before_round"];

/** The places of a meeting, in order; the end first, and the position of a replay. */
export function forkPointsOf(view: ServerView, moments: readonly ForkEvent[], here?: number): ForkPoint[] {
  const end = view.outcome ? view.last_seq - 1 : view.last_seq;
  const rounds = (view.rounds ?? []).flatMap(({ number: n, seq, ended_seq }): ForkPoint[] => [
    ...(seq != null && seq > 1 ? [{ kind: "before_round" as const, at: seq - 1, n }] : []),
    ...(ended_seq != null && ended_seq <= end ? [{ kind: "after_round" as const, at: ended_seq, n }] : []),
  ]);
  const ballots = moments.flatMap((event): ForkPoint[] =>
    event.type === "ballot_opened"
      ? [{ kind: "before_ballot", at: event.seq - 1, n: Number(event.payload.ballot.slice(1)) }]
      : [],
  );
  // The end of one round is where the next one begins: each place is offered once.
  const passed = [...rounds, ...ballots]
    .toSorted((a, b) => a.at - b.at || ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind))
    .filter((place, at, all) => place.at !== end && place.at !== all[at - 1]?.at);
  const known = here === undefined || here === end || passed.some((place) => place.at === here);
  return [{ kind: "end", at: end }, ...(known ? [] : [{ kind: "here" as const, at: here }]), ...passed];
}

/** The messages, the last first. */
export function forkMessagesOf(moments: readonly ForkEvent[]): ForkMessage[] {
  return moments.toReversed().flatMap((event): ForkMessage[] => {
    if (event.type === "ballot_opened") {
      return [];
    }
    const { message, round } = event.payload;
    const by = event.type === "user_message" ? { by: event.payload.by } : {};
    return [{ at: event.seq, name: message.name, ...by, text: excerpt(message.content, 48), round }];
  });
}
