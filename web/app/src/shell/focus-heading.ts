// After a step to another page the focus is on its heading, so that a screen reader begins there and Tab goes on from there.

import { useEffect, useRef } from "react";

/** How long a page may take to show its heading. */
const PATIENCE_MS = 8_000;

/** The main heading: of the part of a page that was chosen, else of the page. */
function heading(): HTMLElement | null {
  const part = document.querySelector("#main [data-chosen-part]");
  return part ? part.querySelector("h1, h2") : document.querySelector("#main h1");
}

/** Moves the focus to the heading as soon as it is there, unless the page or the user puts it elsewhere first. */
function focusHeading(): () => void {
  const before = document.activeElement;
  const attempt = (): boolean => {
    const now = document.activeElement;
    const moved = now !== before && now !== document.body && now !== null;
    if (moved || now?.matches("#main :is(input, textarea)")) {
      return true;
    }
    const found = heading();
    if (!found) {
      return false;
    }
    found.tabIndex = -1;
    found.focus({ preventScroll: true });
    return true;
  };
  if (attempt()) {
    return () => {};
  }
  const watch = new MutationObserver(() => {
    if (attempt()) {
      stop();
    }
  });
  watch.observe(document.getElementById("main") ?? document.body, { childList: true, subtree: true });
  const timer = setTimeout(() => stop(), PATIENCE_MS);
  const stop = () => {
    clearTimeout(timer);
    watch.disconnect();
  };
  return stop;
}

/** Does so after each change of the path; the first page leaves the focus where the browser has it. */
export function useHeadingFocus(path: string): void {
  const last = useRef(path);
  useEffect(() => {
    if (last.current === path) {
      return;
    }
    last.current = path;
    return focusHeading();
  }, [path]);
}
