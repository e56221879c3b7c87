// A replay is moved by its bar and by the keyboard alone, and its marks lie where the log has them.

import { fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { ReplayControls } from "../../../app/src/features/replay/controls";
import { marksOf, roundAt, roundFrom } from "../../../app/src/features/replay/marks";
import { startKeys } from "../../../app/src/shell/keys";
import { goldens } from "../meeting/logs";

const log = goldens().find(({ name }) => name === "zh/consensus.jsonl")?.events ?? [];
const last = log.length;
const marks = marksOf(log);

const store = {
  play: vi.fn<(speed?: number) => void>(),
  pause: vi.fn<() => void>(),
  seek: vi.fn<(seq: number) => Promise<void>>().mockResolvedValue(),
  step: vi.fn<(by: 1 | -1) => Promise<void>>().mockResolvedValue(),
  skipWait: vi.fn<() => void>(),
};

beforeAll(() => startKeys());
beforeEach(() => {
  for (const one of Object.values(store)) {
    one.mockClear();
  }
});

function shown(position = 40, playing = false) {
  return render(
    <ReplayControls
      store={store}
      marks={marks}
      standing={{ position, last, playing, at_ms: Date.UTC(2026, 10, 22, 4, 5, 9) }}
    />,
  );
}
const press = (key: string) => fireEvent.keyDown(document.body, { key });

test("space plays from here, and holds what plays", () => {
  const page = shown();
  press(" ");
  expect(store.play).toHaveBeenCalledWith(1);
  page.unmount();
  shown(40, true);
  press(" ");
  expect(store.pause).toHaveBeenCalledOnce();
});

test("space on a button presses that button and nothing else", () => {
  shown();
  screen.getByRole("button", { name: "下一步" }).focus();
  fireEvent.keyDown(document.activeElement ?? document.body, { key: " " });
  expect(store.step).toHaveBeenCalledWith(1);
  expect(store.play).not.toHaveBeenCalled();
});

test("arrows step, brackets go to rounds, home and end to the ends", () => {
  shown();
  press("ArrowRight");
  press("ArrowLeft");
  expect(store.step.mock.calls).toEqual([[1], [-1]]);
  const rounds = marks.filter((mark) => mark.kind === "round" || mark.kind === "blind");
  press("]");
  expect(store.seek).toHaveBeenLastCalledWith(rounds.find((mark) => mark.seq > 40)?.seq);
  press("[");
  expect(store.seek).toHaveBeenLastCalledWith(rounds.findLast((mark) => mark.seq < 40)?.seq);
  press("Home");
  expect(store.seek).toHaveBeenLastCalledWith(1);
  press("End");
  expect(store.seek).toHaveBeenLastCalledWith(last);
});

test("plus and minus change the speed, within its ends", async () => {
  shown(40, true);
  for (let n = 0; n < 6; n += 1) {
    press("+");
  }
  expect(store.play.mock.calls.map(([speed]) => speed)).toEqual([2, 4, 8, 16]);
  press("-");
  expect(store.play).toHaveBeenLastCalledWith(8);
  await userEvent.click(screen.getByRole("button", { name: "4×" }));
  expect(store.play).toHaveBeenLastCalledWith(4);
});

test("at the end it begins anew", async () => {
  shown(last);
  await userEvent.click(screen.getByRole("button", { name: "从头播放" }));
  expect(store.seek).toHaveBeenCalledWith(1);
  expect(store.play).toHaveBeenCalledWith(1);
});

test("the place is said in words, for eyes and for the slider", () => {
  shown(40);
  expect(screen.getByText(`事件 40 / ${last}`)).toBeTruthy();
  expect(screen.getByText("12:05:09")).toBeTruthy();
  const slider = screen.getByRole("slider", { name: "位置" });
  expect(slider.getAttribute("aria-valuetext")).toContain(`事件 40 / ${last}`);
});

test("every round, ballot and conclusion of every golden meeting has its mark", () => {
  for (const { name, events } of goldens()) {
    const own = marksOf(events);
    const many = (type: string) => events.filter((event) => event.type === type).length;
    const marked = (...kinds: string[]) => own.filter((mark) => kinds.includes(mark.kind)).length;
    expect(marked("round", "blind"), name).toBe(many("round_started"));
    expect(marked("ballot"), name).toBe(many("ballot_opened"));
    expect(marked("person"), name).toBe(many("user_message"));
    expect(own.map((mark) => mark.seq)).toEqual(own.map((mark) => mark.seq).toSorted((a, b) => a - b));
  }
});

test("the round at a place is the last that began", () => {
  const rounds = [
    { seq: 5, kind: "blind" as const },
    { seq: 20, kind: "round" as const, n: 1 },
  ];
  expect(roundAt(rounds, 4)).toBeUndefined();
  expect(roundAt(rounds, 20)?.n).toBe(1);
  expect(roundFrom(rounds, 5, 1)?.seq).toBe(20);
  expect(roundFrom(rounds, 20, -1)?.seq).toBe(5);
});

test("a long silence is told while it plays, and skipped by a button", async () => {
  const standing = { position: 40, last, at_ms: 0, nextAt: Date.now() + 42_000 };
  const page = render(
    <ReplayControls store={store} marks={marks} standing={{ ...standing, playing: true }} />,
  );
  await userEvent.click(screen.getByRole("button", { name: "下一条还有 42 秒，跳过等待" }));
  expect(store.skipWait).toHaveBeenCalledOnce();
  page.rerender(
    <ReplayControls store={store} marks={marks} standing={{ ...standing, playing: true, nextAt: null }} />,
  );
  expect(screen.queryByRole("button", { name: /跳过等待/ })).toBeNull();
});

test("the bar follows what is played also when the place that was asked for is passed before it is drawn", async () => {
  const bar = (position: number) => (
    <ReplayControls
      store={store}
      marks={marks}
      standing={{ position, last, playing: true, at_ms: undefined }}
    />
  );
  const page = render(bar(20));
  const slider = () => screen.getByRole("slider").getAttribute("aria-valuenow");
  fireEvent.change(screen.getByRole("slider"), { target: { value: 40 } });
  expect(slider()).toBe("40");
  await vi.waitFor(() => expect(store.seek).toHaveBeenCalledWith(40));
  page.rerender(bar(43));
  await vi.waitFor(() => expect(slider()).toBe("43"));
});
