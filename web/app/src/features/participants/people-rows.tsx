// The people at the table: who is there, who hosts, and joining, leaving and handing over.

import Crown from "lucide-react/icons/crown";
import LogIn from "lucide-react/icons/log-in";
import LogOut from "lucide-react/icons/log-out";
import { useState } from "react";
import { api, done } from "../../api/client";
import { useMe } from "../../api/permissions";
import type { Person } from "../../api/schema";
import { useTable } from "../../components/meeting-page/context";
import { useAction } from "../../components/meeting-page/use-action";
import { useTranslation } from "../../i18n";
import { personName } from "../../meeting/fold/people-at-table";
import { initials } from "../../meeting/names";
import { isOpen } from "../../meeting/view";
import { Button, IconButton } from "../../ui/button";
import { Confirm } from "../../ui/dialog";
import { Badge } from "../../ui/surface";
import { Presence, useEntry } from "./presence";

/** The people at the table, and the user's own place among them. */
export function PeopleRows() {
  const { t } = useTranslation();
  const { id, view, may } = useTable();
  const own = useMe()?.person;
  const action = useAction();
  const [heir, setHeir] = useState<Person | null>(null);
  const params = { path: { id } };
  const open = isOpen(view);
  const isHere = view.people.some((one) => one.id === own);
  const host = view.moderator.type === "user" ? view.host_person : null;
  const mayAppoint = open && may.speak && (host?.id === own || (may.manage && !isAtTable(view.people, host)));
  const nameOf = (person: Person) => personName(view, person, t("talk.unnamed"));
  const handOver = async (to: Person) => {
    const put = () => done(api.PUT("/api/v1/meetings/{id}/host", { params, body: { person: to.id } }));
    await action.run(put, t("table.people.handed_over", { name: nameOf(to) }));
    setHeir(null);
  };
  return (
    <section aria-label={t("table.people.title")} className="flex flex-col gap-1">
      <h2 className="px-2 text-meta font-medium text-ink-3">
        {t("table.people.count", { count: view.people.length })}
      </h2>
      <ul className="flex flex-col">
        {view.people.map((person) => {
          const name = nameOf(person);
          const isHost = person.id === host?.id;
          return (
            <li key={person.id} className="flex items-center gap-2.5 px-2 py-1.5">
              <PersonMark name={name} />
              <div className="min-w-0 flex-1">
                <div className="flex flex-wrap items-baseline gap-x-1.5">
                  <bdi className="min-w-0 text-dense font-medium break-words">{name}</bdi>
                  {person.id === own && <Badge tone="accent">{t("table.rail.you")}</Badge>}
                  {isHost && <span className="shrink-0 text-meta text-ink-3">{t("table.rail.host")}</span>}
                </div>
                <PersonPresence id={person.id} />
              </div>
              {mayAppoint && !isHost && (
                <IconButton
                  size="small"
                  label={t("table.people.hand_over", { name })}
                  onClick={() => setHeir(person)}
                >
                  <Crown size={14} aria-hidden />
                </IconButton>
              )}
            </li>
          );
        })}
      </ul>
      {host && !isAtTable(view.people, host) && (
        <p className="px-2 text-meta text-ink-3">{t("table.people.host_away", { name: nameOf(host) })}</p>
      )}
      {open && may.speak && own !== undefined && !isHere && (
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
      {open && may.speak && isHere && (
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
      {heir && (
        <Confirm
          open
          onOpenChange={(open) => !open && setHeir(null)}
          title={t("table.people.hand_over", { name: nameOf(heir) })}
          text={t("table.people.hand_over_text")}
          action={t("table.people.hand_over_action")}
          busy={action.busy}
          onConfirm={() => void handOver(heir)}
        />
      )}
    </section>
  );
}

function isAtTable(people: readonly Person[], host: Person | null): boolean {
  return host !== null && people.some((one) => one.id === host.id);
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
