// The layout beside the transcript: the list of participants and the panel, folded in or out, kept in this browser.

import { useSyncExternalStore } from "react";
import { Store, useStore } from "../../store/store";

/**
 * The visible parts. `participants` and `panel` hold on wide pages; `drawer` is what lies over a narrow one, and on a phone
 * the view in the place of the transcript.
 */
interface Layout {
  participants: boolean;
  panel: boolean;
  /** The width of the panel. */
  width: number;
  drawer: "participants" | "panel" | null;
}

const KEPT = "quorate.table";
/** The smallest and the largest width of the panel. */
export const PANEL = { least: 320, most: 480 };

function kept(): Layout {
  const blank: Layout = { participants: true, panel: true, width: 352, drawer: null };
  try {
    const read: unknown = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
    if (typeof read !== "object" || read === null) {
      return blank;
    }
    const participants =
      "participants" in read && typeof read.participants === "boolean"
        ? read.participants
        : blank.participants;
    const panel = "panel" in read && typeof read.panel === "boolean" ? read.panel : blank.panel;
    const width = "width" in read && typeof read.width === "number" ? fit(read.width) : blank.width;
    return { participants, panel, width, drawer: null };
  } catch {
    return blank;
  }
}

function fit(width: number): number {
  return Math.min(PANEL.most, Math.max(PANEL.least, Math.round(width)));
}

const now = new Store(kept());

/** The present layout. */
export const layout = now.get;

/** Lays it out otherwise. */
export function changeLayout(change: Partial<Layout>): void {
  const next = { ...layout(), ...change };
  const { drawer, ...lasting } = { ...next, width: fit(next.width) };
  localStorage.setItem(KEPT, JSON.stringify(lasting));
  now.set({ ...lasting, drawer });
}

/** The present layout, with updates. */
export function useLayout(): Layout {
  return useStore(now);
}

const WIDE = "(min-width: 64rem)";

const PHONE = "(max-width: 47.99rem)";

const onMedia = (query: string) => (told: () => void) => {
  const media = window.matchMedia(query);
  media.addEventListener("change", told);
  return () => media.removeEventListener("change", told);
};
const onWide = onMedia(WIDE);
const onPhone = onMedia(PHONE);

/** Whether participants and panel have room beside the transcript. */
export function isWide(): boolean {
  return window.matchMedia(WIDE).matches;
}

/** The same, with updates. */
export function useWide(): boolean {
  return useSyncExternalStore(onWide, isWide);
}

/** Whether there is room for one view at a time, which the bar at the foot of the page chooses. */
export function usePhone(): boolean {
  return useSyncExternalStore(onPhone, () => window.matchMedia(PHONE).matches);
}

/** Whether another view stands in the place of the transcript. */
export function useTranscriptCovered(): boolean {
  const { drawer } = useLayout();
  return usePhone() && drawer !== null;
}

/** Shows or hides the list of participants, in whichever way it is shown. */
export function toggleParticipants(): void {
  if (isWide()) {
    changeLayout({ participants: !layout().participants });
  } else {
    changeLayout({ drawer: layout().drawer === "participants" ? null : "participants" });
  }
}

/** Shows or hides the panel. */
export function togglePanel(): void {
  if (isWide()) {
    changeLayout({ panel: !layout().panel });
  } else {
    changeLayout({ drawer: layout().drawer === "panel" ? null : "panel" });
  }
}

/** Shows the panel. */
export function showPanel(): void {
  changeLayout(isWide() ? { panel: true } : { drawer: "panel" });
}
