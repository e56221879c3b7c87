// What mentions the user at the meeting that is open, told to the rest of the page as soon as it comes.

import { useCallback, useEffect, useRef } from "react";
import { useMe } from "../../api/may";
import { mentionsChanged } from "../../api/mentions";
import { useMeeting } from "../../meeting/hooks";
import type { Snapshot } from "../../meeting/snapshot";
import type { View } from "../../meeting/view";

/** The last event of a meeting that mentions a person, among its last messages; 0 for none. */
export function lastMention({ messages, participants }: View, person: string): number {
  const seats = new Set(
    participants
      .filter(
        ({ participant: { runner } }) =>
          runner.kind === "external" && runner.via === "person" && runner.name === person,
      )
      .map((seat) => seat.participant.id),
  );
  const isOwn = ({ speaker }: View["messages"][number]) =>
    speaker.kind === "participant"
      ? seats.has(speaker.id)
      : speaker.kind === "person" && speaker.id === person;
  const found = messages.findLast(
    (said) =>
      !isOwn(said) &&
      (said.mentioned_people?.some((one) => one.id === person) || said.mentions.some((id) => seats.has(id))),
  );
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
