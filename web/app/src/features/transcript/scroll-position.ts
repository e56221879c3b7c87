// The position of the transcript: following at its end, or somewhere above; and the way there and back.

import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "../../i18n";
import { useMeeting, useMeetingStore } from "../../meeting/hooks";
import { notify } from "../../ui/toast";
import { onJump } from "./jump";
import { END_SEQ, estimatedHeight, indexOf, isRowOf, type Row } from "./rows";

/** The distance in pixels that counts as the end. */
const AT_END_PX = 8;
const NEAR_END_PX = 60;
/** How long after a touch the list is not moved by the page. */
const LIFT_MS = 250;
/** The number of rows to the edge of the window from which on more are loaded. */
const EDGE_ROWS = 8;
const MARKED_MS = 2_400;
/** The keys with which a reader scrolls. */
const UP_KEYS = ["PageUp", "ArrowUp", "Home"];
const DOWN_KEYS = ["PageDown", "ArrowDown", "End", " "];

/** A list that keeps its place, and what moves it. */
export function useScroll(rows: readonly Row[], scroller: RefObject<HTMLDivElement | null>, begin?: number) {
  const { t } = useTranslation();
  const store = useMeetingStore();
  const hasOlder = useMeeting((shown) => shown.hasOlder);
  const hasNewer = useMeeting((shown) => shown.hasNewer);
  const fetching = useMeeting((shown) => shown.fetching);
  const [atEnd, setAtEnd] = useState(true);
  const [marked, setMarked] = useState<string | null>(null);
  const [trail, setTrail] = useState<readonly number[]>([]);
  const [target, setTarget] = useState<{ seq: number } | null>(null);
  /** The event that was to be shown and could not be fetched. */
  const [missed, setMissed] = useState<number | null>(null);
  const latest = useRef(rows);
  latest.current = rows;

  // A page that is fetched at the lower edge is read from there on; only what is live is followed.
  const hadNewer = useRef(hasNewer);
  const follow = !hasNewer && !hadNewer.current;
  // Who jumped to a row stays there until they scroll: also when the list was short for a moment, and so at its end.
  const held = useRef(false);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => estimatedHeight(rows[index]),
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 6,
    anchorTo: "end",
    followOnAppend: follow && !held.current,
    scrollEndThreshold: AT_END_PX,
    paddingEnd: 16,
  });
  const items = list.getVirtualItems();
  useEffect(() => {
    hadNewer.current = hasNewer;
  }, [hasNewer]);

  const topSeq = useCallback(() => {
    const first = list.getVirtualItemForOffset(list.scrollOffset ?? 0);
    return latest.current[first?.index ?? 0]?.seq ?? 0;
  }, [list]);

  // A reader at the end stays there until they scroll up or jump elsewhere.
  const stays = useRef(begin === undefined);
  const place = useRef(0);
  const room = useRef(0);
  // The end, or the event that the address names, once there is something.
  const begun = useRef(false);
  useLayoutEffect(() => {
    if (begun.current || rows.length === 0) {
      return;
    }
    begun.current = true;
    if (begin === undefined) {
      list.scrollToEnd();
    } else {
      void store.jump(begin);
    }
  }, [rows.length, begin, list, store]);

  // Another address of the same meeting: another place in it.
  const named = useRef(begin);
  useEffect(() => {
    if (begin !== undefined && begin !== named.current) {
      void store.jump(begin);
    }
    named.current = begin;
  }, [begin, store]);

  useEffect(
    () =>
      onJump({
        leave: () => {
          const from = stays.current ? END_SEQ : topSeq();
          setTrail((now) => [...now.slice(-19), from]);
        },
        arrive: (seq) => {
          setMissed(null);
          setTarget({ seq });
        },
        fail: (seq) => {
          setTrail((now) => now.slice(0, -1));
          setMissed(seq);
        },
      }),
    [topSeq],
  );

  useLayoutEffect(() => {
    if (!target) {
      return;
    }
    const index = indexOf(latest.current, target.seq);
    const row = latest.current[index];
    if (!row) {
      return;
    }
    stays.current = false;
    held.current = true;
    list.scrollToIndex(index, { align: "start" });
    if (!isRowOf(row, target.seq)) {
      // A round begins between rows; every other target has a row, or is not shown.
      const begins = store.snapshot().view?.rounds.some((round) => round.seq === target.seq);
      if (!begins) {
        notify({ text: t("talk.not_shown") });
      }
      // Said once, also when the language of the page changes.
      setTarget(null);
      return;
    }
    setMarked(row.key);
    const timer = setTimeout(() => setMarked(null), MARKED_MS);
    return () => clearTimeout(timer);
  }, [target, list, store, t]);

  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  useEffect(() => {
    if (!begun.current || fetching) {
      return;
    }
    // At the end there is nothing to be read above, unless it does not fill the page.
    const full = list.getTotalSize() > 1.5 * (scroller.current?.clientHeight ?? 0);
    if (hasOlder && first <= EDGE_ROWS && !(stays.current && full)) {
      void store.older();
    } else if (hasNewer && last >= rows.length - EDGE_ROWS) {
      void store.newer();
    }
  }, [store, list, scroller, first, last, rows.length, hasOlder, hasNewer, fetching]);

  const look = useCallback(() => {
    // A list that shrinks moves up as well, and is at its end then. One whose room changes is moved by nobody.
    const { scrollTop: top = 0, scrollHeight = 0, clientHeight = 0 } = scroller.current ?? {};
    const left = scrollHeight - clientHeight - top;
    const wentUp = clientHeight === room.current && top < place.current - 1 && left > NEAR_END_PX;
    place.current = top;
    room.current = clientHeight;
    const resting = performance.now() - lifted.current > LIFT_MS;
    stays.current = resting && !held.current && (left <= AT_END_PX || (stays.current && !wentUp));
    setAtEnd(stays.current);
    store.setAtEnd(stays.current);
  }, [store, scroller]);

  // A touch that lifts the list is handled before the scroll event, while new text arrives.
  const lifted = useRef(0);
  useEffect(() => {
    const box = scroller.current;
    const release = () => {
      held.current = false;
    };
    const lift = () => {
      if (box && box.scrollTop > 0) {
        stays.current = false;
        lifted.current = performance.now();
      }
    };
    const wheel = (event: WheelEvent) => {
      release();
      if (event.deltaY < 0) {
        lift();
      }
    };
    const touch = () => {
      release();
      lift();
    };
    const key = (event: KeyboardEvent) => {
      if (UP_KEYS.includes(event.key)) {
        release();
        lift();
      } else if (DOWN_KEYS.includes(event.key)) {
        release();
      }
    };
    // Its scroll bar, which is no part of what is in it.
    const press = (event: PointerEvent) => event.target === box && release();
    box?.addEventListener("wheel", wheel, { passive: true });
    box?.addEventListener("touchmove", touch, { passive: true });
    box?.addEventListener("keydown", key);
    box?.addEventListener("pointerdown", press);
    return () => {
      box?.removeEventListener("wheel", wheel);
      box?.removeEventListener("touchmove", touch);
      box?.removeEventListener("keydown", key);
      box?.removeEventListener("pointerdown", press);
    };
  }, [scroller]);

  const height = list.getTotalSize();
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows that grow or come move the end
  useLayoutEffect(() => {
    if (stays.current && !hasNewer && begun.current && !list.isAtEnd(1)) {
      list.scrollToEnd();
    }
  }, [list, height, rows, hasNewer]);

  // The form of a turn takes its room from the list, and gives it back.
  useEffect(() => {
    const box = scroller.current;
    if (!box) {
      return;
    }
    const sized = new ResizeObserver(() => {
      if (stays.current && !hasNewer && begun.current) {
        box.scrollTop = box.scrollHeight;
      }
    });
    sized.observe(box);
    return () => sized.disconnect();
  }, [scroller, hasNewer]);

  const toEnd = useCallback(async () => {
    setTrail([]);
    held.current = false;
    stays.current = true;
    await store.toEnd();
    list.scrollToEnd();
  }, [store, list]);

  const back = useCallback(async () => {
    const to = trail.at(-1);
    if (to === undefined) {
      return;
    }
    // Work in progress is at the end.
    await (to === END_SEQ ? toEnd() : store.jump(to));
    setTrail(trail.slice(0, -1));
  }, [trail, store, toEnd]);
  const again = useCallback(() => (missed === null ? store.older() : store.jump(missed)), [missed, store]);

  return {
    list,
    items,
    atEnd: atEnd && !hasNewer,
    look,
    marked,
    goBack: trail.length > 0 ? back : null,
    toEnd,
    /** Fetches again what could not be fetched. */
    again,
    topSeq,
  };
}
