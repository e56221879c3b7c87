// Actors in words.

import { useMe } from "../../api/permissions";
import type { Actor } from "../../api/schema";
import { useTranslation } from "../../i18n";
import type { ReferencedMessage } from "../../meeting/references";
import { actorName } from "./people";

/** Puts the `by` of an event into words: a name, or who it is. The user is "you"; `object`: within a sentence. */
export function useActor(): (by: Actor, object?: boolean) => string {
  const { t } = useTranslation();
  const isOwn = useIsOwn();
  return (by, object) => {
    if (isOwn(by)) {
      return t(object ? "talk.you_too" : "talk.you");
    }
    const who = actorName(by);
    if ("name" in who) {
      return who.name;
    }
    return who.word === "person" && object ? t("talk.actor_person_too") : t(`talk.actor_${who.word}`);
  };
}

/** Names whom the server names as the maker of something, by the name alone, within a sentence. */
export function useMaker(): (name: string) => string {
  const { t } = useTranslation();
  const own = useMe();
  return (name) => {
    if (own?.name === name && own.meeting == null) {
      return t("talk.you_too");
    }
    return name === "owner" ? t("talk.actor_person_too") : name;
  };
}

/** Whether an actor is the user. */
function useIsOwn(): (by: Actor) => boolean {
  const own = useMe()?.person;
  return (by) => by.kind === "person" && by.id === own;
}

/** The name of a message's speaker: a person's is the one that they had at the table. */
export function useSpeakerName(): (message: Pick<ReferencedMessage, "name" | "by">) => string {
  const actor = useActor();
  const isOwn = useIsOwn();
  return ({ by, name }) => (by === undefined || (by.kind === "person" && !isOwn(by)) ? name : actor(by));
}
