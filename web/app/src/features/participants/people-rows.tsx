// The people at the table without a seat: who is there, who hosts, and joining and leaving.

import LogIn from "lucide-react/icons/log-in";
import LogOut from "lucide-react/icons/log-out";
import { api, done } from "../../api/client";
import { useMe } from "../../api/permissions";
import type { Person } from "../../api/schema";
import { useTable } from "../../components/meeting-page/context";
import { useAction } from "../../components/meeting-page/use-action";
import { useTranslation } from "../../i18n";
import { personName } from "../../meeting/fold/people-at-table";
import { initials } from "../../meeting/names";
import { hasSeat, useOwnSeat } from "../../meeting/own-seat";
import { isOpen } from "../../meeting/view";
import { Button } from "../../ui/button";
import { Badge } from "../../ui/surface";
import { HandOver, hostOf, isAtTable } from "./hand-over";
import { Presence, useEntry } from "./presence";

/** The people at the table who have no seat, and the user's own place among them. Those with a seat stand there. */
export function PeopleRows() {
  const { t } = useTranslation();
  const { id, view, may } = useTable();
  const me = useMe();
  const own = me?.person;
  const action = useAction();
  const params = { path: { id } };
  const open = isOpen(view);
  const ended = view.state === "ended";
  const isSeated = useOwnSeat() !== undefined;
  const isHere = view.people.some((one) => one.id === own);
  const host = hostOf(view);
  // Who is at the server's machine without an account has no other name.
  const isNameless = me?.signed_in_by === "local";
  const nameOf = (person: Person) =>
    person.id === own && isNameless ? t("talk.you") : personName(view, person, t("talk.actor_person"));
  const standing = view.people.filter((one) => !hasSeat(view, one.id));
  const more = standing.length < view.people.length;
  return (
    <section aria-label={t("table.people.title")} className="flex flex-col gap-1">
      {(standing.length > 0 || (!more && !ended)) && (
        <h2 className="px-2 text-meta font-medium text-ink-3">
          {t(ended ? "table.people.count_ended" : more ? "table.people.count_more" : "table.people.count", {
            count: standing.length,
          })}
        </h2>
      )}
      <ul className="flex flex-col">
        {standing.map((person) => {
          const name = nameOf(person);
          return (
            <li key={person.id} className="flex items-center gap-2.5 px-2 py-1.5">
              <PersonMark name={name} />
              <div className="min-w-0 flex-1">
                <div className="flex flex-wrap items-baseline gap-x-1.5">
                  <bdi className="min-w-0 text-dense font-medium break-words">{name}</bdi>
                  {person.id === own && !isNameless && <Badge tone="accent">{t("table.rail.you")}</Badge>}
                  {person.id === host?.id && (
                    <span className="shrink-0 text-meta text-ink-3">{t("table.rail.host")}</span>
                  )}
                </div>
                {/* Who was there when it ended stays in its record, also who went home or was sent away since. */}
                {!ended && <PersonPresence id={person.id} />}
              </div>
              <HandOver icon to={person} name={name} />
            </li>
          );
        })}
      </ul>
      {!ended && host && !isAtTable(view, host) && !hasSeat(view, host.id) && (
        <p className="px-2 text-meta text-ink-3">
          {host.id === own
            ? t("table.people.host_is_you")
            : personName(view, host, "") === ""
              ? t("table.people.host_away_unnamed")
              : t("table.people.host_away", { name: nameOf(host) })}
        </p>
      )}
      {open && may.speak && own !== undefined && !isHere && !isSeated && (
        <Button
          look="quiet"
          size="small"
          className="mx-1 justify-start"
          title={t("table.people.join_hint")}
          busy={action.busy}
          onClick={() =>
            void action.run(() => done(api.PUT("/api/v1/meetings/{id}/people/self", { params })))
          }
        >
          <LogIn size={14} aria-hidden />
          {t("table.people.join")}
        </Button>
      )}
      {open && may.speak && isHere && !isSeated && (
        <Button
          look="quiet"
          size="small"
          className="mx-1 justify-start"
          busy={action.busy}
          onClick={() =>
            void action.run(() => done(api.DELETE("/api/v1/meetings/{id}/people/self", { params })))
          }
        >
          <LogOut size={14} aria-hidden />
          {t("table.people.leave")}
        </Button>
      )}
    </section>
  );
}

/** Whether a person is there; nothing while it is unknown. */
function PersonPresence({ id }: { id: string }) {
  const entry = useEntry(id);
  return entry && <Presence entry={entry} />;
}

function PersonMark({ name }: { name: string }) {
  return (
    <span
      aria-hidden
      className="flex size-7 shrink-0 items-center justify-center rounded-full bg-line text-[12px] font-semibold text-ink-2 select-none"
    >
      {initials(name)}
    </span>
  );
}
