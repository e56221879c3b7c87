// Allowed values of fields with a fixed set of choices; the compiler checks them against the interface, both ways.

import type {
  ArtifactKind,
  Effort,
  Format,
  MeetingState,
  SpeakingLength,
  Style,
  Temperament,
} from "./schema";

/** The formats, in the order in which the server offers them. */
export const FORMATS = [
  "consensus",
  "discussion",
  "decision",
  "room",
  "brainstorm",
] as const satisfies readonly Format[];

/** The artifacts that a meeting can be asked for. */
export const ARTIFACTS = [
  "ADR",
  "TASKS",
  "RISKS",
  "MINUTES",
  "SUMMARY",
] as const satisfies readonly ArtifactKind[];

/** The styles of a discussion. */
export const STYLES = ["formal", "casual", "debate"] as const satisfies readonly Style[];

/** The speaking lengths. */
export const LENGTHS = ["brief", "moderate", "detailed"] as const satisfies readonly SpeakingLength[];

/** The states in which a meeting makes progress by itself. */
export const RUNNING: readonly MeetingState[] = ["preparation", "discussion", "ballot", "closing"];

/** The temperaments of simulated participants. */
export const TEMPERAMENTS = [
  "balanced",
  "agreeable",
  "stubborn",
  "copycat",
  "verbose",
  "silent",
  "slow",
  "flaky",
  "malformed",
  "injecting",
] as const satisfies readonly Temperament[];

/** The thinking efforts of a model. */
export const EFFORTS = ["none", "low", "medium", "high"] as const satisfies readonly Effort[];

/** A list that names every value of a type. */
type Whole<T, List extends readonly T[]> = [T] extends [List[number]] ? true : false;
type Holds<T extends true> = T;

/** Does not compile when a list leaves out a value. */
export type AllWhole = [
  Holds<Whole<Format, typeof FORMATS>>,
  Holds<Whole<ArtifactKind, typeof ARTIFACTS>>,
  Holds<Whole<Style, typeof STYLES>>,
  Holds<Whole<SpeakingLength, typeof LENGTHS>>,
  Holds<Whole<Temperament, typeof TEMPERAMENTS>>,
  Holds<Whole<Effort, typeof EFFORTS>>,
];
