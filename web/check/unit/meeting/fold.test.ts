// @vitest-environment node
// The page's fold gives what the core gives, and is total.
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Event } from "../../../app/src/api/schema";
import home from "../../../app/src/i18n/en/home.json";
import talk from "../../../app/src/i18n/en/talk.json";
import { apply, applyAll } from "../../../app/src/meeting/fold";
import { blank, opened, type ServerView, type View } from "../../../app/src/meeting/view";
import { goldens } from "./logs";

const EVERYTHING = { messages: Number.POSITIVE_INFINITY };
const meetings = goldens();

const UNUSED = {
  cache_write_tokens: 0,
  cached_tokens: 0,
  estimated: false,
  reasoning_tokens: 0,
  searches: 0,
};

/** A view as the wire has it: without what only the fold knows, and with zeros that the wire leaves out. */
function shown(view: object): unknown {
  const { kept: _, ...rest }: { kept?: unknown } = JSON.parse(JSON.stringify(view));
  return JSON.parse(JSON.stringify(rest), (_, value) =>
    value !== null && typeof value === "object" && "input_tokens" in value ? { ...UNUSED, ...value } : value,
  );
}

/** An event as it is told at its time to those who may not see everything (crates/views/src/visibility). */
function withheld(event: Event): Event {
  const hide = (payload: object): Event =>
    JSON.parse(JSON.stringify({ ...event, payload: { ...payload, withheld: true } }));
  switch (event.type) {
    case "evaluation_written":
      return hide({ round: event.payload.round });
    case "memory_written":
      return hide({ participant: event.payload.participant });
    case "vote_cast":
    case "vote_abstained":
      return hide({ ballot: event.payload.ballot, participant: event.payload.participant });
    default:
      return event;
  }
}

/** An event as it was written before version 4 of the contract, when what it leads to was not said. */
function beforeVersion4(event: Event): Event {
  const without = (...fields: string[]): Event => {
    const payload = Object.entries(event.payload).filter(([field]) => !fields.includes(field));
    return JSON.parse(JSON.stringify({ ...event, payload: Object.fromEntries(payload) }));
  };
  switch (event.type) {
    case "meeting_started":
    case "rules_changed":
      return without("silence_max_ms");
    case "call_started":
    case "minutes_requested":
    case "artifact_written":
      return without("covers");
    case "pause":
      return without("budget");
    case "resume":
    case "error":
      return without("then");
    case "meeting_closing":
      return without("asked_again");
    default:
      return event;
  }
}

/** A log as it was written before version 5: whoever left or went offline left the queue with that event. */
function beforeVersion5(log: readonly Event[]): Event[] {
  return log.flatMap((event): Event[] => {
    switch (event.type) {
      case "queue_changed":
        return ["left", "went_offline"].includes(event.payload.reason) ? [] : [event];
      case "participant_left":
        return [{ ...event, payload: { ...event.payload, leaves_queue: true } }];
      case "presence_changed":
        return [
          { ...event, payload: { ...event.payload, leaves_queue: event.payload.presence === "offline" } },
        ];
      case "pause_requested":
        return [{ ...event, payload: { ...event.payload, completed: null } }];
      default:
        return [event];
    }
  });
}

/** A view as the server gives it to them (crates/server/src/rest/view.rs). */
function masked(view: object): ServerView {
  const all: ServerView = JSON.parse(JSON.stringify(view));
  return {
    ...all,
    evaluations: [],
    participants: all.participants.map((seat) => ({ ...seat, memory: null })),
    ballots: all.ballots.map((one) => (one.state === "open" ? { ...one, cast: {}, withheld: true } : one)),
  };
}

function eventsOf(name: string): Event[] {
  return meetings.find((golden) => golden.name === name)?.events ?? [];
}

function idOf(events: Event[]): string {
  return events[0]?.meeting_id ?? "meeting";
}

function folded(events: Event[], upTo = events.length): View {
  return applyAll(blank(idOf(events), EVERYTHING), events.slice(0, upTo));
}

test("a message whose words are withheld says so in the view, as the server does", () => {
  const events = eventsOf(meetings[0]?.name ?? "");
  const at = events.findIndex((event) => event.type === "agent_message");
  const before = folded(events, at);
  const said = events[at];
  if (said?.type !== "agent_message") throw new Error("the golden meeting has messages");
  const masked: Event = { ...said, payload: { ...said.payload, withheld: true } };
  expect(apply(before, masked).messages.at(-1)).toMatchObject({ withheld: true });
  expect(apply(before, said).messages.at(-1)).not.toHaveProperty("withheld");
});

