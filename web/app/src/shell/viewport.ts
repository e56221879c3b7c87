// The height of the page that a keyboard on the screen leaves free. Chromium shrinks the page by itself (`interactive-widget`);
// where a browser lays its keyboard over the page, as Safari does, the page takes the height of what is in sight.

/** A smaller difference is a bar of the browser, not a keyboard. */
const KEYBOARD_PX = 120;

/** Keeps `--page-height` at the height in sight while a keyboard covers a part of the page, and `data-keyboard` while one is
 * open: what is not needed for writing gives way then. */
export function startViewport(): void {
  const viewport = window.visualViewport;
  if (!viewport) {
    return;
  }
  const tallest = new Map<number, number>();
  const look = () => {
    const { innerWidth: width, innerHeight: height } = window;
    const { style } = document.documentElement;
    const most = Math.max(height, tallest.get(width) ?? 0);
    tallest.set(width, most);
    // A page that was zoomed in is in sight in part, too.
    const covered = height - viewport.height > KEYBOARD_PX && viewport.scale < 1.01;
    const shrunk = most - height > KEYBOARD_PX && document.activeElement?.matches("input, textarea") === true;
    const opens = !document.documentElement.hasAttribute("data-keyboard") && (covered || shrunk);
    document.documentElement.toggleAttribute("data-keyboard", covered || shrunk);
    if (covered) {
      style.setProperty("--page-height", `${Math.round(viewport.height)}px`);
      // The browser has moved the page up to show the field, which now stands at its foot.
      window.scrollTo(0, 0);
    } else {
      style.removeProperty("--page-height");
    }
    if (opens) {
      document.activeElement?.scrollIntoView?.({ block: "nearest" });
    }
  };
  look();
  viewport.addEventListener("resize", look);
  viewport.addEventListener("scroll", look);
}
