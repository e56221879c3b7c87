// Participants: joining, leaving, presence, and private notes.

import type { MeetingParticipant, Participant, ParticipantId, RunnerSpec } from "../../api/schema";
import { isUnsaid } from "../phrase";
import { NOTHING_SPENT, type View } from "../view";
import { leaveQueue } from "./older";
import { isWithheld, type MaskedPayload, numberOf, type Payload } from "./payload";

/** A participant joins. */
export function addParticipant(v: View, participant: Participant): void {
  const seat: MeetingParticipant = {
    participant,
    present: true,
    presence: "online",
    memory: null,
    changed_in: null,
    first: null,
    stance: null,
    changes: { evidenced: 0, unevidenced: 0 },
    spent: NOTHING_SPENT,
    answers: label(participant.runner),
    simulated: participant.runner.kind === "simulated",
    ...(v.messages_total > 0 ? { joined_after: v.messages_total } : {}),
  };
  v.participants = [...v.participants, seat];
}

/** A participant leaves. */
export function removeParticipant(v: View, payload: Payload<"participant_left">): void {
  const { participant: id, leaves_queue } = payload;
  withSeat(v, id, (seat) => ({ ...seat, present: false }));
  if (leaves_queue) leaveQueue(v, id);
}

/** The presence of a participant changes. */
export function changePresence(v: View, payload: Payload<"presence_changed">): void {
  const { participant: id, presence, leaves_queue } = payload;
  withSeat(v, id, (seat) => ({ ...seat, presence }));
  if (leaves_queue) leaveQueue(v, id);
}

/** Something about a participant changes; what is not given stays. */
export function changeParticipant(
  v: View,
  id: ParticipantId,
  { skip_list }: Payload<"participant_changed">,
): void {
  if (skip_list == null) {
    return;
  }
  withSeat(v, id, (seat) => {
    const { skip_list: _, ...participant } = seat.participant;
    return { ...seat, participant: skip_list.length > 0 ? { ...participant, skip_list } : participant };
  });
}

/** A participant updates its private notes. */
export function updateMemory(v: View, payload: MaskedPayload<"memory_written">): void {
  if (isWithheld(payload)) markWithheld(v);
  else if (v.kept.sees_all) withSeat(v, payload.participant, (seat) => ({ ...seat, memory: payload.memory }));
}

/** Records why a participant's last failed turn failed. */
export function failTurn(v: View, seq: number, payload: Payload<"turn_failed">): void {
  const { kind, detail, hint } = payload;
  const failure = { kind, detail, ...(isUnsaid(hint) ? {} : { hint }), seq };
  withSeat(v, payload.participant, (seat) => ({ ...seat, failure }));
}

/** Marks of a round. */
export function addEvaluation(v: View, payload: MaskedPayload<"evaluation_written">): void {
  if (isWithheld(payload)) markWithheld(v);
  else if (v.kept.sees_all) {
    const { round, by, marks } = payload;
    v.evaluations = [...v.evaluations, { round, by, marks }];
  }
}

/** Marks that the user does not see everything. */
export function markWithheld(v: View): void {
  if (v.kept.sees_all) v.kept = { ...v.kept, sees_all: false };
}

/** Puts another seat in the place of one. */
export function withSeat(
  v: View,
  id: ParticipantId,
  change: (seat: MeetingParticipant) => MeetingParticipant,
): void {
  const place = numberOf(id) - 1;
  const seat = v.participants[place];
  if (seat) v.participants = v.participants.with(place, change(seat));
}

function label(runner: RunnerSpec): string {
  switch (runner.kind) {
    case "model":
      return `${runner.provider}/${runner.model}`;
    case "simulated":
      return `simulated (${runner.temperament})`;
    case "process":
      return `process/${runner.name}`;
    case "acp":
      return runner.folder ? `acp/${runner.name}/${runner.folder}` : `acp/${runner.name}`;
    case "external":
      return `${runner.via}/${runner.name}`;
  }
}
