// A box that does not shrink within a round: what comes and goes in it moves what is below it once at the most.

import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";

/**
 * The box; its height is kept until another `round`, and then as long as somebody is at the panel. Without one it is not kept.
 * What a participant who was removed took, and what lines of another width took, is no measure any more: `seats` is how many
 * are at the table.
 */
export function useGrowOnly<Box extends HTMLElement>(
  round: number | null,
  seats: number,
): RefObject<Box | null> {
  const box = useRef<Box>(null);
  const kept = useRef({ round, seats, width: 0 });
  useLayoutEffect(() => {
    const held = box.current;
    if (!held) {
      return;
    }
    const before = kept.current;
    const width = held.offsetWidth;
    const read = held.closest("[role=tabpanel]")?.matches(":hover, :focus-within");
    const isOver = round === null || (before.round !== round && !read);
    if (isOver || seats < before.seats || width !== before.width) {
      held.style.minHeight = "";
    }
    kept.current = { round: isOver ? round : before.round, seats, width };
    if (round !== null) {
      held.style.minHeight = `${held.offsetHeight}px`;
    }
  });
  useEffect(() => {
    const held = box.current;
    if (!held) {
      return;
    }
    let frame = 0;
    const sizes = new ResizeObserver(() => {
      if (held.offsetWidth === kept.current.width || held.style.minHeight === "") {
        return;
      }
      kept.current.width = held.offsetWidth;
      // Another height within the report of a size would be reported as an endless one.
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => {
        held.style.minHeight = "";
        held.style.minHeight = `${held.offsetHeight}px`;
      });
    });
    sizes.observe(held);
    return () => {
      cancelAnimationFrame(frame);
      sizes.disconnect();
    };
  }, []);
  return box;
}
