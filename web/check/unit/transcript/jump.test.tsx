// Going to an event: its row is marked, and where there is none, that is said.

import { act, fireEvent, render, screen } from "@testing-library/react";
import { useRef } from "react";
import { expect, test } from "vitest";
import { withJumpNotifications } from "../../../app/src/features/transcript/jump";
import { isRowOf, rowsOf } from "../../../app/src/features/transcript/rows";
import { useScroll } from "../../../app/src/features/transcript/scroll-position";
import { useRows } from "../../../app/src/features/transcript/use-rows";
import { setLanguage } from "../../../app/src/i18n";
import { MeetingProvider } from "../../../app/src/meeting/hooks";
import { Toasts } from "../../../app/src/ui/toast";
import { log } from "../table/at";
import { type StillSource, standing } from "./table";

const events = log("zh/consensus").slice(0, 60);
const problem = { type: "#x", title: "x", status: 0, detail: "够不着" };

function Marked() {
  const scroller = useRef<HTMLDivElement>(null);
  const { marked, goBack, look, atEnd } = useScroll(useRows(), scroller);
  return (
    <div ref={scroller} onScroll={look}>
      <p>{atEnd ? "follows" : "stays"}</p>
      <p>{`marked ${marked ?? "nothing"}`}</p>
      <p>{goBack ? "has a way back" : "is where it was"}</p>
    </div>
  );
}

function draw(): StillSource {
  const source = withJumpNotifications(standing(events));
  render(
    <>
      <MeetingProvider store={source}>
        <Marked />
      </MeetingProvider>
      <Toasts />
    </>,
  );
  return source;
}

const message = events.find((event) => event.type === "agent_message");

test("the row of an event is marked", async () => {
  const source = draw();
  if (message?.type !== "agent_message") throw new Error("the golden meeting has a message");
  await act(() => source.jump(message.seq));
  expect(screen.getByText(`marked turn:${message.payload.turn}`)).toBeTruthy();
});

test("a list that is short for a moment moves nobody who has jumped, until they scroll", async () => {
  const source = draw();
  expect(screen.getByText("follows")).toBeTruthy();
  await act(() => source.jump(message?.seq ?? 0));
  // Nothing has a height here: every place is the end.
  const list = screen.getByText("has a way back").parentElement as HTMLElement;
  fireEvent.scroll(list);
  expect(screen.getByText("stays")).toBeTruthy();
  fireEvent.wheel(list, { deltaY: 40 });
  fireEvent.scroll(list);
  expect(screen.getByText("follows")).toBeTruthy();
});

test("where there is no row, none is marked and that is said", async () => {
  const source = draw();
  const untold = events.find((event) => event.type === "call_started");
  await act(() => source.jump(untold?.seq ?? 0));
  expect(screen.getByText("marked nothing")).toBeTruthy();
  expect(await screen.findByText(/没有单独显示/)).toBeTruthy();
  // Once: another language of the page is no reason to say it again.
  await act(() => setLanguage("en"));
  expect(screen.queryByText(/not shown on its own/)).toBeNull();
  await act(() => setLanguage("zh-CN"));
});

test("lines that could not be fetched mark nothing and leave no way back", async () => {
  const source = draw();
  const { lines } = source.snapshot();
  source.put({ lines: lines.slice(10), hasOlder: true });
  source.jump = async () => {};
  const failing = withJumpNotifications(source);
  source.put({ problem });
  await act(() => failing.jump(message?.seq ?? 0));
  expect(screen.getByText("marked nothing")).toBeTruthy();
  expect(screen.getByText("is where it was")).toBeTruthy();
});

test("those who came together have one row", () => {
  const rows = rowsOf(
    events.filter((event) => event.type === "participant_joined"),
    { floor: [], tasks: [] },
    { skips: true, fromStart: false, toEnd: true },
  );
  expect(rows.length).toBe(1);
  for (const event of events.filter((one) => one.type === "participant_joined")) {
    expect(rows.some((row) => isRowOf(row, event.seq))).toBe(true);
  }
});
