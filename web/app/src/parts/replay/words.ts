// How a place in a meeting is said.

import type { TFunction } from "i18next";
import type { Mark } from "./marks";

/** What a mark stands for, in words. */
export function markWords(t: TFunction, mark: Mark): string {
  switch (mark.kind) {
    case "round":
      return t("replay.round", { n: mark.n });
    case "ballot":
      return t("replay.ballot", { n: mark.n });
    default:
      return t(`replay.${mark.kind}`);
  }
}
