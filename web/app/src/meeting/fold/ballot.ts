// Ballots. While one is open, most users see who has voted and not how.
import type {
  BallotChoice as Cast,
  MeetingBallot,
  MessageId,
  ParticipantId,
  Verdict,
  WithheldPayload,
} from "../../api/schema";
import { isUnsaid } from "../phrase";
import { NOTHING_SPENT, type View } from "../view";
import { markWithheld } from "./participants";
import { isWithheld, type Payload } from "./payload";

/** A ballot opens. */
export function openBallot(v: View, payload: Payload<"ballot_opened">): void {
  const { ballot: id, round, draft_version, voters } = payload;
  const ballot: MeetingBallot = {
    id,
    round,
    draft_version,
    voters,
    cast: {},
    state: "open",
    closed_seq: null,
    spent: NOTHING_SPENT,
    cast_count: 0,
    withheld: !v.kept.sees_all,
  };
  v.ballots = [...v.ballots, ballot];
  v.step = "ballot";
}

/** A vote or an abstention. `how` is evaluated only where it may be seen. */
export function recordVote<P extends { participant: ParticipantId }>(
  v: View,
  payload: P | WithheldPayload,
  how: (payload: P) => Cast,
): void {
  if (isWithheld(payload)) markWithheld(v);
  withBallot(v, (ballot) => {
    if (isWithheld(payload) || ballot.withheld)
      return { ...ballot, withheld: true, cast_count: ballot.cast_count + 1 };
    const cast = { ...ballot.cast, [payload.participant]: how(payload) };
    return { ...ballot, cast, cast_count: Object.keys(cast).length };
  });
}

/** The entry in place of a vote: an abstention, or the failure of the vote. */
export function abstentionOf(seq: number, payload: Payload<"vote_abstained">): Cast {
  const { kind, detail, failure, hint } = payload;
  if (kind === "chosen") return { abstained: kind };
  const why = failure ?? (kind === "malformed" ? "malformed" : undefined);
  return {
    failed: { ...(why ? { kind: why } : {}), detail, ...(hint && !isUnsaid(hint) ? { hint } : {}), seq },
  };
}

/** A steering message ended it. */
export function interruptBallot(v: View, by: MessageId): void {
  end(v, (ballot) => ({ ...ballot, state: { interrupted: by } }));
  v.step = "summary";
}

/** The ballot was counted. */
export function closeBallot(v: View, seq: number, verdict: Verdict): void {
  const spent = v.spent;
  end(v, (ballot) => ({ ...ballot, state: { closed: verdict }, closed_seq: seq, spent }));
  v.step = "facilitation";
}

function end(v: View, change: (ballot: MeetingBallot) => MeetingBallot): void {
  const ballot = v.ballots.at(-1);
  // What was withheld is visible from now on, and no event repeats it.
  if (ballot?.withheld) v.kept = { ...v.kept, stale: true };
  withBallot(v, (open) => change({ ...open, withheld: false }));
}

function withBallot(v: View, change: (ballot: MeetingBallot) => MeetingBallot): void {
  const ballot = v.ballots.at(-1);
  if (ballot) v.ballots = v.ballots.with(-1, change(ballot));
}
