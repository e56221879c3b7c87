// Tips beside what shows no words: on hover, and not over what a press has opened.

import { fireEvent, render, screen } from "@testing-library/react";
import { beforeAll, expect, test, vi } from "vitest";
import { startTips, Tooltip } from "../../../app/src/ui/tooltip";

const shown = vi.fn();

beforeAll(() => {
  vi.useFakeTimers();
  HTMLElement.prototype.showPopover = shown;
  HTMLElement.prototype.hidePopover = vi.fn();
  startTips();
  return () => vi.useRealTimers();
});

test.each([
  [false, 1],
  [true, 0],
])("over a button whose sheet is open (%s) there are %d tips", (expanded, tips) => {
  shown.mockClear();
  render(
    <Tooltip text="what it holds">
      <button type="button" aria-expanded={expanded}>
        {String(expanded)}
      </button>
    </Tooltip>,
  );
  fireEvent.pointerOver(screen.getByRole("button", { name: String(expanded) }));
  vi.advanceTimersByTime(1_000);
  expect(shown).toHaveBeenCalledTimes(tips);
});
