// A meeting once more, from its log and without models: the same table, and what moves it.

import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { ReplayFrame } from "../features/replay/frame";
import { replayFrom } from "../features/replay/store";
import { withJumpNotifications } from "../features/transcript/jump";
import { MeetingProvider } from "../meeting/hooks";

const route = getRouteApi("/m/$id/replay");

export default function ReplayPage() {
  const { id } = route.useParams();
  const { at } = route.useSearch();
  return <Replayed key={id} id={id} at={at} />;
}

function Replayed({ id, at }: { id: string; at: number | undefined }) {
  // Where it begins is asked for once; from then on the address follows the replay.
  const [begun, setBegun] = useState(false);
  const [store] = useState(() => withJumpNotifications(replayFrom(id, at, () => setBegun(true))));
  return (
    <MeetingProvider store={store}>
      <ReplayFrame id={id} begun={begun} />
    </MeetingProvider>
  );
}
