// The names of places in a meeting.

import type { Translate } from "../../i18n";
import type { Mark } from "./marks";

/** The name of a mark. */
export function markWords(t: Translate, mark: Mark): string {
  switch (mark.kind) {
    case "round":
      return t("replay.round", { n: mark.n });
    case "ballot":
      return t("replay.ballot", { n: mark.n });
    default:
      return t(`replay.${mark.kind}`);
  }
}
