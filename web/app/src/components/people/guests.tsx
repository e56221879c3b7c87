// The guests of a meeting, and how one is sent away.

import { useQuery } from "@tanstack/react-query";
import { api, done } from "../../api/client";
import { useTranslation } from "../../i18n";
import { ago } from "../../shell/formatting";
import { ErrorNotice, Waiting } from "../../ui/surface";
import { notify } from "../../ui/toast";
import { guests } from "./access";
import { ConfirmedButton } from "./confirmed-button";
import { ScopeBadge } from "./scope";

/** Lists the guests who are in. */
export function Guests({ id }: { id: string }) {
  const { t } = useTranslation();
  const asked = useQuery(guests(id));
  // That nobody was there the last time says nothing about now.
  const waits =
    asked.isPending || (asked.data?.items.length === 0 && asked.isFetching && !asked.isFetchedAfterMount);
  const sendAway = (session: string) =>
    done(api.DELETE("/api/v1/meetings/{id}/guests/{session}", { params: { path: { id, session } } }));
  return (
    <section aria-labelledby="invite-guests">
      <h3 id="invite-guests" className="text-body font-semibold">
        {t("join.guests")}
      </h3>
      {waits && <Waiting className="p-3" />}
      {asked.error && <ErrorNotice error={asked.error} onRetry={() => void asked.refetch()} compact />}
      {!waits && asked.data?.items.length === 0 && (
        <p className="mt-1 text-meta text-ink-3">{t("join.no_guests")}</p>
      )}
      {asked.data && asked.data.items.length > 0 && (
        <ul className="mt-2 divide-y divide-line rounded-xl border border-line">
          {asked.data.items.map((guest) => (
            <li key={guest.id} className="flex items-center gap-3 px-3 py-2 text-dense">
              <div className="min-w-0 flex-1">
                <p className="flex flex-wrap items-center gap-2">
                  <span className="text-ink">{guest.name}</span>
                  <ScopeBadge scope={guest.scope} />
                </p>
                <p className="text-meta text-ink-3">
                  {t("join.guest_since", { when: ago(guest.created_at), address: guest.address })}
                </p>
              </div>
              <ConfirmedButton
                label={t("join.send_away")}
                title={t("join.send_away_title", { name: guest.name })}
                text={t("join.send_away_text")}
                onConfirmed={() => sendAway(guest.id)}
                onDone={() => {
                  notify({ text: t("join.sent_away", { name: guest.name }) });
                  void asked.refetch();
                }}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
