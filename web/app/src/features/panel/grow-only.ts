// A box that does not shrink within a round: what comes and goes in it moves what is below it once at the most.

import { type RefObject, useLayoutEffect, useRef } from "react";

/** The box; its height is kept until another `round`, and then as long as somebody is at the panel. Without one it is not kept. */
export function useGrowOnly<Box extends HTMLElement>(round: number | null): RefObject<Box | null> {
  const box = useRef<Box>(null);
  const keptIn = useRef(round);
  useLayoutEffect(() => {
    const held = box.current;
    if (!held) {
      return;
    }
    const read = held.closest("[role=tabpanel]")?.matches(":hover, :focus-within");
    if (round === null || (keptIn.current !== round && !read)) {
      held.style.minHeight = "";
      keptIn.current = round;
    }
    if (round !== null) {
      held.style.minHeight = `${held.offsetHeight}px`;
    }
  });
  return box;
}
