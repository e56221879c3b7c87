// Where a record stands: beside the transcript, where a press goes to a message, or on a page of its own, where links lead
// to the meeting.

import { Link } from "@tanstack/react-router";
import { type ComponentType, createContext, type ReactNode, use } from "react";
import type { MeetingId, MessageId, ParticipantId } from "../../api/schema";
import { type SpeakerLook, SpeakerTag } from "../speaker/speaker";

/** What a record knows of the place where it stands. */
export interface RecordPlace {
  meeting: MeetingId;
  /** The language of the meeting. */
  lang: string | undefined;
  /** How a participant is shown, by its name. */
  look: (name: string) => SpeakerLook;
  /** A participant's name, by its id. */
  nameOf: (id: ParticipantId) => string;
  /** The way to a message, under a label of its own or the given one. */
  Source: ComponentType<{ message: MessageId; label?: string }>;
  /** Goes to an event beside it; without it, links lead there. */
  go?: (seq: number) => void;
}

const Place = createContext<RecordPlace | null>(null);

/** Tells the records inside where they stand. */
export const RecordPlaceProvider = Place;

/** Where a record stands. */
export function usePlace(): RecordPlace {
  const place = use(Place);
  if (!place) {
    throw new Error("records need a RecordPlaceProvider around them");
  }
  return place;
}

/** A speaker's mark and name. */
export function Speaker({ name, small }: { name: string; small?: boolean }) {
  return <SpeakerTag speaker={usePlace().look(name)} size={small ? "tiny" : "small"} />;
}

interface EventLinkProps {
  seq: number;
  /** A label for the tooltip and for screen readers, where the text says too little. */
  label?: string;
  className?: string;
  children: ReactNode;
}

/** A way to an event. */
export function EventLink({
  seq,
  label,
  className = "rounded text-left text-calm underline decoration-1 underline-offset-2",
  children,
}: EventLinkProps) {
  const { meeting, go } = usePlace();
  const shared = { title: label, "aria-label": label, className };
  return go ? (
    <button type="button" {...shared} onClick={() => go(seq)}>
      {children}
    </button>
  ) : (
    <Link to="/m/$id" params={{ id: meeting }} search={{ at: seq }} {...shared}>
      {children}
    </Link>
  );
}

/** Links to messages; without one, to the event of the line. */
export function Sources({
  of,
  or,
}: {
  of: readonly MessageId[] | undefined | null;
  or?: { seq: number; text: string } | undefined;
}) {
  const { Source } = usePlace();
  if (of && of.length > 0) {
    return (
      <span className="inline-flex flex-wrap gap-1 align-middle">
        {of.map((message) => (
          <Source key={message} message={message} />
        ))}
      </span>
    );
  }
  return (
    or && (
      <span className="text-meta print:hidden">
        <EventLink seq={or.seq}>{or.text}</EventLink>
      </span>
    )
  );
}
