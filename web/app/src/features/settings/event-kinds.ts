// The kinds of events that a webhook can be sent, in words.

import i18n from "../../i18n";

/** All kinds of events at once. */
export const ALL_KINDS = "*";

/** A kind in words; a newer server may send others. */
export function eventKind(kind: string): string {
  return kind === ALL_KINDS
    ? i18n.t("settings.webhooks.all_events")
    : (i18n.find(`settings.event.${kind}`) ?? kind);
}
