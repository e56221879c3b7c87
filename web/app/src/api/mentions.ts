// The messages that mention the user, and how far they have read.

import { queryOptions } from "@tanstack/react-query";
import { api, done } from "./client";
import { queries } from "./queries";

/** How many are looked at for the side bar. */
const NEWEST = 20;
/** How long what was seen gathers before it is sent. */
const GATHER_MS = 300;

/** The newest mentions, with the number of those that are unread. */
export const mentions = queryOptions({
  queryKey: ["mentions"],
  queryFn: () => done(api.GET("/api/v1/me/mentions", { params: { query: { limit: NEWEST } } })),
  staleTime: 5_000,
});

/** An excerpt as it is read: a name that stands in quotes is called without them. */
export function readable(excerpt: string): string {
  return excerpt.replace(/([@＠﹫])["“]([^"”]{1,100})["”]/g, "$1$2");
}

/** A message of a meeting has come that mentions the user. */
export function mentionsChanged(): void {
  void queries.invalidateQueries({ queryKey: mentions.queryKey });
}

/** How far each person has read each meeting, as it was sent or is about to be. */
const read = new Map<string, number>();
const waiting = new Map<string, { meeting: string; seq: number }>();

/** Notes that a person has read what mentions them at a meeting, up to an event. It is sent in a moment, once. */
export function readMentions(person: string, meeting: string, seq: number): void {
  const key = `${person} ${meeting}`;
  if (seq <= (read.get(key) ?? 0)) {
    return;
  }
  read.set(key, seq);
  const known = queries.getQueryData(mentions.queryKey)?.items;
  if (known?.some((one) => one.meeting === meeting && one.seq === seq && !one.is_unread)) {
    return;
  }
  if (waiting.size === 0) {
    setTimeout(() => void send(), GATHER_MS);
  }
  waiting.set(key, { meeting, seq });
}

async function send(): Promise<void> {
  const due = [...waiting];
  waiting.clear();
  await Promise.all(
    due.map(async ([key, body]) => {
      try {
        await done(api.PUT("/api/v1/me/mentions/read", { body }));
      } catch {
        // It stays unread, and is sent when it is seen again.
        read.delete(key);
      }
    }),
  );
  mentionsChanged();
}

/** All that was said so far is read. */
export async function readAllMentions(): Promise<void> {
  await done(api.PUT("/api/v1/me/mentions/read", { body: {} }));
  mentionsChanged();
}
