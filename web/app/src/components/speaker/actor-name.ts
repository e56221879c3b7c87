// Actors in words.

import { useMe } from "../../api/permissions";
import type { Actor } from "../../api/schema";
import { useTranslation } from "../../i18n";
import type { ReferencedMessage } from "../../meeting/references";
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
  const isOwn = useIsOwn();
  const actor = useActor();
  return (by) => (isOwn(by) ? t("talk.owner") : actor(by));
}

/** Whether an actor is the user. */
function useIsOwn(): (by: Actor) => boolean {
  const own = useMe()?.person;
  return (by) => by.kind === "person" && by.id === own;
}

/** The name of a message's speaker: a person's is the one that they had at the table. */
export function useSpeakerName(): (message: Pick<ReferencedMessage, "name" | "by">) => string {
  const person = usePersonName();
  const isOwn = useIsOwn();
  return ({ by, name }) => (by === undefined || (by.kind === "person" && !isOwn(by)) ? name : person(by));
}
