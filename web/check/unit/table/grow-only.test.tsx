// A box of the panel keeps the room that it once took, and cuts nothing.

import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useGrowOnly } from "../../../app/src/features/panel/grow-only";

/** How wide the panel is: its lines break at a width of 100. */
let width: number;

beforeEach(() => {
  width = 100;
  // A layout engine's answer: as high as its lines, and as its least height.
  vi.spyOn(HTMLElement.prototype, "offsetWidth", "get").mockImplementation(() => width);
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockImplementation(function (this: HTMLElement) {
    const lines = Math.ceil((Number(this.textContent) * 100) / width);
    return Math.max(lines * 20, Number.parseInt(this.style.minHeight || "0", 10));
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function Box({ round, lines, seats = 3 }: { round: number | null; lines: number; seats?: number }) {
  return (
    <div ref={useGrowOnly<HTMLDivElement>(round, seats)} data-testid="box">
      {lines}
    </div>
  );
}

const height = () => screen.getByTestId("box").offsetHeight;

test("a box grows with what is in it, and keeps its height until the round is over", () => {
  const { rerender } = render(<Box round={1} lines={2} />);
  expect(height()).toBe(40);
  rerender(<Box round={1} lines={5} />);
  expect(height()).toBe(100);
  rerender(<Box round={1} lines={1} />);
  expect(height()).toBe(100);
  rerender(<Box round={2} lines={2} />);
  expect(height()).toBe(40);
  rerender(<Box round={null} lines={1} />);
  expect(height()).toBe(20);
});

test("what a removed participant took leaves no blank room; who joins takes none away", () => {
  const { rerender } = render(<Box round={1} lines={5} seats={3} />);
  rerender(<Box round={1} lines={2} seats={2} />);
  expect(height()).toBe(40);
  rerender(<Box round={1} lines={1} seats={3} />);
  expect(height()).toBe(40);
});

test("a wider panel leaves no blank room below lines that are fewer in it", async () => {
  let sized = () => {};
  class Sizes {
    constructor(tell: () => void) {
      sized = tell;
    }
    observe() {}
    disconnect() {}
  }
  vi.stubGlobal("ResizeObserver", Sizes);
  render(<Box round={1} lines={4} />);
  expect(height()).toBe(80);
  width = 200;
  await act(async () => {
    sized();
    await new Promise(requestAnimationFrame);
  });
  expect(height()).toBe(40);
});
