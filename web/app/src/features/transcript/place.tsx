// Where the rows of the transcript stand: they go to each other.

import { type ReactNode, useMemo } from "react";
import { type RecordPlace, RecordPlaceProvider } from "../../components/record/place";
import { guest } from "../../components/speaker/people";
import { type Talk, TalkProvider } from "./context";
import { MessageMark } from "./reference-links";

/** Gives rows what they need. */
export function TalkPlace({ talk, children }: { talk: Talk; children: ReactNode }) {
  const { id, people, goTo } = talk;
  const place = useMemo(
    (): RecordPlace => ({
      meeting: id,
      lang: undefined,
      look: (name) => people.list.find((one) => one.name === name) ?? guest(name),
      nameOf: (one) => people.byId.get(one)?.name ?? one,
      Source: MessageMark,
      go: goTo,
    }),
    [id, people, goTo],
  );
  return (
    <TalkProvider value={talk}>
      <RecordPlaceProvider value={place}>{children}</RecordPlaceProvider>
    </TalkProvider>
  );
}
