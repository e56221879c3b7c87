// Avatars of speakers: letters and a shape.
import type { ParticipantId, RunnerSpec } from "../api/schema";
import type { View } from "./view";

/** The shape of an avatar says what kind of speaker it is. */
export type Shape = "circle" | "square" | "hexagon" | "ring";

const segmenter = new Intl.Segmenter();

/** The initials of a name: one Han character (or another wide one), or two letters. */
export function initials(name: string): string {
  const words = name.split(/[\s\-_./·•]+/u).filter((word) => word !== "");
  const [one = [], two = []] = words.map(characters);
  const first = one[0];
  if (first === undefined) return "?";
  if (isWide(first)) return first;
  const second = two[0] ?? one[1];
  const pair = second === undefined || isWide(second) ? first : first + second;
  return pair.toLocaleUpperCase("en");
}

/** The shape for a runner. */
export function shapeOf(runner: RunnerSpec | null): Shape {
  if (runner === null) return "hexagon";
  switch (runner.kind) {
    case "model":
    case "simulated":
      return "circle";
    case "process":
    case "acp":
    case "external":
      return "square";
  }
}

/** The shape of a participant; the moderator's is a ring. */
export function shapeAt(view: View, id: ParticipantId): Shape {
  if (view.moderator.type === "agent" && view.moderator.id === id) return "ring";
  const seat = view.participants.find((one) => one.participant.id === id);
  return shapeOf(seat?.participant.runner ?? null);
}

/** The shape of the facilitator, who has no seat. */
export const FACILITATOR_SHAPE: Shape = "ring";

/** The shape of a person who speaks. */
export const PERSON_SHAPE: Shape = "hexagon";

function characters(word: string): string[] {
  return Array.from(segmenter.segment(word), (one) => one.segment);
}

function isWide(character: string): boolean {
  return /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}]/u.test(
    character,
  );
}
