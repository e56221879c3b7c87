// Messages that mention the user stand out, by name or by seat; their own never do, and each is read when it is seen.

import { render } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Event } from "../../../app/src/api/schema";
import { guest, seatsOf } from "../../../app/src/components/speaker/people";
import type { Talk } from "../../../app/src/features/transcript/context";
import { MentionFrame, mentionsUser } from "../../../app/src/features/transcript/mention-highlight";
import { lastMention } from "../../../app/src/features/transcript/new-mentions";
import { TalkPlace } from "../../../app/src/features/transcript/place";
import type { Of } from "../../../app/src/meeting/event-types";
import { applyAll } from "../../../app/src/meeting/fold";
import { blank } from "../../../app/src/meeting/view";
import { standing, talkOf } from "./table";

interface Said {
  by?: string;
  seats?: string[];
  people?: string[];
}

function said({ by = "ada", seats = [], people = [] }: Said, seq = 9): Of<"user_message"> {
  const event = {
    type: "user_message",
    seq,
    ts_ms: 1,
    payload: {
      message_id: `m${seq}`,
      round: 1,
      by: { kind: "person", id: by, name: by },
      message: { role: "user", name: by, content: "words" },
      mentions: seats,
      mentioned_people: people.map((id) => ({ id, name: id })),
    },
  };
  return event as unknown as Of<"user_message">;
}

const lin = { me: "lin", seats: new Set(["p2"]) };

test("by name, or by the seat that they hold, and not by the seats of others", () => {
  expect(mentionsUser(lin, said({ people: ["ben", "lin"] }))).toBe(true);
  expect(mentionsUser(lin, said({ seats: ["p1", "p2"] }))).toBe(true);
  expect(mentionsUser(lin, said({ seats: ["p1"], people: ["ben"] }))).toBe(false);
  expect(mentionsUser({ me: undefined, seats: new Set() }, said({ people: ["lin"] }))).toBe(false);
});

test("what they say themselves does not, also from their seat", () => {
  expect(mentionsUser(lin, said({ by: "lin", seats: ["p2"], people: ["lin"] }))).toBe(false);
  const { payload } = said({ seats: ["p2"] });
  const own = { type: "agent_message", payload: { ...payload, participant: "p2" } };
  expect(mentionsUser(lin, own as unknown as Of<"agent_message">)).toBe(false);
  const outOfTurn = said({ people: ["lin"] });
  const by = (id: string) => ({ kind: "participant" as const, id });
  expect(
    ["p1", "p2"].map((id) =>
      mentionsUser(lin, { ...outOfTurn, payload: { ...outOfTurn.payload, by: by(id) } }),
    ),
  ).toEqual([true, false]);
});

test("the seats of a person are those that they answer for", () => {
  const runner = (name: string) => ({ kind: "external" as const, via: "person" as const, name });
  const list = [
    { ...guest("Lin"), id: "p1", runner: runner("lin") },
    { ...guest("Ben"), id: "p2", runner: runner("ben") },
    { ...guest("lin"), id: "p3", runner: { kind: "external" as const, via: "agent" as const, name: "lin" } },
  ];
  expect([...seatsOf({ list, byId: new Map() }, "lin")]).toEqual(["p1"]);
});

test("the last mention of a person is known by its event", () => {
  const view = applyAll(blank("m"), [
    said({}, 1),
    said({ people: ["lin"] }, 2),
    said({ by: "lin" }, 3),
  ] as Event[]);
  expect([lastMention(view, "lin"), lastMention(view, "ben")]).toEqual([2, 0]);
});

test("a mention is known also where no messages are kept", () => {
  const view = applyAll(blank("m", { messages: 0 }), [said({ people: ["lin"] }, 1), said({}, 2)] as Event[]);
  expect([view.messages, lastMention(view, "lin")]).toEqual([[], 1]);
});

let sight: (isIntersecting: boolean) => void = () => {};
beforeEach(() => {
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      constructor(told: (entries: { isIntersecting: boolean }[]) => void) {
        sight = (isIntersecting) => told([{ isIntersecting }]);
      }
      observe() {}
      disconnect() {}
    },
  );
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test("it is read once it is in sight of somebody who looks, and only once", () => {
  const onSeen = vi.fn();
  const talk: Talk = { ...talkOf(standing([])), onSeen };
  const focus = vi.spyOn(document, "hasFocus").mockReturnValue(false);
  render(
    <TalkPlace talk={talk}>
      <MentionFrame seq={7}>words</MentionFrame>
    </TalkPlace>,
  );
  sight(true);
  expect(onSeen).not.toHaveBeenCalled();
  sight(false);
  focus.mockReturnValue(true);
  window.dispatchEvent(new Event("focus"));
  expect(onSeen).not.toHaveBeenCalled();
  sight(true);
  window.dispatchEvent(new Event("focus"));
  expect(onSeen.mock.calls).toEqual([[7]]);
});
