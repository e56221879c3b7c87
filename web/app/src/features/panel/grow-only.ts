// A box that never shrinks while a meeting goes on: what comes and goes in it moves what is below at most once.

import { type RefObject, useLayoutEffect, useRef } from "react";

/** The box; its height is kept after each change as long as it `holds`. */
export function useGrowOnly<Box extends HTMLElement>(holds: boolean): RefObject<Box | null> {
  const box = useRef<Box>(null);
  useLayoutEffect(() => {
    if (box.current) {
      box.current.style.minHeight = holds ? `${box.current.offsetHeight}px` : "";
    }
  });
  return box;
}
