// Where a small sheet covers nothing that can be pressed.

import { afterEach, expect, test, vi } from "vitest";
import { edgePlace, freePlace } from "../../../app/src/ui/free-place";

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

afterEach(() => {
  vi.restoreAllMocks();
  document.body.replaceChildren();
});

test("on a phone a sheet stands right below the head, or right above the foot where controls are below the head", () => {
  vi.stubGlobal("innerHeight", 844);
  const box = (left: number, top: number, width: number, height: number, element: HTMLElement) => {
    element.getBoundingClientRect = () => new DOMRect(left, top, width, height);
    document.body.append(element);
    return element;
  };
  for (const [side, top, height] of [
    ["top", 0, 97],
    ["bottom", 690, 96],
    ["bottom", 796, 48],
  ] as const) {
    box(0, top, 390, height, document.createElement("div")).dataset.edge = side;
  }
  const sheet = box(16, 0, 358, 50, document.createElement("section"));
  Object.defineProperties(sheet, { offsetWidth: { value: 358 }, offsetHeight: { value: 50 } });
  expect(edgePlace(sheet, 16)).toBe(105);
  const button = box(300, 110, 60, 36, document.createElement("button"));
  document.elementsFromPoint = () => [button];
  expect(edgePlace(sheet, 16)).toBe(690 - 8 - 50);
});
