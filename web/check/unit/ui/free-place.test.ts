// Where a small sheet covers nothing that can be pressed.

import { expect, test } from "vitest";
import { freePlace } from "../../../app/src/ui/free-place";

const size = { width: 320, height: 60 };
const right = { left: 944, bottom: 688, top: 56 };
const left = { left: 16, bottom: 688, top: 56 };

test("the first place is kept where it covers nothing", () => {
  const composer = { left: 300, top: 700, width: 600, height: 80 };
  expect(freePlace(size, [right, left], [composer])).toEqual({ left: 944, top: 628 });
});

test("a button is made way for, in the same column where there is room", () => {
  const button = { left: 1100, top: 640, width: 80, height: 36 };
  const { left: at, top } = freePlace(size, [right, left], [button]);
  expect(at).toBe(944);
  expect(top + size.height).toBeLessThanOrEqual(button.top);
});

test("where a column is full the next one is taken, and the least is covered where all are", () => {
  const full = { left: 944, top: 0, width: 320, height: 800 };
  expect(freePlace(size, [right, left], [full])).toEqual({ left: 16, top: 628 });
  const other = { left: 0, top: 0, width: 30, height: 800 };
  expect(freePlace(size, [right, left], [full, other]).left).toBe(16);
});
