// A window on the lines of a meeting: contiguous, and moved page by page.
import type { Event } from "../api/schema";
import type { LogPage, MeetingApi } from "./source";
import { TRANSCRIPT_TYPES } from "./transcript-events";

/** Lines without a hole between them, the oldest first. */
export interface LineWindow {
  lines: readonly Event[];
  hasOlder: boolean;
  hasNewer: boolean;
}

/** The number of lines that are fetched at a time. */
const PAGE = 200;

/** A window with nothing in it, at the end. */
export const EMPTY: LineWindow = { lines: [], hasOlder: false, hasNewer: false };

/** The last lines, those before an event when one is named. */
export async function lastLines(api: MeetingApi, id: string, before?: number): Promise<LineWindow> {
  const page = await api.log(id, { ...told("desc", PAGE), ...(before === undefined ? {} : { before }) });
  return { lines: page.events.toReversed(), hasOlder: page.more, hasNewer: false };
}

/** The lines around an event. */
export async function linesAround(api: MeetingApi, id: string, seq: number): Promise<LineWindow> {
  const [before, after] = await Promise.all([
    api.log(id, { ...told("desc", PAGE / 2), before: seq + 1 }),
    api.log(id, { ...told("asc", PAGE / 2), after: seq }),
  ]);
  const lines = [...before.events.toReversed(), ...after.events];
  return { lines, hasOlder: before.more, hasNewer: after.more };
}

/** The window with the lines before it. */
export async function withOlder(api: MeetingApi, id: string, window: LineWindow): Promise<LineWindow> {
  const first = window.lines[0];
  if (!first) return { ...window, hasOlder: false };
  const page = await api.log(id, { ...told("desc", PAGE), before: first.seq });
  return { ...window, lines: [...page.events.toReversed(), ...window.lines], hasOlder: page.more };
}

/** The window with the lines after it. */
export async function withNewer(api: MeetingApi, id: string, window: LineWindow): Promise<LineWindow> {
  const page: LogPage = await api.log(id, { ...told("asc", PAGE), after: window.lines.at(-1)?.seq ?? 0 });
  return { ...window, lines: [...window.lines, ...page.events], hasNewer: page.more };
}

/** The window with lines that follow; those that it has are passed over. */
export function appended(window: LineWindow, lines: readonly Event[]): LineWindow {
  const last = window.lines.at(-1)?.seq ?? 0;
  const added = lines.filter((line) => line.seq > last);
  return added.length > 0 ? { ...window, lines: [...window.lines, ...added] } : window;
}

/** Whether an event lies within the window. */
export function holds(window: LineWindow, seq: number): boolean {
  const [first, last] = [window.lines[0], window.lines.at(-1)];
  if (!first || !last) return !window.hasOlder && !window.hasNewer;
  return (first.seq <= seq || !window.hasOlder) && (seq <= last.seq || !window.hasNewer);
}

function told(order: "asc" | "desc", limit: number) {
  return { order, limit, types: TRANSCRIPT_TYPES };
}
