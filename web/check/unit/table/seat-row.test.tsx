// The row of a seat stays the same button for as long as the seat is there, so that the focus stays in it.

import { act, screen } from "@testing-library/react";
import { useState } from "react";
import { expect, test } from "vitest";
import { SeatRow } from "../../../app/src/features/participants/seat-row";
import { at, golden, server } from "./at";

test("the focus stays when a participant first takes a stance, which the row tells from then on", async () => {
  server(() => undefined);
  const view = golden("zh/consensus");
  const seat = view.participants.find((one) => one.stance?.position);
  if (!seat) throw new Error("nobody holds a position");
  let take = () => {};
  function Row() {
    const [held, setHeld] = useState(false);
    take = () => setHeld(true);
    return seat && <SeatRow seat={held ? seat : { ...seat, stance: null }} activity={{ is: "idle" }} />;
  }
  await at(view, <Row />);
  const row = await screen.findByRole("button", { name: new RegExp(seat.participant.name) });
  row.focus();
  expect(row.dataset.tip).toBeUndefined();
  act(() => take());
  expect(document.activeElement).toBe(row);
  expect(row.dataset.tip).toContain(seat.stance?.position);
});
