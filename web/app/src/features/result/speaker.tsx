// Speakers in a result: reports name participants; their colours and shapes are those of the meeting.

import { type CSSProperties, createContext, type ReactNode, useContext, useMemo } from "react";
import type { MeetingId, ParticipantId } from "../../api/schema";
import { initials, type Shape, shapeOf } from "../../meeting/names";
import { hueOf } from "../../meeting/speaker-colours";
import type { ServerView } from "../../meeting/view";
import { cx } from "../../ui/classes";

interface Someone {
  id: ParticipantId;
  name: string;
  shape: Shape;
}

interface Known {
  meeting: MeetingId;
  lang: string;
  byName: ReadonlyMap<string, Someone>;
  byId: ReadonlyMap<string, Someone>;
}

const Table = createContext<Known>({ meeting: "", lang: "zh", byName: new Map(), byId: new Map() });

/** Provides its children with the meeting and its participants. */
export function TableOf({
  meeting,
  view,
  children,
}: {
  meeting: MeetingId;
  view: ServerView | undefined;
  children: ReactNode;
}) {
  const known = useMemo(() => {
    const all = (view?.participants ?? []).map(({ participant }) => ({
      id: participant.id,
      name: participant.name,
      shape: shapeOf(participant.runner ?? null),
    }));
    return {
      meeting,
      lang: view?.language ?? "zh",
      byName: new Map(all.map((one) => [one.name, one])),
      byId: new Map(all.map((one) => [one.id, one])),
    };
  }, [meeting, view]);
  return <Table value={known}>{children}</Table>;
}

/** Which meeting is shown, and who sat there. */
export function useTable(): Known {
  return useContext(Table);
}

const SHAPE: Record<Shape, string> = {
  circle: "rounded-full",
  square: "rounded-[5px]",
  ring: "rounded-full ring-2 ring-voice-line ring-inset",
  hexagon: "[clip-path:polygon(25%_4%,75%_4%,100%_50%,75%_96%,25%_96%,0_50%)]",
};

/** The colours of a speaker, for the elements inside. */
export function speakerStyle(id: ParticipantId | undefined): CSSProperties {
  return id === undefined ? {} : ({ "--hue": hueOf(id) } as CSSProperties);
}

/** A speaker's mark: one or two letters in its shape and colour. */
export function SpeakerAvatar({ name, small }: { name: string; small?: boolean }) {
  const one = useTable().byName.get(name);
  return (
    <span
      aria-hidden
      style={speakerStyle(one?.id)}
      className={cx(
        "inline-flex shrink-0 items-center justify-center font-semibold leading-none select-none",
        small ? "size-4.5 text-[0.625rem]" : "size-6 text-meta",
        one
          ? cx("voice bg-voice-fill text-voice-ink", SHAPE[one.shape])
          : "rounded-full bg-sunken text-ink-2",
      )}
    >
      {initials(name)}
    </span>
  );
}

/** A speaker's mark and name. */
export function Speaker({ name, small, className }: { name: string; small?: boolean; className?: string }) {
  const one = useTable().byName.get(name);
  return (
    <span
      style={speakerStyle(one?.id)}
      className={cx("inline-flex min-w-0 items-center gap-1.5 align-middle", one && "voice", className)}
    >
      <SpeakerAvatar name={name} small={small} />
      <span className={cx("min-w-0 font-medium", one ? "text-voice-name" : "text-ink")}>{name}</span>
    </span>
  );
}
