// What a meeting is called, as the core folds it.

import { expect, test } from "vitest";
import type { Event } from "../../../app/src/api/schema";
import { apply } from "../../../app/src/meeting/fold";
import { blank, opened } from "../../../app/src/meeting/view";
import { golden } from "../table/at";

const by = { kind: "person", id: "ada", name: "Ada" } as const;

function event(type: string, payload: object): Event {
  return JSON.parse(
    JSON.stringify({
      version: 5,
      seq: 1,
      meeting_id: "m",
      run_id: "r",
      ts_ms: 1,
      actor: by,
      cause: "x",
      type,
      payload,
    }),
  );
}

const created = (details?: object) =>
  apply(blank("m"), event("meeting_created", { ...golden("en/consensus"), details, by }));

test("a title of its own stays when the topic changes", () => {
  const display = { time_zone: "Asia/Tokyo" };
  const named = created({ title: "Stores", description: "Which one", display });
  expect([named.title, named.description, named.display]).toEqual(["Stores", "Which one", display]);
  const changed = apply(named, event("topic_changed", { topic: "Another?", by }));
  expect([changed.title, changed.topic]).toEqual(["Stores", "Another?"]);
  const bare = apply(changed, event("details_changed", { details: {}, by }));
  expect([bare.title, bare.description, bare.display]).toEqual(["Another?", undefined, undefined]);
  expect(apply(bare, event("topic_changed", { topic: "A third?", by })).title).toBe("A third?");
});

test("a fork's title goes with its topic, unless the meeting had one of its own", () => {
  const fork = event("meeting_forked", { from: "m0", at: 3, by, title: "X (fork)" });
  const topic = event("topic_changed", { topic: "Another?", by });
  expect(apply(apply(created(), fork), topic).title).toBe("Another?");
  expect(apply(apply(created({ title: "X" }), fork), topic).title).toBe("X (fork)");
});

test("where a fork's title comes from is not known of a loaded view: the server is asked", () => {
  const forked_from = {
    meeting: "m0",
    seq: 3,
    forked_at: "2026-03-01T08:30:00.000Z",
    carried: { tokens: 0, cost_micros: 0, ran_ms: 0, calls: 0 },
  };
  const { kept: _, ...view } = { ...golden("en/consensus"), title: "X (fork)", forked_from };
  const after = apply(opened(view), event("topic_changed", { topic: "Another?", by }));
  expect(after.kept.stale).toBe(true);
});
