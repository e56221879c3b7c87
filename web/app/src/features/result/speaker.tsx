// Speakers in a result: reports name participants; their colours and shapes are those of the meeting.

import { createContext, type ReactNode, useContext, useMemo } from "react";
import type { MeetingId, ParticipantId } from "../../api/schema";
import { type Shape, shapeOf } from "../../meeting/names";
import { hueOf } from "../../meeting/speaker-colours";
import type { ServerView } from "../../meeting/view";
import { type SpeakerLook, SpeakerTag } from "../speaker/speaker";

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

/** How the participants are shown, by their names. */
export function useLook(): (name: string) => SpeakerLook {
  const { byName } = useTable();
  return (name) => {
    const one = byName.get(name);
    return { name, hue: one ? hueOf(one.id) : null, shape: one?.shape ?? "circle" };
  };
}

/** A speaker's mark and name. */
export function Speaker({ name, small }: { name: string; small?: boolean }) {
  return <SpeakerTag speaker={useLook()(name)} size={small ? "tiny" : "small"} />;
}
