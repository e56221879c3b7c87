// People at the table: they come, go, and host.
import type { Actor, Person } from "../../api/schema";
import type { View } from "../view";

/** A person comes to the table. */
export function arrive(v: View, at: string, person: Person): void {
  depart(v, person.id);
  v.people = [...v.people, { ...person, joined_at: at }];
}

/** A person leaves it. */
export function depart(v: View, id: string): void {
  v.people = v.people.filter((one) => one.id !== id);
}

/** Who made, forked or imported a meeting hosts it. */
export function madeBy(v: View, by: Actor): void {
  v.host_person = by.kind === "person" ? { id: by.id, name: by.name } : null;
}

/** A person hosts, also in the place of a participant. */
export function handOver(v: View, host: Person): void {
  v.host_person = host;
  v.moderator = { type: "user" };
}
