// All participants as they are shown: name, colour, shape. The same objects until one joins or leaves.

import { useCallback } from "react";
import type { Actor, MeetingParticipant, RunnerSpec } from "../../api/schema";
import { useMeeting } from "../../meeting/hooks";
import { PERSON_SHAPE, type Shape, shapeAt } from "../../meeting/names";
import { isSeatOf } from "../../meeting/own-seat";
import type { Snapshot } from "../../meeting/snapshot";
import { hueOf } from "../../meeting/speaker-colours";
import type { View } from "../../meeting/view";

/** A participant as shown. */
export interface Person {
  /** `p1`; none for people and the facilitator. */
  id: string | null;
  name: string;
  role: string;
  /** The runner; none for people and the facilitator. */
  runner: RunnerSpec | null;
  shape: Shape;
  /** Degrees on the wheel; none for people and the facilitator. */
  hue: number | null;
  present: boolean;
}

/** All seats, in the order of joining, and by id. */
export interface People {
  list: readonly Person[];
  byId: ReadonlyMap<string, Person>;
}

const NOBODY: People = { list: [], byId: new Map() };

/** All participants, past and present. */
export function peopleOf(view: View | null): People {
  if (!view) {
    return NOBODY;
  }
  const list = view.participants.map((seat) => personOf(view, seat));
  return { list, byId: new Map(list.map((person) => [person.id ?? "", person])) };
}

function personOf(view: View, seat: MeetingParticipant): Person {
  const { id, name, role, runner } = seat.participant;
  return {
    id,
    name,
    role: role.name,
    runner,
    shape: shapeAt(view, id),
    hue: hueOf(id),
    present: seat.present,
  };
}

function same(a: People, b: People): boolean {
  return (
    a.list.length === b.list.length &&
    a.list.every((one, at) => {
      const other = b.list[at];
      return (
        other !== undefined &&
        one.id === other.id &&
        one.name === other.name &&
        one.role === other.role &&
        one.runner === other.runner &&
        one.shape === other.shape &&
        one.present === other.present
      );
    })
  );
}

/** All participants of this meeting. */
export function usePeople(): People {
  return useMeeting(selectPeople, same);
}

const cache = new WeakMap<View["participants"], People>();

function selectPeople(snapshot: { view: View | null }): People {
  const seats = snapshot.view?.participants;
  if (!seats) {
    return NOBODY;
  }
  const known = cache.get(seats) ?? peopleOf(snapshot.view);
  cache.set(seats, known);
  return known;
}

/** The seats of a person, also those that they have left. */
export function seatsOf(people: People, person: string | undefined): ReadonlySet<string> {
  const own = people.list.filter((one) => isSeatOf(one.runner, person));
  return new Set(own.map((one) => one.id ?? ""));
}

const NO_NAMES: readonly string[] = [];

/** The names of the people at the table, but for `without`. The same list until one changes. */
export function useNamesAtTable(without?: string): readonly string[] {
  return useMeeting(
    useCallback(
      ({ view }: Snapshot) =>
        view?.people.filter((one) => one.id !== without).map((one) => one.name) ?? NO_NAMES,
      [without],
    ),
    (a, b) => a.length === b.length && a.every((name, at) => name === b[at]),
  );
}

/** A person who is no participant: who asks, or a guest. */
export function guest(name: string): Person {
  return { id: null, name, role: "", runner: null, shape: PERSON_SHAPE, hue: null, present: true };
}

/** The author of a record: a name, or a code that is put in words. */
export function authorOf(
  author: Actor,
  people: People,
): { name: string } | { person: Actor } | { word: "facilitator" | "system" } {
  switch (author.kind) {
    case "participant":
      return { name: people.byId.get(author.id)?.name ?? author.id };
    case "person":
      return { person: author };
    case "facilitator":
    case "system":
      return { word: author.kind };
  }
}

/** The actor of an event: a name, or a code that is put in words. */
export function actorName(by: Actor): { name: string } | { word: "facilitator" | "system" | "person" } {
  switch (by.kind) {
    case "participant":
      return { name: by.id };
    case "person":
      return isUnnamed(by) ? { word: "person" } : { name: by.name };
    case "facilitator":
    case "system":
      return { word: by.kind };
  }
}

/** Whether it is the person at the server's machine, who needs no account and has no name. */
function isUnnamed(actor: Actor): boolean {
  return actor.kind === "person" && actor.id === "owner";
}
