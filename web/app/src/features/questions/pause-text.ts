// The name and the explanation of a pause.

import type { MeetingPause } from "../../api/schema";
import { useTable } from "../../components/meeting-page/context";
import { useTranslation } from "../../i18n";

/** Its title and a sentence; before the first round a check-in is another thing than between two rounds. */
export function usePauseText({ reason, questions }: MeetingPause): { title: string; text: string } {
  const { t } = useTranslation();
  const { view } = useTable();
  // What is required cannot stay empty.
  const needs = reason === "missing_info" && questions.some((one) => one.required);
  const first = reason === "check_in" && !view.round;
  return {
    title: t(first ? "table.pause.check_in.first" : `table.pause.${reason}.title`),
    text: t(needs ? "table.pause.missing_info.needs" : `table.pause.${reason}.text`),
  };
}
