// The words of the line that a mean has to reach lie on no mark of the chart, as far as there is room.

import { expect, test } from "vitest";
import { labelPlace } from "../../../app/src/components/charts/trend";

test.each([
  ["above, at the first values", [], [], { y: 36, right: false }],
  ["below them, where one is above", [34], [], { y: 51, right: false }],
  ["at the last values, where the first are on both sides", [34, 48], [], { y: 36, right: true }],
  ["above, where there is no room at all", [34, 48], [34, 48], { y: 36, right: false }],
] as const)("%s", (_, first, last, place) => {
  expect(labelPlace(40, first, last)).toEqual(place);
});
