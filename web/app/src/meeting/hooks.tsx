// A meeting's store for components: they take what they need, and are rendered again when that has changed.
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useSyncExternalStore,
} from "react";
import type { PartialAnswer } from "./partial-answers";
import type { ReplaySnapshot, ReplayStore } from "./replay";
import type { MeetingSource, Snapshot } from "./snapshot";

const Context = createContext<MeetingSource | null>(null);

/** Opens a meeting's store for what is inside, and closes it when that goes. */
export function MeetingProvider({ store, children }: { store: MeetingSource; children: ReactNode }) {
  useEffect(() => {
    void store.open();
    return () => store.close();
  }, [store]);
  return <Context value={store}>{children}</Context>;
}

/** The store, to act on it. */
export function useMeetingStore(): MeetingSource {
  const store = useContext(Context);
  if (!store) throw new Error("useMeetingStore needs a MeetingProvider around it");
  return store;
}

/** A part of what the meeting shows. A selector that makes new objects needs an `equal` that compares them. */
export function useMeeting<T>(
  select: (snapshot: Snapshot) => T,
  equal: (a: T, b: T) => boolean = Object.is,
): T {
  const store = useMeetingStore();
  return useSelected(store.subscribe, store.snapshot, select, equal);
}

/** Whether a meeting is shown as it was. */
export function isReplay(store: MeetingSource): store is ReplayStore {
  return store.isReplay === true;
}

/** A part of what a replay shows; null where the meeting is live. */
export function useReplay<T>(
  select: (snapshot: ReplaySnapshot) => T,
  equal: (a: T, b: T) => boolean = Object.is,
) {
  const store = useMeetingStore();
  const replay = isReplay(store) ? store : null;
  const value = useSelected(
    store.subscribe,
    useCallback(() => replay?.snapshot() ?? null, [replay]),
    useCallback((shown: ReplaySnapshot | null) => (shown ? select(shown) : null), [select]),
    useCallback((a: T | null, b: T | null) => a === b || (a !== null && b !== null && equal(a, b)), [equal]),
  );
  return replay ? { store: replay, value } : null;
}

/** An answer that is being written; undefined when there is none. */
export function usePartial(task: string): PartialAnswer | undefined {
  return useMeeting(useCallback((snapshot: Snapshot) => snapshot.partials.get(task), [task]));
}

/** Selects a part of a store's snapshot. Equal values keep their identity. */
function useSelected<S, T>(
  subscribe: (listener: () => void) => () => void,
  snapshot: () => S,
  select: (snapshot: S) => T,
  equal: (a: T, b: T) => boolean,
): T {
  const held = useRef<{ value: T } | null>(null);
  const read = useMemo(() => {
    let last: { snapshot: S; value: T } | null = null;
    return () => {
      const now = snapshot();
      if (last && Object.is(last.snapshot, now)) return last.value;
      const value = select(now);
      const before = last ?? held.current;
      const kept = before && equal(before.value, value) ? before.value : value;
      last = { snapshot: now, value: kept };
      return kept;
    };
  }, [snapshot, select, equal]);
  const value = useSyncExternalStore(subscribe, read);
  useEffect(() => {
    held.current = { value };
  }, [value]);
  return value;
}
