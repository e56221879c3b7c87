// The people without a seat: who is at the table, who listens, who hosts, and joining and leaving.

import Ear from "lucide-react/icons/ear";
import LogIn from "lucide-react/icons/log-in";
import LogOut from "lucide-react/icons/log-out";
import { type ReactNode, useId } from "react";
import { api, done } from "../../api/client";
import { useMe } from "../../api/permissions";
import type { Person } from "../../api/schema";
import { useTable } from "../../components/meeting-page/context";
import { useAction } from "../../components/meeting-page/use-action";
import { useTranslation } from "../../i18n";
import { personName } from "../../meeting/fold/people-at-table";
import { initials } from "../../meeting/names";
import { hadSeat, hasSeat, isPersonsSeat, useOwnSeat } from "../../meeting/own-seat";
import { isOpen } from "../../meeting/view";
import { useShortcuts } from "../../shell/keys";
import { Button } from "../../ui/button";
import { Badge } from "../../ui/surface";
import { HandOver, hostOf, isAtTable } from "./hand-over";
import { useListeners } from "./listeners";
import { Presence, useEntry } from "./presence";

/** The people who have no seat, and the user's own place among them. Those with a seat stand there. */
export function PeopleRows() {
  const { t } = useTranslation();
  const { id, view, may } = useTable();
  const me = useMe();
  const own = me?.person;
  const action = useAction();
  const hint = useId();
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
  const listeners = useListeners();
  const isListening = listeners.some((one) => one.isOwn);
  // Those with a seat stand among the participants.
  const more = view.participants.some((seat) => seat.present && isPersonsSeat(seat.participant.runner));
  const counts = [
    standing.length > 0 &&
      t(ended ? "table.people.count_ended" : more ? "table.people.count_more" : "table.people.count", {
        count: standing.length,
      }),
    listeners.length > 0 && t("table.people.count_listening", { count: listeners.length }),
  ];
  const heading = counts.filter((one) => one !== false).join(" · ");
  const moves = open && may.speak && !isSeated;
  const join = () => void action.run(() => done(api.PUT("/api/v1/meetings/{id}/people/self", { params })));
  const leave = () =>
    void action.run(() => done(api.DELETE("/api/v1/meetings/{id}/people/self", { params })));
  useShortcuts(t("table.keys"), [
    ...(moves && own !== undefined && !isHere ? [{ label: t("table.people.join"), run: join }] : []),
    ...(moves && isHere ? [{ label: t("table.people.leave"), run: leave }] : []),
  ]);
  return (
    <section aria-label={t("table.people.title")} className="flex flex-col gap-1">
      {heading !== "" && <h2 className="px-2 text-meta font-medium text-ink-3">{heading}</h2>}
      <ul className="flex flex-col">
        {standing.map((person) => {
          const name = nameOf(person);
          return (
            <PersonRow
              key={person.id}
              name={name}
              own={person.id === own && !isNameless}
              hosts={person.id === host?.id}
              more={<HandOver icon to={person} name={name} />}
            >
              {/* Who was there when it ended stays in its record, also who went home or was sent away since. */}
              {!ended && <PersonPresence id={person.id} />}
              {!ended && hadSeat(view, person.id) && <GaveUpSeat />}
            </PersonRow>
          );
        })}
        {listeners.map(({ id: listener, name, isOwn, seat }) => (
          <PersonRow
            key={listener}
            name={isOwn && isNameless ? t("talk.you") : name}
            own={isOwn && !isNameless}
            hosts={listener === host?.id}
          >
            <span className="flex items-center gap-1.5 text-meta text-ink-3">
              <Ear size={12} aria-hidden className="shrink-0" />
              {t("table.people.listening")}
            </span>
            {seat && <GaveUpSeat />}
          </PersonRow>
        ))}
      </ul>
      {!ended &&
        host &&
        !isAtTable(view, host) &&
        !hasSeat(view, host.id) &&
        !(isListening && host.id === own) && (
          <p className="px-2 text-meta text-ink-3">
            {host.id === own
              ? t("table.people.host_is_you")
              : personName(view, host, "") === ""
                ? t("table.people.host_away_unnamed")
                : t("table.people.host_away", { name: nameOf(host) })}
          </p>
        )}
      {moves && own !== undefined && !isHere && (
        <>
          <Button
            look="quiet"
            size="small"
            className="mx-1 justify-start"
            aria-describedby={hint}
            busy={action.busy}
            onClick={join}
          >
            <LogIn size={14} aria-hidden />
            {t("table.people.join")}
          </Button>
          <p id={hint} className="px-2 text-meta text-ink-3">
            {t("table.people.join_hint")}
          </p>
        </>
      )}
      {moves && isHere && (
        <Button look="quiet" size="small" className="mx-1 justify-start" busy={action.busy} onClick={leave}>
          <LogOut size={14} aria-hidden />
          {t("table.people.leave")}
        </Button>
      )}
    </section>
  );
}

/** A person: their name, and what is known of them. */
function PersonRow(props: {
  name: string;
  own: boolean;
  hosts: boolean;
  more?: ReactNode;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  const { name, own, hosts, more, children } = props;
  return (
    <li className="flex items-center gap-2.5 px-2 py-1.5">
      <PersonMark name={name} />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline gap-x-1.5">
          <bdi className="min-w-0 text-dense font-medium break-words">{name}</bdi>
          {own && <Badge tone="accent">{t("talk.you")}</Badge>}
          {hosts && <span className="shrink-0 text-meta text-ink-3">{t("table.rail.host")}</span>}
        </div>
        {children}
      </div>
      {more}
    </li>
  );
}

/** That a person had a seat, and has none any more. */
function GaveUpSeat() {
  const { t } = useTranslation();
  return <span className="block text-meta text-ink-3">{t("table.rail.gave_up")}</span>;
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
