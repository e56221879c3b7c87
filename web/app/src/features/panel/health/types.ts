// The types of a deliberation's health, as the server sends it (docs/health.md).

import type {
  BallotId,
  CatalogueMessage,
  ClaimId,
  ClaimKind,
  MessageId,
  ParticipantId,
} from "../../../api/schema";

/** The verdict on an agreement, in one word. */
export type Standing = "open" | "converging" | "robust" | "thin" | "majority" | "contested" | "suspicious";

/** The result of a measure, and its events. */
export interface Finding {
  rule: string;
  value: number;
  threshold: number;
  text: CatalogueMessage;
  seqs: number[];
}

/** Something that was raised. */
export interface Raised {
  claim: ClaimId;
  kind: ClaimKind;
  text: string;
  seq: number;
}

/** Something that speaks against the agreement. */
export interface Objection extends Raised {
  holder: ParticipantId;
  message: MessageId | null;
  answered_by: ParticipantId[];
  score: number | null;
}

/** Something that was raised and lies there. */
export interface Loose extends Raised {
  owner: ParticipantId;
}

/** A position with who holds it, and who did at first. */
export interface Position {
  text: string;
  now: { count: number; share: number; holders: ParticipantId[] };
  blind: { count: number; share: number; holders: ParticipantId[] };
  by_likeness: boolean;
  seqs: number[];
}

/** A change of position. */
export interface Flip {
  participant: ParticipantId;
  from: string;
  to: string;
  round: number;
  evidenced: boolean;
  claim: ClaimId | null;
  owner: ParticipantId | null;
  said: string | null;
  seq: number;
}

/** The participation of one seat. */
export interface SeatPart {
  participant: ParticipantId;
  claims: number;
  turns: number;
  skips: number;
  failures: number;
  votes: number;
  seqs: number[];
}

/** The agreement after a round. */
export interface RoundAgreement {
  round: number;
  leading_share: number | null;
  summary_seq: number | null;
  ballots: { mean: number | null; seq: number | null }[];
}

/** All of it, in the order in which it is best read. */
export interface Health {
  last_seq: number;
  simulated: boolean;
  verdict: { standing: Standing; text: CatalogueMessage; because: Finding[] };
  dissent: {
    objections: Objection[];
    blocking: number;
    overruled: number;
    lowest: {
      participant: ParticipantId;
      score: number;
      pass: boolean;
      ballot: BallotId;
      seq: number | null;
    }[];
  };
  positions: Position[];
  flips: Flip[];
  unshared: { count: number; items: Loose[] };
  unanswered: { raised: number; answered: number; coverage: number | null; items: Loose[] };
  participation: { seats: SeatPart[]; gini: number | null };
  independence: { seats: number; effective: number; rho: number; simulated: boolean };
  value: {
    ballot_change: number | null;
    novelty: number[];
    cost_micros: number | null;
    rounds_left: number;
    text: CatalogueMessage;
    seqs: number[];
  };
  rounds: RoundAgreement[];
  alarms: Finding[];
}
