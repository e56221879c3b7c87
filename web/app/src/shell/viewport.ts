// The height of the page that a keyboard on the screen leaves free. Chromium shrinks the page by itself (`interactive-widget`);
// where a browser lays its keyboard over the page, as Safari does, the page takes the height of what is in sight.

/** A smaller difference is a bar of the browser, not a keyboard. */
const KEYBOARD_PX = 120;

/** Keeps `--page-height` at the height in sight while a keyboard covers a part of the page. */
export function startViewport(): void {
  const viewport = window.visualViewport;
  if (!viewport) {
    return;
  }
  const look = () => {
    const covered = window.innerHeight - viewport.height;
    const { style } = document.documentElement;
    // A page that was zoomed in is in sight in part, too.
    if (covered > KEYBOARD_PX && viewport.scale < 1.01) {
      style.setProperty("--page-height", `${Math.round(viewport.height)}px`);
      // The browser has moved the page up to show the field, which now stands at its foot.
      window.scrollTo(0, 0);
    } else {
      style.removeProperty("--page-height");
    }
  };
  viewport.addEventListener("resize", look);
  viewport.addEventListener("scroll", look);
}
