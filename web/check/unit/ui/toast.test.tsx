// Notices: they go by themselves, stay while they are read, and their action is done once.

import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { notify, Toasts } from "../../../app/src/ui/toast";

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

test("a notice goes after a while, but not while it is pointed at", async () => {
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  render(<Toasts />);
  act(() => notify({ text: "done" }));
  await user.hover(screen.getByText("done"));
  await pass(20_000);
  await user.unhover(screen.getByText("done"));
  await pass(4_000);
  expect(screen.getByText("done")).toBeTruthy();
  await pass(1_500);
  expect(screen.queryByText("done")).toBeNull();
});

test("a failure is an alert; an action is done, and its notice goes", async () => {
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  const undo = vi.fn<() => void>();
  render(<Toasts />);
  act(() => {
    notify({ text: "refused", bad: true });
    notify({ text: "removed", action: { label: "undo", onSelect: undo } });
  });
  expect(screen.getByRole("alert").textContent).toContain("refused");
  await user.keyboard("{F6}");
  expect(document.activeElement).toBe(screen.getByRole("region"));
  await user.click(screen.getByRole("button", { name: "undo" }));
  expect(undo).toHaveBeenCalledTimes(1);
  expect(screen.queryByText("removed")).toBeNull();
  expect(screen.getByText("refused")).toBeTruthy();
});

test("at most four are in sight, the newest first", () => {
  render(<Toasts />);
  act(() => {
    for (const text of ["one", "two", "three", "four", "five"]) notify({ text });
  });
  const shown = screen.getByRole("region").textContent;
  expect(shown).toMatch(/five.*four.*three.*two/);
  expect(shown).not.toContain("one");
});
