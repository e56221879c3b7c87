// Jumps to an event from anywhere: a request to the store also moves the transcript there.

import type { MeetingSource } from "../../meeting/snapshot";
import { holds } from "../../meeting/window";

/** The callbacks of a jump: before lines are loaded, and after. */
interface Mover {
  leave: () => void;
  arrive: (seq: number) => void;
  /** The lines could not be fetched: all stays as it was. */
  fail: (seq: number) => void;
}

const movers = new Set<Mover>();

/** Registers the transcript for jumps. */
export function onJump(mover: Mover): () => void {
  movers.add(mover);
  return () => movers.delete(mover);
}

/** A store whose `jump` also moves the transcript. */
export function withJumpNotifications<T extends MeetingSource>(store: T): T {
  const fetchAround = store.jump.bind(store);
  store.jump = async (seq) => {
    for (const mover of movers) {
      mover.leave();
    }
    await fetchAround(seq);
    const shown = store.snapshot();
    const failed = shown.problem !== null && !holds(shown, seq);
    for (const mover of movers) {
      mover[failed ? "fail" : "arrive"](seq);
    }
  };
  return store;
}
