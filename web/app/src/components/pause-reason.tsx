// Why a meeting in a list is paused, and the number of its questions.

import { useQuery } from "@tanstack/react-query";
import CircleHelp from "lucide-react/icons/circle-question-mark";
import type { MeetingListItem } from "../api/schema";
import i18n, { useTranslation } from "../i18n";
import { pauseOf } from "../shell/waiting";

/** The reason in words, and room for it while it is unknown. */
export function PauseReason({ row }: { row: MeetingListItem }) {
  const { t } = useTranslation();
  const { data, isPending } = useQuery(pauseOf(row));
  const { pause, hasRound } = data ?? {};
  if (!pause) {
    return isPending && <span className="mt-0.5 block min-h-[1lh] text-dense" />;
  }
  const questions = pause.questions.length;
  // A fork begins with a pause that nobody asked for.
  const unresumed = row.forked_from && Date.parse(pause.paused_at) <= Date.parse(row.created_at);
  const why =
    unresumed && pause.reason === "user_request"
      ? "fork"
      : pause.reason === "check_in" && !hasRound
        ? "first_check_in"
        : pause.reason;
  return (
    <span className="mt-0.5 flex items-center gap-1.5 text-dense text-ink-2">
      <CircleHelp size={14} aria-hidden className="shrink-0 text-warn" />
      {i18n.find(`home.why.${why}`)}
      {questions > 0 && ` · ${t("home.asks", { count: questions })}`}
    </span>
  );
}