describe("golden meetings", () => {
  test("there are views to compare with", () => {
    expect(meetings.length).toBeGreaterThanOrEqual(10);
    expect(meetings.filter((golden) => golden.views.length === 0).map((golden) => golden.name)).toEqual([]);
  });

  test.each(meetings)("$name is folded as the core folds it", ({ events, views }) => {
    let view = blank(idOf(events), EVERYTHING);
    const wanted = new Map(views.map((one) => [one.seq, one.view]));
    for (const event of events) {
      view = apply(view, event);
      const golden = wanted.get(event.seq);
      if (golden) expect(shown(view), `after event ${event.seq}`).toEqual(shown(golden));
      expect(view.kept.stale, `the fold knew event ${event.seq}`).toBe(false);
    }
  });

  test("whoever left the queue before version 5 is out of it as after", () => {
    const [{ events }] = meetings.filter(({ name }) => name === "zh/discussion.jsonl") as [
      (typeof meetings)[0],
    ];
    const begun = events.findIndex((event) => event.type === "speaker_selected") + 1;
    const view = folded(events.slice(0, begun));
    const [first, ...rest] = view.round?.queue ?? [];
    const { payload: _, type: __, ...envelope } = events[begun] as Event;
    const left = (more: object) =>
      ({
        ...envelope,
        type: "participant_left",
        payload: { participant: first?.[0], ...more },
      }) as unknown as Event;
    const queue = rest.map(([participant, reason]) => ({ participant, ...(reason as object) }));
    const stated = { ...envelope, type: "queue_changed", payload: { queue, reason: "left" } };
    const now = applyAll(view, [left({}), stated as unknown as Event]);
    expect(now.round?.queue).toEqual(rest);
    expect(apply(view, left({ leaves_queue: true })).round?.queue).toEqual(rest);
    expect(apply(view, left({})).round?.queue).toHaveLength(rest.length + 1);
  });

  test.each(meetings)("$name, as it was written before version 5, is folded the same", ({ events }) => {
    const [now, older] = [events, beforeVersion5(events)].map((log) => folded(log));
    expect(shown(older as View)).toEqual(shown(now as View));
  });

  test.each(meetings)("$name, as it was written before version 4, is folded the same", ({ events }) => {
    const [now, older] = [events, events.map(beforeVersion4)].map((log) => folded(log));
    expect(shown(older as View)).toEqual(shown(now as View));
  });

  test.each(meetings)("$name, opened at a view and carried on, stays right", ({ name, events, views }) => {
    const wanted = new Map(views.map((one) => [one.seq, one.view]));
    for (const { seq, view } of views) {
      let now = opened(JSON.parse(JSON.stringify(view)), EVERYTHING);
      for (const event of events.slice(seq)) {
        now = apply(now, event);
        const golden = wanted.get(event.seq);
        if (!golden || !(now.kept.stale || golden === views.at(-1)?.view)) continue;
        // What began before the view was opened may end so that only the server can tell: then it is asked.
        if (now.kept.stale && name.includes("faults"))
          now = opened(JSON.parse(JSON.stringify(golden)), EVERYTHING);
        expect(now.kept.stale, `opened at ${seq}, after event ${event.seq}`).toBe(false);
        expect(shown(now), `opened at ${seq}, after event ${event.seq}`).toEqual(shown(golden));
      }
    }
  });

  test.each(meetings)("$name is folded right for those who may not see everything", ({ events, views }) => {
    const wanted = new Map(views.map((one) => [one.seq, one.view]));
    let view = blank(idOf(events), { ...EVERYTHING, seesAll: false });
    for (const event of events) {
      view = apply(view, withheld(event));
      const golden = wanted.get(event.seq);
      if (!golden) continue;
      // How votes were is told by no event; it is asked for when it may be seen.
      if (view.kept.stale) view = opened(masked(golden), { ...EVERYTHING, seesAll: false });
      expect(shown(view), `after event ${event.seq}`).toEqual(shown(masked(golden)));
    }
  });
});

