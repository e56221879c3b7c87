// The activity of a participant, derived from the state of the meeting.

import type { FailureKind, MeetingParticipant, ParticipantId, Round, TurnReason } from "../../api/schema";
import { awaitedBy, noticeableRetry } from "../../components/meeting-page/provider-pause";
import type { View } from "../../meeting/view";

/** The activity of a participant. */
export type Activity =
  | { is: "left" | "offline" | "thinking" | "speaking" | "voting" | "voted" | "said" | "skipped" | "idle" }
  /** A person who is asked, and answers in their own time. */
  | { is: "asked" }
  /** Its provider cannot be reached. */
  | { is: "awaits"; provider: string }
  /** Its provider has refused a request, which is made again after a while. */
  | { is: "retries"; kind: FailureKind; at: number }
  /** It has the floor, but the meeting is paused. */
  | { is: "held" }
  /** Its place in the queue; `after` is the participant that speaks before it, when it is next. */
  | { is: "queued"; place: number; after: ParticipantId | null }
  /** It is not its turn any more in this round. */
  | { is: "next_round" }
  | { is: "timed_out"; turn: string }
  | { is: "failed"; turn: string; kind: FailureKind };

/** The activity of a participant. `writing`: the tasks with fragments so far. */
export function activityOf(view: View, seat: MeetingParticipant, writing: ReadonlySet<string>): Activity {
  const { id } = seat.participant;
  if (!seat.present) {
    return { is: "left" };
  }
  if (seat.presence === "offline") {
    return { is: "offline" };
  }
  const { runner } = seat.participant;
  const person = runner.kind === "external" && runner.via === "person";
  const vote = ofBallot(view, id, person);
  if (vote) {
    return vote;
  }
  if (view.state === "ended") {
    return { is: "idle" };
  }
  const turns = view.round?.turns.filter((turn) => turn.participant === id) ?? [];
  const open = turns.find((turn) => turn.state === "open");
  // While it closes, whoever had the floor was stopped, and nobody's turn comes any more.
  if (open && view.step === "closing") {
    return { is: "idle" };
  }
  if (open) {
    const task = `speak:${open.id}`;
    if (view.pause) {
      return { is: "held" };
    }
    if (person) {
      return { is: "asked" };
    }
    const provider = awaitedBy(runner, view);
    if (provider !== undefined) {
      return { is: "awaits", provider };
    }
    const retry = noticeableRetry(view, task);
    if (retry && !writing.has(task)) {
      return { is: "retries", kind: retry.kind, at: Date.parse(retry.next_try_at) };
    }
    return { is: writing.has(task) ? "speaking" : "thinking" };
  }
  const queued = view.round?.ended_seq == null && view.step !== "closing" ? inQueue(view, id) : null;
  if (queued) {
    return queued;
  }
  const last = turns.at(-1);
  if (!last) {
    return { is: "idle" };
  }
  if (typeof last.state === "object" && "failed" in last.state) {
    const kind = last.state.failed;
    return kind === "timed_out" ? { is: "timed_out", turn: last.id } : { is: "failed", turn: last.id, kind };
  }
  return { is: last.state === "skipped" ? "skipped" : "said" };
}

function ofBallot(view: View, id: ParticipantId, person: boolean): Activity | null {
  const ballot = view.ballots.at(-1);
  if (ballot?.state !== "open" || !ballot.voters.includes(id)) {
    return null;
  }
  if (id in ballot.cast) {
    return { is: "voted" };
  }
  if (`vote:${ballot.id}:${id}` in view.calls) {
    return { is: person ? "asked" : "voting" };
  }
  // Who has voted is not told to a voter before the count. A person who may have is not said to be asked.
  const hidden = ballot.withheld && Object.keys(ballot.cast).length < ballot.cast_count;
  return { is: hidden && !person ? "voting" : "idle" };
}

function inQueue(view: View, id: ParticipantId): Activity | null {
  const queue = view.round?.queue ?? [];
  const at = queue.findIndex(([waits]) => waits === id);
  const own = queue[at];
  if (!own) {
    return null;
  }
  // Once somebody who was mentioned has answered, those in the rotation wait for the next round.
  const endsBefore = view.rules.turns.mention_ends_round && isMentionedBefore(view, at);
  if (endsBefore && isRotation(own)) {
    return { is: "next_round" };
  }
  const before = queue.slice(0, at).filter((one) => !(endsBefore && isRotation(one))).length;
  return { is: "queued", place: before + 1, after: before > 0 ? null : (view.floor[0]?.participant ?? null) };
}

/** Whether somebody speaks because of a mention before a place of the queue. */
function isMentionedBefore({ round }: View, place: number): boolean {
  const open = round?.turns.filter((turn) => turn.state === "open").map((turn) => turn.reason) ?? [];
  const queued = round?.queue.slice(0, place).map(reasonOf) ?? [];
  return [...open, ...queued].some((reason) => reason?.why === "mentioned");
}

type Queued = Round["queue"][number];

/** Why somebody waits: in the document an entry of the queue is an array of both. */
function reasonOf(queued: Queued): TurnReason | undefined {
  return queued.find((part): part is TurnReason => typeof part === "object");
}

function isRotation(queued: Queued): boolean {
  return reasonOf(queued)?.why === "rotation";
}

/**
 * All participants in the order of speaking: those of the round first, then those who wait outside it, then
 * those who left.
 */
export function inOrder(view: View): MeetingParticipant[] {
  const order = view.round?.order ?? [];
  const rank = (seat: MeetingParticipant) => {
    const place = order.indexOf(seat.participant.id);
    return (seat.present ? 0 : 1000) + (place < 0 ? 500 : place);
  };
  return view.participants
    .map((seat, at) => ({ seat, at, rank: rank(seat) }))
    .sort((one, other) => one.rank - other.rank || one.at - other.at)
    .map(({ seat }) => seat);
}
