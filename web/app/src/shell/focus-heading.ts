// After a step to another page the focus is on its heading, so that a screen reader begins there and Tab goes on from there.

/** How long a page may take to show its heading. */
const TIMEOUT_MS = 8_000;

/** The main heading: of the part of a page that was chosen, else of the page. */
function heading(): HTMLElement | null {
  const part = document.querySelector("#main [data-chosen-part]");
  return part ? part.querySelector("h1, h2") : document.querySelector("#main h1");
}

/**
 * Moves the focus to the heading as soon as it is there, unless the page or the user puts it elsewhere first. `before`: what
 * had it as the step began.
 */
export function focusHeading(before: Element | null): () => void {
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
  const timer = setTimeout(() => stop(), TIMEOUT_MS);
  const stop = () => {
    clearTimeout(timer);
    watch.disconnect();
  };
  return stop;
}
