// Which colour a speaker has: a wheel of twelve hues, given out in the order of joining and kept for the meeting.
import type { ParticipantId } from "../api/schema";

/** The hues of the wheel, in degrees of oklch. */
export const HUES = [25, 55, 85, 130, 160, 190, 220, 250, 280, 310, 340, 0] as const;

/** Neighbouring seats are far apart on the colour wheel; 5 and 12 have no common divisor, so that twelve differ. */
const STRIDE = 5;

/** A speaker's place on the wheel, 0-11. */
function placeOf(id: ParticipantId): number {
  const joined = Number(id.slice(1));
  return Number.isInteger(joined) && joined >= 1 ? ((joined - 1) * STRIDE) % HUES.length : 0;
}

/** A speaker's hue, in degrees of oklch. */
export function hueOf(id: ParticipantId): number {
  return HUES[placeOf(id)] ?? 0;
}
