// Part of a meeting's table: the user's own turns, where they have a seat.

import { Suspense } from "react";
import { useMeeting } from "../../meeting/hooks";
import { useOwnSeat } from "../../meeting/own-seat";
import { lazily } from "../../ui/lazily";

const Turn = lazily(() => import("./turn"));

/** Asks a user who has a seat; nothing for everybody else. */
export function OwnTurn() {
  const id = useMeeting((shown) => shown.view?.id);
  const seat = useOwnSeat();
  return <Suspense>{id !== undefined && seat && <Turn key={id} id={id} seat={seat} />}</Suspense>;
}
