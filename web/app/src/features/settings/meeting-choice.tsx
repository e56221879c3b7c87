// The choice of one meeting by its topic.

import { queryOptions, useQuery } from "@tanstack/react-query";
import { api, done } from "../../api/client";
import { useTranslation } from "../../i18n";
import { day } from "../../shell/formatting";
import { Combobox } from "../../ui/combobox";

interface Props {
  value: string | null;
  onChange: (id: string | null) => void;
}

/** The hundred meetings that were made last. */
export const meetingChoices = queryOptions({
  queryKey: ["meetings", "choice"],
  queryFn: () => done(api.GET("/api/v1/meetings", { params: { query: { limit: 100 } } })),
});

/** A choice of {@link meetingChoices}; `null` is all. */
export function MeetingChoice({ value, onChange }: Props) {
  const { t } = useTranslation();
  const asked = useQuery(meetingChoices);
  const choices = (asked.data?.items ?? []).map((one) => ({
    value: one.id,
    label: one.title,
    note: `${day(one.created_at)} · ${one.id}`,
  }));
  const known = value === null || choices.some((one) => one.value === value);
  return (
    <Combobox
      value={value}
      onChange={onChange}
      choices={known ? choices : [{ value, label: value }, ...choices]}
      placeholder={t("settings.all_meetings")}
    />
  );
}