describe("the fold", () => {
  const meeting = fc.constantFrom(...meetings.map((golden) => golden.name)).map(eventsOf);

  test("of a beginning and then the rest is the fold of the whole", () => {
    fc.assert(
      fc.property(meeting, fc.nat(), (events, place) => {
        const cut = place % (events.length + 1);
        const whole = folded(events);
        expect(applyAll(folded(events, cut), events.slice(cut))).toEqual(whole);
      }),
      { numRuns: 60 },
    );
  });

  test("leaves what it was given as it was", () => {
    fc.assert(
      fc.property(meeting, fc.nat(), (events, place) => {
        const cut = place % events.length;
        const before = folded(events, cut);
        const copy = structuredClone(before);
        apply(before, events[cut] as Event);
        expect(before).toEqual(copy);
      }),
      { numRuns: 60 },
    );
  });

  test("passes over what it does not know, and over facts of another shape", () => {
    const type = fc.oneof(
      fc.string(),
      fc.constantFrom(...meetings.flatMap((golden) => golden.events.map((one) => one.type))),
    );
    fc.assert(
      fc.property(meeting, fc.nat(), type, fc.jsonValue(), (events, place, kind, payload) => {
        const before = folded(events, place % events.length);
        const odd = {
          ...events[0],
          seq: before.last_seq + 1,
          ts_ms: Date.parse(before.updated_at),
          type: kind,
          payload,
        };
        const after = apply(before, JSON.parse(JSON.stringify(odd)));
        expect(after.last_seq).toBe(before.last_seq + 1);
      }),
      { numRuns: 300 },
    );
  });

  test("of an unknown type moves only the number and the time, and the server is asked", () => {
    for (const { events } of meetings) {
      const before = folded(events);
      const odd = {
        ...events.at(-1),
        seq: before.last_seq + 1,
        ts_ms: Date.parse(before.updated_at),
        type: "of_tomorrow",
        payload: {},
      };
      const after = apply(before, JSON.parse(JSON.stringify(odd)));
      expect(shown(after)).toEqual({ ...(shown(before) as object), last_seq: before.last_seq + 1 });
      expect(after.kept).toMatchObject({ stale: true, outdated: true });
    }
  });

  test("keeps what an event does not touch", () => {
    const consensus = eventsOf("zh/consensus.jsonl");
    let view = blank("meeting", EVERYTHING);
    for (const event of consensus) {
      const next = apply(view, event);
      if (event.type !== "participant_joined")
        expect(next.participants.length).toBe(view.participants.length);
      if (event.type === "call_started") {
        expect(next.ballots).toBe(view.ballots);
        expect(next.participants).toBe(view.participants);
        expect(next.messages).toBe(view.messages);
        expect(next.round).toBe(view.round);
        expect(next.budget.tokens).toBe(view.budget.tokens);
      }
      view = next;
    }
  });

  test("keeps as many messages as were asked for", () => {
    for (const { events } of meetings) {
      const few = applyAll(blank("meeting", { messages: 3 }), events);
      const all = folded(events);
      expect(few.messages).toEqual(all.messages.slice(-3));
      expect(few.messages_total).toBe(all.messages.length);
    }
  });

  test("folds 10,000 events quickly", () => {
    const one = eventsOf("en/consensus.jsonl");
    const open = one.filter(
      (event) =>
        event.type === "call_started" || event.type === "agent_message" || event.type === "call_ended",
    );
    const events = [...one.slice(0, 20)];
    while (events.length < 10_000) events.push(...open);
    const numbered = events.slice(0, 10_000).map((event, place): Event => ({ ...event, seq: place + 1 }));
    const began = performance.now();
    const view = applyAll(blank("meeting"), numbered);
    const took = performance.now() - began;
    process.stdout.write(`10,000 events folded in ${took.toFixed(0)} ms\n`);
    expect(view.last_seq).toBe(10_000);
    expect(took).toBeLessThan(5_000);
  });
});

/** The interface as the server describes it. */
const { schemas } = JSON.parse(
  readFileSync(`${import.meta.dirname}/../../../../docs/openapi.json`, "utf8"),
).components;

describe("the contract", () => {
  test("is all in the golden meetings: each kind of event is folded as the core folds it", () => {
    const kinds = new Set(meetings.flatMap(({ events }) => events.map((event) => event.type)));
    expect([...kinds].sort()).toEqual(Object.keys(schemas.Event.discriminator.mapping).sort());
  });

  test("has no reason for a pause that the page does not know", () => {
    const paused = meetings.flatMap(({ events }) => {
      const at = events.findIndex((event) => event.type === "pause");
      return at < 0 ? [] : [events.slice(0, at + 1)];
    });
    const reasons: string[] = schemas.PauseReason.enum;
    expect(reasons.length).toBeGreaterThan(8);
    for (const reason of reasons) {
      for (const events of paused) {
        const last = events.at(-1) as Event;
        const other = { ...last, payload: { ...last.payload, pause_reason: reason } } as Event;
        const view = applyAll(folded(events.slice(0, -1)), [other]);
        expect(view.pause?.reason).toBe(reason);
        expect(view.state).toBe("paused");
        expect(view.kept.outdated).toBe(false);
      }
      expect(Object.keys(home.why), "on the first page").toContain(reason);
      expect(Object.keys(talk), "in the transcript").toContain(`pause_${reason}`);
    }
  });
});
