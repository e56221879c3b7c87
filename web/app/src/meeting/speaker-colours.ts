// Which colour a speaker has: a wheel of twelve hues, given out in the order of joining and kept for the meeting.
import type { ParticipantId } from "../api/schema";

/** The hues of the wheel, in degrees of oklch. */
export const HUES = [25, 55, 85, 130, 160, 190, 220, 250, 280, 310, 340, 0] as const;

/** Neighbouring seats are far apart on the colour wheel; 5 and 12 have no common divisor, so that twelve differ. */
const STRIDE = 5;

/** Marks for charts and other places where a colour alone would not do. */
export const DASHES = ["", "6 3", "2 3", "8 3 2 3"] as const;

/** A speaker's place on the wheel, 0-11. */
export function placeOf(id: ParticipantId): number {
  const joined = Number(id.slice(1));
  return Number.isInteger(joined) && joined >= 1 ? ((joined - 1) * STRIDE) % HUES.length : 0;
}

/** A speaker's hue, in degrees of oklch. */
export function hueOf(id: ParticipantId): number {
  return HUES[placeOf(id)] ?? 0;
}

/** A speaker's dash pattern in a chart. Speakers of equal hue have different ones. */
export function dashOf(id: ParticipantId): string {
  const joined = Math.max(1, Number(id.slice(1)) || 1) - 1;
  const lap = Math.floor(joined / HUES.length);
  return DASHES[(joined + lap) % DASHES.length] ?? "";
}
