// Participants that can be asked.
import type { ParticipantId } from "../../api/schema";
import type { View } from "../view";

/** The present participants that can be asked, in the order of joining. */
export function onlineParticipants(v: View): ParticipantId[] {
  const seats = v.participants.filter((seat) => seat.present && seat.presence === "online");
  return seats.map((seat) => seat.participant.id);
}
