// Rounds and turns: who has the floor, who is next.
import type { ParticipantId, Round, TurnId, TurnReason, TurnState } from "../../api/schema";
import { isDone, type View } from "../view";
import type { Payload } from "./payload";

/** A queued participant and the reason: in the document an array of two. */
type Waiting = [ParticipantId, TurnReason];

/** A round begins. */
export function startRound(v: View, payload: Payload<"round_started">): void {
  const { round: number, kind, order, focus } = payload;
  const before = v.round?.turns.filter((turn) => isDone(turn.state)).length ?? 0;
  const done = v.kept.turns_done;
  v.kept = { ...v.kept, turns_done: done === null ? null : done + before };
  v.rounds = [...v.rounds, { number, kind, seq: null, ended_seq: null }];
  const held = v.budget.rounds;
  // The blind round does not count.
  if (kind !== "blind") v.budget = { ...v.budget, rounds: { ...held, used: held.used + 1 } };
  v.round = {
    number,
    kind,
    order,
    focus: focus ?? [],
    queue: order.map((id) => [id, { why: "rotation" }]),
    turns: [],
    offered_again: 0,
    ended_seq: null,
  };
  v.step = "discussion";
}

/** The round ended. */
export function endRound(v: View, seq: number): void {
  withRound(v, (round) => ({ ...round, ended_seq: seq }));
  const mark = v.rounds.at(-1);
  if (mark) v.rounds = v.rounds.with(-1, { ...mark, ended_seq: seq });
  v.step = "summary";
}

/** A participant is given the floor. */
export function selectSpeaker(v: View, seq: number, payload: Payload<"speaker_selected">): void {
  const { turn: id, participant, can_skip, reply_targets } = payload;
  const reason = reasonOf(payload);
  const targets = reply_targets ?? [];
  withRound(v, (round) => {
    const place = round.queue.findIndex(([queued]) => queued === participant);
    const queue = place < 0 ? round.queue : round.queue.toSpliced(place, 1);
    const turn = { id, seq, participant, reason, can_skip, targets, state: "open" as const };
    return { ...round, queue, turns: [...round.turns, turn] };
  });
  const mark = v.rounds.at(-1);
  if (mark && mark.seq === null) v.rounds = v.rounds.with(-1, { ...mark, seq });
}

/** Others wait for a turn, or in another order. */
export function changeQueue(v: View, payload: Payload<"queue_changed">): void {
  const { reason } = payload;
  const queue = payload.queue.map(({ participant, ...turn }): Waiting => [participant, reasonOf(turn)]);
  withRound(v, (round) => {
    const offered_again = round.offered_again + (reason === "offered_again" ? 1 : 0);
    return { ...round, queue, offered_again };
  });
}

/** A turn is over. */
export function endTurn(v: View, id: TurnId, state: TurnState): void {
  withRound(v, (round) => {
    const place = round.turns.findIndex((turn) => turn.id === id);
    const turn = round.turns[place];
    return turn ? { ...round, turns: round.turns.with(place, { ...turn, state }) } : round;
  });
}

/** Puts another round in the place of the last one. */
export function withRound(v: View, change: (round: Round) => Round): void {
  if (v.round) v.round = change(v.round);
}

/** Why somebody has or gets a turn, out of what may tell more. */
function reasonOf(told: TurnReason): TurnReason {
  return told.why === "mentioned" ? { why: told.why, by: told.by } : { why: told.why };
}
