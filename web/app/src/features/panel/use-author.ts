// The authors of records, by name.

import type { Actor } from "../../api/schema";
import { nameOf, useTable } from "../../components/meeting-page/context";
import { useActor } from "../../components/speaker/actor-name";
import { useTranslation } from "../../i18n";

/** Names an author. */
export function useAuthor(): (author: Actor) => string {
  const { t } = useTranslation();
  const { view } = useTable();
  const actor = useActor();
  return (author) => {
    switch (author.kind) {
      case "participant":
        return nameOf(view, author.id);
      case "person":
        return actor(author, true);
      case "facilitator":
      case "system":
        return t(`table.author.${author.kind}`);
    }
  };
}
