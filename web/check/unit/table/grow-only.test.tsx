// A box of the panel keeps the room that it once took, and cuts nothing.

import { render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { useGrowOnly } from "../../../app/src/features/panel/grow-only";

afterEach(() => vi.restoreAllMocks());

function Box({ round, lines }: { round: number | null; lines: number }) {
  return (
    <div ref={useGrowOnly<HTMLDivElement>(round)} data-testid="box">
      {lines}
    </div>
  );
}

test("a box grows with what is in it, and keeps its height until the round is over", () => {
  // A layout engine's answer: as high as its lines, and as its least height.
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockImplementation(function (this: HTMLElement) {
    return Math.max(Number(this.textContent) * 20, Number.parseInt(this.style.minHeight || "0", 10));
  });
  const height = () => screen.getByTestId("box").offsetHeight;
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
