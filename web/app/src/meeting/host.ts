// Who hosts, as a view of a meeting has it. Folding an event asks none of this.
import type { View } from "./view";

/** Whether people give the floor: only mentioned participants speak. */
export function peopleHost({ moderator, rules, participants }: View): boolean {
  const isOnline = (id: string) =>
    participants.some((seat) => seat.participant.id === id && seat.present && seat.presence === "online");
  return rules.turns.floor === "host" && !(moderator.type === "agent" && isOnline(moderator.id));
}

/** Whether a person's word is the host's where people give the floor. Who hosts an old meeting is not known. */
export function isHostOf(v: Pick<View, "host_person">, person: string | undefined): boolean {
  return v.host_person === null || v.host_person.id === person;
}
