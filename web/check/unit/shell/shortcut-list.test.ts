// The list of shortcuts has one chapter for each title, and none without shortcuts.

import { expect, test } from "vitest";
import { joined } from "../../../app/src/shell/shortcut-list";

test("parts of a page that name their shortcuts alike share a chapter", () => {
  const one = { keys: "t", label: "t", run: () => {} };
  const other = { keys: "p", label: "p", run: () => {} };
  expect(
    joined([
      { title: "会议", shortcuts: [] },
      { title: "会议", shortcuts: [one] },
      { title: "讨论", shortcuts: [] },
      { title: "会议", shortcuts: [other] },
    ]),
  ).toEqual([{ title: "会议", shortcuts: [one, other] }]);
});

test("of two keys that do the same, one is told", () => {
  const faster = { keys: "+", label: "更快", run: () => {} };
  const shortcuts = [faster, { ...faster, keys: "=" }];
  expect(joined([{ title: "回放", shortcuts }])).toEqual([{ title: "回放", shortcuts: [faster] }]);
});
