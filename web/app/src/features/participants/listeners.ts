// Who follows a meeting without being at its table: the user, and guests who have come in.

import { useQuery } from "@tanstack/react-query";
import { serverNow } from "../../api/clock";
import { useMe } from "../../api/permissions";
import type { Participant, ParticipantId } from "../../api/schema";
import { useTable } from "../../components/meeting-page/context";
import { guests } from "../../components/people/access";
import { hasSeat, isSeatOf, useOwnSeat } from "../../meeting/own-seat";
import { isOpen } from "../../meeting/view";
import { isAtTable } from "./hand-over";

const LOOK_MS = 30_000;
/** A page in use renews its session more often than that. */
const IN_USE_MS = 20 * 60_000;

/** Somebody who listens. `id`: of the person, or of a guest's session. */
interface Listener {
  id: string;
  name: string;
  isOwn: boolean;
  /** The seat that they have given up. */
  seat?: ParticipantId;
}

/** Those who listen, the user first. Of guests only those who manage the meeting are told, who see before it starts who has come; of one that is over, nobody. */
export function useListeners(): Listener[] {
  const { id, view, past, may } = useTable();
  const me = useMe();
  const isSeated = useOwnSeat() !== undefined;
  const runs = !past && isOpen(view);
  const asked = useQuery({ ...guests(id), enabled: runs && may.manage, refetchInterval: LOOK_MS });
  if (!runs || !me) {
    return [];
  }
  const { person, name } = me;
  const isAbsent =
    view.state !== "draft" && person !== undefined && !isSeated && !isAtTable(view, { id: person, name });
  const sessions = asked.data?.items ?? [];
  const others = sessions.filter(
    (one) =>
      !one.here &&
      !isAtTable(view, { id: one.person, name: one.name }) &&
      !hasSeat(view, one.person) &&
      serverNow() - Date.parse(one.used_at) < IN_USE_MS,
  );
  const seatOf = (gaveUp: (one: Participant) => boolean) =>
    view.participants.find((seat) => !seat.present && gaveUp(seat.participant))?.participant.id;
  return [
    ...(isAbsent
      ? [{ id: person, name, isOwn: true, seat: seatOf((one) => isSeatOf(one.runner, person)) }]
      : []),
    ...others.map((one) => ({
      id: one.id,
      name: one.name,
      isOwn: false,
      seat: seatOf(({ runner }) => isSeatOf(runner, one.person)),
    })),
  ];
}
