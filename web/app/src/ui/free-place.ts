// A place on the page where a small sheet covers nothing that can be pressed.

/** A rectangle on the screen, in pixels. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

const STEP_PX = 24;
const GAP_PX = 8;
const CONTROLS = "a[href], button, input, textarea, select, summary, [role=tab], [role=radio], [role=switch]";

/**
 * The first of the places that covers none of the obstacles; else the one that covers the least of them. They are looked
 * through from the first column on, each from its `bottom` up to its `top`.
 */
export function freePlace(
  size: Pick<Box, "width" | "height">,
  columns: readonly { left: number; bottom: number; top: number }[],
  obstacles: readonly Box[],
): { left: number; top: number } {
  let best = { left: 0, top: 0, covered: Number.POSITIVE_INFINITY };
  for (const { left, bottom, top: highest } of columns) {
    for (let top = bottom - size.height; top >= highest; top -= STEP_PX) {
      const covered = obstacles.reduce((sum, one) => sum + shared({ left, top, ...size }, one), 0);
      if (covered < best.covered) {
        best = { left, top, covered };
      }
      if (covered === 0) {
        return { left, top };
      }
    }
  }
  return { left: best.left, top: best.top };
}

/**
 * Where a sheet stands at an edge of what one reads and covers no control: right below the head of the page, else right above
 * its foot, else as near to one of them as can be.
 */
export function edgePlace(sheet: HTMLElement, leftPx: number): number {
  const edges = (side: "top" | "bottom") =>
    [...document.querySelectorAll(`[data-edge=${side}]`)]
      .map((one) => one.getBoundingClientRect())
      .filter((box) => box.height > 0);
  const head = Math.max(0, ...edges("top").map((box) => box.bottom)) + GAP_PX;
  const foot = Math.min(innerHeight, ...edges("bottom").map((box) => box.top)) - GAP_PX;
  const { offsetWidth: width, offsetHeight: height } = sheet;
  const at = (top: number) => ({ left: leftPx, top, bottom: top + height });
  const steps = Math.max(0, Math.floor((foot - height - head) / STEP_PX / 2));
  const places = Array.from({ length: steps + 1 }, (_, n) => n * STEP_PX);
  const columns = places.flatMap((px) => [at(head + px), at(foot - height - px)]);
  return freePlace({ width, height }, columns, controlsBeside(sheet)).top;
}

/** The area that a sheet, with a gap around it, shares with a rectangle. */
function shared(sheet: Box, one: Box): number {
  const width =
    Math.min(sheet.left + sheet.width + GAP_PX, one.left + one.width) -
    Math.max(sheet.left - GAP_PX, one.left);
  const height =
    Math.min(sheet.top + sheet.height + GAP_PX, one.top + one.height) - Math.max(sheet.top - GAP_PX, one.top);
  return Math.max(0, width) * Math.max(0, height);
}

/** What can be pressed outside of `sheet`; while a window is open, in it alone. */
export function controlsBeside(sheet: Element): Box[] {
  const windows = document.querySelectorAll("[role=dialog], [role=alertdialog]");
  const within = windows.item(windows.length - 1) ?? document.body;
  return [...within.querySelectorAll(CONTROLS)].flatMap((one) => {
    const box = one.getBoundingClientRect();
    return sheet.contains(one) || box.width === 0 || !isSeen(one, box, sheet) ? [] : [box];
  });
}

/** Whether a control is in sight: not scrolled away, and under nothing but the sheet. */
function isSeen(control: Element, { left, top, width, height }: Box, sheet: Element): boolean {
  const there = document.elementsFromPoint(left + width / 2, top + height / 2);
  const upper = there.find((one) => !sheet.contains(one));
  return upper !== undefined && (control.contains(upper) || upper.contains(control));
}
