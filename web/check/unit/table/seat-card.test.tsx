// An open card asks for messages once; what is said from then on comes with the meeting.

import { act, cleanup, screen } from "@testing-library/react";
import { useState } from "react";
import { expect, test } from "vitest";
import type { Event } from "../../../app/src/api/schema";
import { TableContext } from "../../../app/src/components/meeting-page/context";
import { withLines } from "../../../app/src/features/participants/messages";
import SeatCard from "../../../app/src/features/participants/seat-card";
import { applyAll } from "../../../app/src/meeting/fold";
import { MeetingProvider } from "../../../app/src/meeting/hooks";
import type { Of } from "../../../app/src/meeting/log-pages";
import { emptySnapshot, type MeetingSource, type Snapshot } from "../../../app/src/meeting/snapshot";
import { isInTranscript } from "../../../app/src/meeting/transcript-events";
import { blank, type View } from "../../../app/src/meeting/view";
import { at, golden, log, ndjson, server } from "./at";

const events = log("zh/consensus");
type Message = Of<"agent_message">;
const isMessage = (event: Event): event is Message => event.type === "agent_message";
const speaker = events.find(isMessage)?.payload.participant ?? "";
const own = events.filter(isMessage).filter((event) => event.payload.participant === speaker);

/** The meeting after each of its events. */
function live(from: number) {
  let shown: Snapshot = emptySnapshot(0);
  let told = () => {};
  const show = (seq: number) => {
    const view: View = applyAll(blank("m"), events.slice(0, seq));
    const lines = events.slice(0, seq).filter(isInTranscript);
    shown = { ...shown, status: "ready", view, lines };
    told();
    return view;
  };
  const first = show(from);
  const nothing = async () => {};
  const store: MeetingSource = {
    open: nothing,
    close: () => {},
    subscribe: (listener) => {
      told = listener;
      return () => {};
    },
    snapshot: () => shown,
    older: nothing,
    newer: nothing,
    jump: nothing,
    toEnd: nothing,
    setAtEnd: () => {},
    retryNow: () => {},
  };
  return { first, show, store };
}

test("an open card asks once, however much is said meanwhile", async () => {
  const begin = events.find((event) => event.type === "round_ended")?.seq ?? 0;
  const { first, show, store } = live(begin);
  const sent = server(({ path }) =>
    path.includes("/log") ? ndjson(events.slice(0, begin).filter(isMessage).toReversed()) : undefined,
  );
  let set = (_: View) => {};
  function Card() {
    const [view, change] = useState(first);
    set = change;
    const seat = view.participants.find((one) => one.participant.id === speaker);
    const table = { id: view.id, view, past: false, may: { speak: false, manage: false }, jump: () => {} };
    return (
      <MeetingProvider store={store}>
        <TableContext value={table}>
          {seat && <SeatCard seat={seat} activity={{ is: "idle" }} />}
        </TableContext>
      </MeetingProvider>
    );
  }
  await at(golden("zh/consensus"), <Card />);
  await screen.findByText("发言 1 条");
  for (let seq = begin + 1; seq <= events.length; seq += 1) {
    await act(async () => set(show(seq)));
  }
  await screen.findByText(`发言 ${own.length} 条`);
  expect(sent.filter(({ path }) => path.includes("/log"))).toHaveLength(1);
});

test("what is missing before the lines in sight is asked for again; what lies before is not", () => {
  const [one, two] = own;
  if (!one || !two) throw new Error("too little was said");
  const known = { until: one.seq, messages: [one] };
  const window = { lines: [two], hasOlder: true, hasNewer: false };
  expect(withLines(known, window, two.seq)).toBeNull();
  expect(withLines(known, { ...window, hasNewer: true }, two.seq)).toBe(known);
  expect(withLines({ ...known, until: two.seq }, window, two.seq)?.messages).toEqual([one]);
  expect(withLines({ ...known, until: two.seq - 1 }, window, two.seq)?.messages).toEqual([one, two]);
});

test("others are asked to speak and mentioned from their cards; one's own seat is only given up", async () => {
  server(() => ndjson([]));
  const view = golden("zh/consensus", 68);
  const runner = { kind: "external" as const, via: "person" as const, name: "ada" };
  const seats = view.participants.map((seat, at) =>
    at === 0 ? { ...seat, participant: { ...seat.participant, runner } } : seat,
  );
  const [mine, other] = seats;
  if (!mine || !other) throw new Error("too few seats");
  const may = { speak: true, manage: false };
  await at({ ...view, participants: seats }, <SeatCard seat={other} activity={{ is: "idle" }} />, { may });
  const buttons = () => screen.getAllByRole("button").map((one) => one.textContent);
  expect(buttons()).toEqual(["请其发言", "提及"]);
  cleanup();
  await at({ ...view, participants: seats }, <SeatCard seat={mine} activity={{ is: "idle" }} />, { may });
  expect(buttons()).toEqual(["离席"]);
});
