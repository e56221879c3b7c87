// The layout beside the transcript: the rail and the panel, folded in or out, kept in this browser.

import { useSyncExternalStore } from "react";

/** The visible parts. `rail` and `panel` hold on wide pages; `drawer` is what lies over a narrow one. */
export interface Layout {
  rail: boolean;
  panel: boolean;
  /** The width of the panel. */
  width: number;
  drawer: "rail" | "panel" | null;
}

const KEPT = "quorate.table";
/** The smallest and the largest width of the panel. */
export const PANEL = { least: 320, most: 480 };

function kept(): Layout {
  const blank: Layout = { rail: true, panel: true, width: 352, drawer: null };
  try {
    const read: unknown = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
    if (typeof read !== "object" || read === null) {
      return blank;
    }
    const rail = "rail" in read && typeof read.rail === "boolean" ? read.rail : blank.rail;
    const panel = "panel" in read && typeof read.panel === "boolean" ? read.panel : blank.panel;
    const width = "width" in read && typeof read.width === "number" ? fit(read.width) : blank.width;
    return { rail, panel, width, drawer: null };
  } catch {
    return blank;
  }
}

function fit(width: number): number {
  return Math.min(PANEL.most, Math.max(PANEL.least, Math.round(width)));
}

let now: Layout | undefined;
const listeners = new Set<() => void>();

/** The present layout. */
export function layout(): Layout {
  now ??= kept();
  return now;
}

/** Lays it out otherwise. */
export function lay(change: Partial<Layout>): void {
  const next = { ...layout(), ...change };
  now = { ...next, width: fit(next.width) };
  const { drawer: _, ...lasting } = now;
  localStorage.setItem(KEPT, JSON.stringify(lasting));
  for (const told of listeners) {
    told();
  }
}

/** The present layout, with updates. */
export function useLayout(): Layout {
  return useSyncExternalStore((told) => {
    listeners.add(told);
    return () => listeners.delete(told);
  }, layout);
}

const WIDE = "(min-width: 64rem)";

/** Whether rail and panel have room beside the transcript. */
export function isWide(): boolean {
  return window.matchMedia(WIDE).matches;
}

/** The same, with updates. */
export function useWide(): boolean {
  return useSyncExternalStore((told) => {
    const media = window.matchMedia(WIDE);
    media.addEventListener("change", told);
    return () => media.removeEventListener("change", told);
  }, isWide);
}

/** Shows or hides the rail, in whichever way it is shown. */
export function toggleRail(): void {
  if (isWide()) {
    lay({ rail: !layout().rail });
  } else {
    lay({ drawer: layout().drawer === "rail" ? null : "rail" });
  }
}

/** Shows or hides the panel. */
export function togglePanel(): void {
  if (isWide()) {
    lay({ panel: !layout().panel });
  } else {
    lay({ drawer: layout().drawer === "panel" ? null : "panel" });
  }
}

/** Shows the panel. */
export function showPanel(): void {
  lay(isWide() ? { panel: true } : { drawer: "panel" });
}
