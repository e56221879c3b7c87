// Where the records of a result stand: reports name participants, whose colours and shapes are those of the meeting.

import { type ReactNode, useMemo } from "react";
import type { MeetingId } from "../../api/schema";
import { type RecordPlace, RecordPlaceProvider } from "../../components/record/place";
import { shapeOf } from "../../meeting/names";
import { hueOf } from "../../meeting/speaker-colours";
import type { ServerView } from "../../meeting/view";
import { SourceLink } from "./source-link";

/** Provides its children with the meeting and its participants. */
export function ResultPlace({
  meeting,
  view,
  children,
}: {
  meeting: MeetingId;
  view: ServerView | undefined;
  children: ReactNode;
}) {
  const place = useMemo((): RecordPlace => {
    const all = (view?.participants ?? []).map(({ participant }) => participant);
    const byName = new Map(all.map((one) => [one.name, one]));
    const names = new Map(all.map((one) => [one.id, one.name]));
    return {
      meeting,
      lang: view?.language ?? "zh",
      look: (name) => {
        const one = byName.get(name);
        return { name, hue: one ? hueOf(one.id) : null, shape: one ? shapeOf(one.runner ?? null) : "circle" };
      },
      nameOf: (id) => names.get(id) ?? id,
      Source: SourceLink,
    };
  }, [meeting, view]);
  return <RecordPlaceProvider value={place}>{children}</RecordPlaceProvider>;
}
