// What was read and waits to be sent is bounded in sum.

import { expect, test } from "vitest";
import type { Chosen } from "../../../app/src/features/import/chosen-file";
import { HELD_MAX, withContents } from "../../../app/src/features/import/held";

const contents = (bytes: number) => ({
  request: { files: {} },
  topics: [],
  meetings: 1,
  agents: 0,
  uploads: 0,
  bytes,
});
const chosen = (key: string): Chosen => ({ key, name: key, size: 1 });

test("what goes beyond the bound is left for later, and what is sent or removed makes room", () => {
  let all = withContents([chosen("a"), chosen("b"), chosen("c")], "a", contents(HELD_MAX - 10));
  all = withContents(all, "b", contents(11));
  all = withContents(all, "c", contents(10));
  expect(all.map((one) => one.unfit)).toEqual([undefined, "later", undefined]);
  expect(all.map((one) => one.contents?.bytes)).toEqual([HELD_MAX - 10, undefined, 10]);
  const sent = all.map((one) => (one.key === "a" ? { ...one, contents: undefined } : one));
  expect(withContents([...sent, chosen("d")], "d", contents(11)).at(-1)?.contents?.bytes).toBe(11);
  // One that was removed while it was read is not put back.
  expect(withContents([chosen("a")], "b", contents(1))).toEqual([chosen("a")]);
});
