// People at the table: they come, go, and host.
import type { Actor, Person } from "../../api/schema";
import type { View } from "../view";

/** A person comes to the table. */
export function addPerson(v: View, at: string, person: Person): void {
  removePerson(v, person.id);
  v.people = [...v.people, { ...person, joined_at: at }];
}

/** A person leaves it. */
export function removePerson(v: View, id: string): void {
  v.people = v.people.filter((one) => one.id !== id);
}

/** Who made, forked or imported a meeting hosts it. */
export function setFirstHost(v: View, by: Actor): void {
  v.host_person = by.kind === "person" ? { id: by.id, name: by.name } : null;
}

/** A person hosts, also in the place of a participant. */
export function setHost(v: View, host: Person): void {
  v.host_person = host;
  v.moderator = { type: "user" };
}

/** The name of a person: the one that they have at the table, or else their own, or else `unnamed`. */
export function personName(v: Pick<View, "people">, { id, name }: Person, unnamed: string): string {
  const isUnnamed = name.trim() === "" || (id === "owner" && name === "owner");
  return v.people.find((one) => one.id === id)?.name ?? (isUnnamed ? unnamed : name);
}
