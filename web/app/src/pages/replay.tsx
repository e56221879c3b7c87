// A meeting once more, from its log and without models: the same table, and what moves it.

import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { MeetingProvider } from "../meeting/hooks";
import { ReplayFrame } from "../parts/replay/frame";
import { replayFrom } from "../parts/replay/store";
import { withJumpNotifications } from "../parts/transcript/jump";

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
