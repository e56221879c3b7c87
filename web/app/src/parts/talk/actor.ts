// Actors in words.

import { useTranslation } from "react-i18next";
import { useMe } from "../../api/may";
import type { Actor } from "../../api/schema";
import type { KnownMessage } from "./known";
import { actorName } from "./people";

/** Puts the `by` of an event into words: a name, or who it is. */
export function useActor(): (by: Actor) => string {
  const { t } = useTranslation();
  return (by) => {
    const who = actorName(by);
    return "name" in who ? who.name : t(`talk.actor_${who.word}`);
  };
}

/** The name of a person above a message: one's own is "you". */
export function usePersonName(): (by: Actor) => string {
  const { t } = useTranslation();
  const own = useMe();
  const actor = useActor();
  // A guest is known by an id of the server's, and has a name that no other person at the meeting has.
  const id = (by: Extract<Actor, { kind: "person" }>) => (own?.meeting == null ? by.id : by.name);
  return (by) => (own && by.kind === "person" && id(by) === own.name ? t("talk.owner") : actor(by));
}

/** The name of a message's speaker. */
export function useSpeakerName(): (message: Pick<KnownMessage, "name" | "by">) => string {
  const person = usePersonName();
  return ({ by, name }) => (by === undefined ? name : person(by));
}
