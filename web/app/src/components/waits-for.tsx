// Whom a meeting of the list waits for, where that is somebody in particular.

import type { MeetingListItem } from "../api/schema";
import { useTranslation } from "../i18n";

/** The people whose answers are awaited; nothing where anybody may answer. */
export function WaitsFor({ row }: { row: MeetingListItem }) {
  const { t } = useTranslation();
  const waiting = row.waiting_for;
  if (!waiting || waiting.names.length === 0) {
    return null;
  }
  const text = waiting.you
    ? t("history.waits_for_you")
    : t("history.waits_for", { names: waiting.names.join(t("history.tags_separator")) });
  return (
    <span className="block text-dense text-warn" data-testid="waits-for">
      {text}
    </span>
  );
}
