// The seat of the user at a meeting, and the turn that waits there, for parts of the page that show it.

import { useCallback } from "react";
import { useMe } from "../api/permissions";
import type { CurrentUser, MeetingParticipant, RunnerSpec } from "../api/schema";
import { Store, useStore } from "../store/store";
import { useMeeting } from "./hooks";
import type { Snapshot } from "./snapshot";
import type { View } from "./view";

/** Whether a person answers for this runner. */
export function isSeatOf(runner: RunnerSpec | null, person: string | undefined): boolean {
  return runner?.kind === "external" && runner.via === "person" && runner.name === person;
}

/** Whether a person, whoever it is, answers for this runner. */
export function isPersonsSeat(runner: RunnerSpec | null): boolean {
  return runner?.kind === "external" && runner.via === "person";
}

/** Whether a person had a seat that they have given up. */
export function hadSeat({ participants }: Pick<View, "participants">, person: string): boolean {
  const own = participants.filter((seat) => isSeatOf(seat.participant.runner, person));
  return own.length > 0 && own.every((seat) => !seat.present);
}

/** Whether a person has a seat at the table. */
export function hasSeat({ participants }: Pick<View, "participants">, person: string): boolean {
  return participants.some((seat) => seat.present && isSeatOf(seat.participant.runner, person));
}

/** The seat for which a user answers, while it is at the table. */
function ownSeat(
  view: Pick<View, "participants"> | null,
  me: CurrentUser | undefined,
): MeetingParticipant | undefined {
  return view?.participants.find(
    ({ present, participant: { runner } }) => present && isSeatOf(runner, me?.person),
  );
}

/** The seat of the user. */
export function useOwnSeat(): MeetingParticipant | undefined {
  const me = useMe();
  return useMeeting(useCallback((shown: Snapshot) => ownSeat(shown.view, me), [me]));
}

/** The heading of the form in which a turn is answered, while it is there. */
export const turnHeading: { current: HTMLHeadingElement | null } = { current: null };

/** A turn that waits for the user: what it asks for, and when it is over, in milliseconds since 1970. */
export interface TurnNotice {
  isVote: boolean;
  until: number;
}

const open = new Store<TurnNotice | null>(null);

/** The turn of the user that waits for an answer. */
export function useOpenTurn(): TurnNotice | null {
  return useStore(open);
}

/** Whether a turn of the user waits for an answer. */
export function useIsTurnOpen(): boolean {
  return useOpenTurn() !== null;
}

/** A turn of the user waits for an answer, or none does any more. */
export function setOpenTurn(turn: TurnNotice | null): void {
  open.set(turn);
}
