// What mentions the user at the meeting that is open, told to the rest of the page as soon as it comes.

import { useCallback, useEffect, useRef } from "react";
import { mentionsChanged } from "../../api/mentions";
import { useMe } from "../../api/permissions";
import { useMeeting } from "../../meeting/hooks";
import { isSeatOf } from "../../meeting/own-seat";
import type { Snapshot } from "../../meeting/snapshot";
import type { View } from "../../meeting/view";

/** The last message that has come and mentions a person, by its event; 0 for none. */
export function lastMention({ kept, participants }: View, person: string): number {
  const seats = new Set(
    participants
      .filter(({ participant: { runner } }) => isSeatOf(runner, person))
      .map((seat) => seat.participant.id),
  );
  const found = kept.mentioning.findLast(({ speaker, mentions, mentioned_people: people = [] }) => {
    const isOwn =
      speaker.kind === "participant"
        ? seats.has(speaker.id)
        : speaker.kind === "person" && speaker.id === person;
    return !isOwn && (people.some((one) => one.id === person) || mentions.some((id) => seats.has(id)));
  });
  return found?.seq ?? 0;
}

/** Has the mentions of the user fetched again when another comes. */
export function useNewMentions(): void {
  const person = useMe()?.person;
  const last = useMeeting(
    useCallback(
      ({ view }: Snapshot) => (view && person !== undefined ? lastMention(view, person) : null),
      [person],
    ),
  );
  const before = useRef<number | null>(null);
  useEffect(() => {
    if (before.current !== null && last !== null && last > before.current) {
      mentionsChanged();
    }
    before.current = last ?? before.current;
  }, [last]);
}
