// Where the records of the side panel stand: beside the transcript, which goes to what is pressed.

import { type ReactNode, useMemo } from "react";
import { nameOf, useTable } from "../../components/meeting-page/context";
import { type RecordPlace, RecordPlaceProvider } from "../../components/record/place";
import { speakerOf } from "../../components/speaker/avatar";
import { Source } from "./sources";

/** Provides the parts of the panel with the meeting and its participants. */
export function PanelPlace({ children }: { children: ReactNode }) {
  const { id, view, jump } = useTable();
  const place = useMemo((): RecordPlace => {
    const ids = new Map(view.participants.map(({ participant }) => [participant.name, participant.id]));
    return {
      meeting: id,
      lang: view.language,
      look: (name) => {
        const one = ids.get(name);
        return one ? speakerOf(view, one) : { name, hue: null, shape: "circle" };
      },
      nameOf: (one) => nameOf(view, one),
      Source,
      go: jump,
    };
  }, [id, view, jump]);
  return <RecordPlaceProvider value={place}>{children}</RecordPlaceProvider>;
}
