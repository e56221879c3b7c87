// Whether people, and agents that connect themselves, are there: asked for all of a meeting at once, every now and then.

import { useQuery } from "@tanstack/react-query";
import { api, done } from "../../api/client";
import type { PersonEntry } from "../../api/schema";
import { useTable } from "../../components/meeting-page/context";
import { useTranslation } from "../../i18n";
import { ago } from "../../shell/formatting";
import { cx } from "../../ui/classes";

const LOOK_MS = 30_000;
const DOT = { online: "bg-good", busy: "bg-warn", offline: "bg-line-strong" };

/** What is known of a person, or of a participant that connects itself; `undefined` while it is unknown. */
export function useEntry(id: string): PersonEntry | undefined {
  const { id: meeting, view, past } = useTable();
  const seats = view.participants.filter(
    ({ present, participant: { runner } }) => present && runner.kind === "external",
  );
  const here = [...view.people.map((one) => one.id), ...seats.map((seat) => seat.participant.id)];
  const isListed = here.includes(id);
  const asked = useQuery({
    queryKey: ["meeting", meeting, "people", here.join(" ")],
    queryFn: () => done(api.GET("/api/v1/meetings/{id}/people", { params: { path: { id: meeting } } })),
    enabled: !past && isListed,
    refetchInterval: LOOK_MS,
  });
  return isListed ? asked.data?.items?.find((one) => one.id === id) : undefined;
}

/** Whether somebody is there, in words beside the dot. */
export function Presence({ entry: { presence, last_seen_at: seen } }: { entry: PersonEntry }) {
  const { t } = useTranslation();
  return (
    <span className="flex min-w-0 items-center gap-1.5 text-meta text-ink-3">
      <span aria-hidden className={cx("size-2 shrink-0 rounded-full", DOT[presence])} />
      <span className="min-w-0 break-words">
        {presence === "offline" && seen
          ? t("table.people.last_seen", { when: ago(seen) })
          : t(`table.people.${presence}`)}
      </span>
    </span>
  );
}
