// Rounds and turns: who has the floor, who is next.
import type { MessageId, ParticipantId, Round, TurnId, TurnReason, TurnState } from "../../api/schema";
import { isDone, type View } from "../view";
import type { Payload } from "./payload";
import { online } from "./presence";

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
  v.phase = { phase: "discussion" };
}

/** The round ended. */
export function endRound(v: View, seq: number): void {
  withRound(v, (round) => ({ ...round, ended_seq: seq }));
  const mark = v.rounds.at(-1);
  if (mark) v.rounds = v.rounds.with(-1, { ...mark, ended_seq: seq });
  v.phase = { phase: "summary" };
}

/** A participant is given the floor. */
export function selectSpeaker(v: View, seq: number, payload: Payload<"speaker_selected">): void {
  const { turn: id, participant, can_skip, reply_targets } = payload;
  const reason: TurnReason =
    payload.why === "mentioned" ? { why: payload.why, by: payload.by } : { why: payload.why };
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

/**
 * Puts mentioned participants next, in the order of the mentions; agents can cause only a limited number of
 * extra turns.
 */
export function callUp(
  v: View,
  mentions: ParticipantId[],
  speaker: ParticipantId | null,
  by: MessageId,
): void {
  if (v.phase.phase !== "discussion") return;
  const present = online(v);
  if (v.rules.turns.floor === "host") {
    const host = v.moderator.type === "agent" && present.includes(v.moderator.id) ? v.moderator.id : null;
    if (host === null && speaker === null) withRound(v, (round) => ({ ...round, queue: [] }));
    if (host === null || host !== speaker) return;
  }
  const callable = mentions.filter((id) => id !== speaker && present.includes(id));
  withRound(v, (round) => {
    if (round.kind !== "serial") return round;
    return callable.reduceRight((next, id) => {
      const had = next.turns.filter((turn) => turn.participant === id).length;
      const waiting = next.queue.some(([queued]) => queued === id);
      const may = waiting || speaker === null || had <= v.rules.turns.extra_turns;
      return may ? putFirst(next, id, { why: "mentioned", by }) : next;
    }, round);
  });
}

/** Puts a participant first in the queue. */
export function putFirst(round: Round, id: ParticipantId, reason: TurnReason): Round {
  return { ...round, queue: [[id, reason], ...round.queue.filter(([queued]) => queued !== id)] };
}

/** A turn is over. */
export function endTurn(v: View, id: TurnId, state: TurnState): void {
  const present = online(v);
  const mentionEndsRound = v.rules.turns.mention_ends_round;
  withRound(v, (round) => {
    let { turns, queue } = round;
    const place = turns.findIndex((turn) => turn.id === id);
    const turn = turns[place];
    if (turn) {
      turns = turns.with(place, { ...turn, state });
      if (mentionEndsRound && isAnswered(state) && turn.reason.why === "mentioned") {
        queue = queue.filter((waiting) => (waiting as Waiting)[1].why !== "rotation");
      }
    }
    const next = { ...round, turns, queue };
    const broke =
      queue.length === 0 && round.offered_again === 0 && turns.every((one) => brokeDown(one.state));
    return broke ? offerAgain(next, present) : next;
  });
}

/** Offers a turn to all present participants again. */
export function offerAgain(round: Round, present: ParticipantId[]): Round {
  const order = round.order.filter((id) => present.includes(id));
  const queue: Round["queue"] = order.map((id) => [id, { why: "rotation" }]);
  return { ...round, offered_again: round.offered_again + 1, queue };
}

/** Puts another round in the place of the last one. */
export function withRound(v: View, change: (round: Round) => Round): void {
  if (v.round) v.round = change(v.round);
}

/**
 * The number of messages that all participants can read: those of a running blind or parallel round are not
 * among them.
 */
export function visibleMessages(v: View): number {
  const round = v.round;
  const hidden =
    round && round.kind !== "serial" && v.phase.phase === "discussion" && round.ended_seq == null;
  if (!hidden) return v.messages_total;
  const said = round.turns.flatMap(({ state }) =>
    typeof state === "object" && "said" in state ? [Number(state.said.slice(1)) - 1] : [],
  );
  return Math.min(v.messages_total, ...said);
}

function isAnswered(state: TurnState): boolean {
  return typeof state === "object" && "said" in state;
}

function brokeDown(state: TurnState): boolean {
  return typeof state === "object" && "failed" in state && state.failed !== "budget";
}
