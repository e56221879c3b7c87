// Messages, and the stances of their speakers.
import type { MessageText, MessageView as Said, Stance } from "../../api/schema";
import { lastOf, type View } from "../view";
import { withSeat } from "./participants";
import type { Payload } from "./payload";
import { endTurn } from "./round";

/** How many messages that mention somebody are remembered. */
const MENTIONING = 20;

/** The citations of a message; the wire leaves out what is empty. */
const cited = ({ citations = [], evidence = [] }: MessageText) => ({
  ...(citations.length > 0 ? { citations } : {}),
  ...(evidence.length > 0 ? { evidence } : {}),
});

/** A participant has spoken. */
export function addAgentMessage(v: View, seq: number, at: string, payload: Payload<"agent_message">): void {
  const { message_id: id, round, turn, participant, message, stance, cut_from_chars, ended_early } = payload;
  const mentions = payload.mentions ?? [];
  const people = payload.mentioned_people ?? [];
  // The wire leaves out what is empty.
  const claims = (stance?.claims ?? []).map((claim) => claim.id);
  const { name, content } = message;
  say(v, {
    id,
    seq,
    round,
    said_at: at,
    speaker: { kind: "participant", id: participant },
    name,
    content,
    ...(cut_from_chars == null ? {} : { cut_from_chars }),
    ...(ended_early == null ? {} : { ended_early }),
    mentions,
    ...(people.length > 0 ? { mentioned_people: people } : {}),
    turn,
    claims,
    ...cited(message),
    ...(payload.withheld === true ? { withheld: true } : {}),
  });
  endTurn(v, turn, { said: id });
  if (stance) withSeat(v, participant, (seat) => ({ ...seat, ...moved(seat, round, stance) }));
}

/** A person has spoken. */
export function addUserMessage(v: View, seq: number, at: string, payload: Payload<"user_message">): void {
  const { message_id: id, round, by, message, reply_to } = payload;
  const mentions = payload.mentions ?? [];
  const people = payload.mentioned_people ?? [];
  const { name, content } = message;
  const said: Said = {
    id,
    seq,
    round,
    said_at: at,
    speaker: by,
    name,
    content,
    mentions,
    ...(people.length > 0 ? { mentioned_people: people } : {}),
    turn: null,
    claims: [],
    ...cited(message),
  };
  say(v, reply_to == null ? said : { ...said, reply_to });
}

/** The facilitator says why a ballot failed. */
export function addFacilitation(
  v: View,
  seq: number,
  at: string,
  payload: Payload<"facilitation_written">,
): void {
  const { message_id: id, message } = payload;
  const round = v.round?.number ?? 0;
  const { name, content } = message;
  say(v, {
    id,
    seq,
    round,
    said_at: at,
    speaker: { kind: "facilitator" },
    name,
    content,
    mentions: [],
    turn: null,
    claims: [],
    ...cited(message),
  });
}

function say(v: View, said: Said): void {
  v.messages_total += 1;
  if (v.kept.messages > 0) v.messages = lastOf([...v.messages, said], v.kept.messages);
  if (said.mentions.length > 0 || said.mentioned_people) {
    v.kept = { ...v.kept, mentioning: lastOf([...v.kept.mentioning, said], MENTIONING) };
  }
}

type Place = Pick<View["participants"][number], "changed_in" | "changes" | "first" | "stance">;

function moved(seat: Place, round: number, stance: Stance): Place {
  const { evidenced, unevidenced } = seat.changes;
  const because = stance.changed_by != null;
  const counted = because
    ? { evidenced: evidenced + 1, unevidenced }
    : { evidenced, unevidenced: unevidenced + 1 };
  return {
    changed_in: stance.changed ? round : seat.changed_in,
    changes: stance.changed ? counted : seat.changes,
    first: seat.first ?? stance,
    stance,
  };
}
