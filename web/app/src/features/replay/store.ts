// A replay that begins where it was asked to, or where the talk begins.

import { replayedMeeting } from "../../meeting/open-replay";
import type { ReplayStore } from "../../meeting/replay";

/**
 * A replay of a meeting, shown first after the event `at`; without one, at the first turn. Until `begun` was
 * called, the store does not show the requested position.
 */
export function replayFrom(id: string, at: number | undefined, begun: () => void): ReplayStore {
  const store = replayedMeeting(id);
  const open = store.open.bind(store);
  let times = 0;
  store.open = async () => {
    times += 1;
    const own = times;
    await open();
    const { status, view } = store.snapshot();
    if (own === times && status === "ready") {
      await store.seek(at ?? view?.rounds[0]?.seq ?? 1);
    }
    if (own === times) {
      begun();
    }
  };
  return store;
}
