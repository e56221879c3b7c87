// How many participants a meeting in a list has.

import type { MeetingListItem } from "../api/schema";
import { useTranslation } from "../i18n";

/** The number in words. A meeting that still has to find its team has none yet. */
export function useSeatCount(row: Pick<MeetingListItem, "participants" | "state">): string {
  const { t } = useTranslation();
  return row.participants === 0 && row.state !== "ended"
    ? t("home.people_none")
    : t("home.people", { count: row.participants });
}
