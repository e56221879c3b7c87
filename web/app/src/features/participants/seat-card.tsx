// All details of a participant, and the actions on it.

import AtSign from "lucide-react/icons/at-sign";
import Hand from "lucide-react/icons/hand";
import LogOut from "lucide-react/icons/log-out";
import Wifi from "lucide-react/icons/wifi";
import WifiOff from "lucide-react/icons/wifi-off";
import { useState } from "react";
import { api, done, onceKey } from "../../api/client";
import type { MeetingParticipant, Stance } from "../../api/schema";
import { insertText, mentionOf } from "../../components/meeting-page/composer-input";
import { useTable } from "../../components/meeting-page/context";
import { Reported, WhatToDo } from "../../components/meeting-page/failure";
import { changeLayout } from "../../components/meeting-page/layout";
import { useAction } from "../../components/meeting-page/use-action";
import { AnotherModelButton } from "../../components/models/another-model-button";
import { Avatar } from "../../components/speaker/avatar";
import { runnerLabel } from "../../components/speaker/runner-label";
import { useTranslation } from "../../i18n";
import { Markdown } from "../../markdown";
import { personName } from "../../meeting/fold/people-at-table";
import { useMeeting } from "../../meeting/hooks";
import { isSeatOf, useOwnSeat } from "../../meeting/own-seat";
import { isOpen } from "../../meeting/view";
import { money, short } from "../../shell/formatting";
import { Button } from "../../ui/button";
import { Confirm } from "../../ui/dialog";
import { Badge } from "../../ui/surface";
import type { Activity } from "./activity";
import { HandOver } from "./hand-over";
import { tokens } from "./host-and-facilitator";
import { useMessages } from "./messages";
import { SkipList } from "./skip-list";

/** The card of a seat. */
export default function SeatCard({ seat, activity }: { seat: MeetingParticipant; activity: Activity }) {
  const { t } = useTranslation();
  const { view } = useTable();
  const { id, name, role } = seat.participant;
  const { spent, first, stance } = seat;
  const moved = first && stance && first.position !== stance.position;
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-start gap-3">
        <Avatar view={view} id={id} />
        <div className="min-w-0 flex-1">
          <div className="text-h3 font-semibold">{name}</div>
          <div className="text-meta text-ink-3">
            {role.name} · {runnerLabel(seat.participant.runner)}
          </div>
        </div>
        {/* The line below the name says it of a simulated runner. */}
        {seat.simulated && seat.participant.runner.kind !== "simulated" && (
          <Badge tone="warn">{t("table.simulated")}</Badge>
        )}
      </div>
      {role.description && <p className="text-dense text-ink-2">{role.description}</p>}
      <SkipList seat={seat} />
      <ErrorNotice id={id} doing={activity} />
      {stance ? (
        <div className="flex flex-col gap-2">
          {moved && <Held title={t("table.rail.first")} stance={first} />}
          <Held title={moved ? t("table.rail.now") : t("table.rail.position")} stance={stance} />
          {seat.changes.evidenced + seat.changes.unevidenced > 0 && (
            <p className="text-meta text-ink-3">
              {t("table.rail.changes", { evidenced: seat.changes.evidenced, bare: seat.changes.unevidenced })}
            </p>
          )}
        </div>
      ) : (
        <p className="text-meta text-ink-3">{t("table.rail.no_stance")}</p>
      )}
      <Words id={id} />
      <p className="text-meta text-ink-3">
        {t("table.rail.spent", { tokens: short(tokens(spent.usage)), count: spent.calls })}
        {" · "}
        {spent.unpriced_calls > 0 ? t("table.cost.unknown") : money(spent.cost_micros)}
        {spent.retries > 0 && ` · ${t("table.rail.retries", { count: spent.retries })}`}
        {spent.fallbacks > 0 && ` · ${t("table.rail.fallbacks", { n: spent.fallbacks })}`}
      </p>
      <SeatActions seat={seat} />
    </div>
  );
}

function Held({ title, stance }: { title: string; stance: Stance }) {
  const { t } = useTranslation();
  return (
    <div className="border-l-2 border-line pl-3">
      <div className="flex items-center gap-2 text-meta text-ink-3">
        {title}
        {stance.confidence !== null && <span>{t("table.rail.sure", { n: stance.confidence })}</span>}
      </div>
      <Markdown text={stance.position || t("table.rail.no_position")} />
      {stance.would_change_my_mind && (
        <p className="text-meta text-ink-3">
          {t("table.rail.would_change", { what: stance.would_change_my_mind })}
        </p>
      )}
    </div>
  );
}

/** Why a turn failed, and the remedy. */
function ErrorNotice({ id, doing }: { id: string; doing: Activity }) {
  const { t } = useTranslation();
  const { jump } = useTable();
  const turn = doing.is === "failed" || doing.is === "timed_out" ? doing.turn : null;
  const line = useMeeting((snapshot) =>
    turn
      ? snapshot.lines.findLast((one) => one.type === "turn_failed" && one.payload.turn === turn)
      : undefined,
  );
  if (doing.is !== "failed" && doing.is !== "timed_out") {
    return null;
  }
  const told = line?.type === "turn_failed" ? line : undefined;
  return (
    <div className="rounded-lg bg-bad-soft px-3 py-2 text-dense">
      <p className="font-medium">{t(`table.failure.${doing.is === "failed" ? doing.kind : "timed_out"}`)}</p>
      <p className="text-ink-2">
        <WhatToDo kind={doing.is === "failed" ? doing.kind : "timed_out"} hint={told?.payload.hint} />
      </p>
      <p className="break-words text-meta text-ink-3">
        <Reported detail={told?.payload.detail} hint={told?.payload.hint} />
      </p>
      <div className="mt-1 flex flex-wrap gap-1.5">
        <AnotherModelButton ids={[id]} small />
        {told && (
          <Button look="quiet" size="small" onClick={() => jump(told.seq)}>
            {t("table.jump")}
          </Button>
        )}
      </div>
    </div>
  );
}

/** A participant's messages and claims, with links to them. */
function Words({ id }: { id: string }) {
  const { t } = useTranslation();
  const { jump } = useTable();
  const own = useMessages().filter((event) => event.payload.participant === id);
  const claims = own.flatMap((event) =>
    (event.payload.stance?.claims ?? []).map((claim) => ({ claim, seq: event.seq })),
  );
  if (own.length === 0) {
    return null;
  }
  const item =
    "w-full truncate rounded px-1.5 py-1 text-left text-dense text-ink-2 hover:bg-sunken hover:text-ink";
  return (
    <>
      <details>
        <summary className="text-dense text-ink">{t("table.rail.messages", { n: own.length })}</summary>
        <ul className="mt-1 max-h-48 overflow-y-auto">
          {own.map((event) => (
            <li key={event.seq}>
              <button type="button" className={item} onClick={() => jump(event.seq)}>
                <span className="mr-1.5 text-ink-3">{t("table.round", { n: event.payload.round })}</span>
                {event.payload.message.content.slice(0, 90)}
              </button>
            </li>
          ))}
        </ul>
      </details>
      {claims.length > 0 && (
        <details>
          <summary className="text-dense text-ink">{t("table.rail.claims", { n: claims.length })}</summary>
          <ul className="mt-1 max-h-48 overflow-y-auto">
            {claims.map(({ claim, seq }) => (
              <li key={claim.id}>
                <button type="button" className={item} onClick={() => jump(seq)} title={claim.text}>
                  <span className="mr-1.5 text-ink-3">
                    {claim.id} {t(`table.claim.${claim.kind}`)}
                  </span>
                  {claim.text}
                </button>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function SeatActions({ seat }: { seat: MeetingParticipant }) {
  const { t } = useTranslation();
  const { view, may } = useTable();
  const action = useAction();
  const [leaving, setLeaving] = useState(false);
  const { id: participant, name } = seat.participant;
  const path = { id: view.id, participant };
  const own = useOwnSeat()?.participant.id === participant;
  const person = view.people.find((one) => isSeatOf(seat.participant.runner, one.id));
  if (!may.speak || !seat.present || !isOpen(view)) {
    return null;
  }
  const setPresence = (presence: "online" | "offline") =>
    done(
      api.PATCH("/api/v1/meetings/{id}/participants/{participant}", { params: { path }, body: { presence } }),
    );
  const offline = seat.presence === "offline";
  const toggle = () => {
    const back = {
      label: t("table.undo"),
      onSelect: () => void action.run(() => setPresence(seat.presence)),
    };
    const text = offline ? t("table.rail.is_online", { name }) : t("table.rail.is_offline", { name });
    void action.run(() => setPresence(offline ? "online" : "offline"), { text, action: back });
  };
  const request = () =>
    action.run(
      () =>
        done(
          api.POST("/api/v1/meetings/{id}/speaker", {
            params: { path: { id: view.id }, header: onceKey() },
            body: { participant },
          }),
        ),
      t("table.rail.requested", { name }),
    );
  const leave = async () => {
    const gone = own
      ? await action.run(
          () => done(api.DELETE("/api/v1/meetings/{id}/join", { params: { path: { id: view.id } } })),
          t("table.rail.given_up"),
        )
      : await action.run(
          () => done(api.DELETE("/api/v1/meetings/{id}/participants/{participant}", { params: { path } })),
          t("table.rail.removed", { name }),
        );
    if (gone) {
      setLeaving(false);
    }
  };
  return (
    <div className="flex flex-wrap gap-1.5 border-t border-line pt-3">
      {!own && (
        <>
          <Button size="small" busy={action.busy} disabled={offline} onClick={() => void request()}>
            <Hand size={14} aria-hidden />
            {t("table.rail.request")}
          </Button>
          <Button
            size="small"
            onClick={() => {
              changeLayout({ drawer: null });
              insertText(mentionOf(name));
            }}
          >
            <AtSign size={14} aria-hidden />
            {t("table.rail.mention")}
          </Button>
        </>
      )}
      {may.manage && (
        <Button size="small" busy={action.busy} onClick={toggle}>
          {offline ? <Wifi size={14} aria-hidden /> : <WifiOff size={14} aria-hidden />}
          {offline ? t("table.rail.set_online") : t("table.rail.set_offline")}
        </Button>
      )}
      {person && <HandOver to={person} name={personName(view, person, name)} />}
      {(may.manage || own) && (
        <Button size="small" look="danger" onClick={() => setLeaving(true)}>
          <LogOut size={14} aria-hidden />
          {own ? t("table.rail.give_up") : t("table.rail.remove")}
        </Button>
      )}
      <Confirm
        open={leaving}
        onOpenChange={setLeaving}
        title={own ? t("table.rail.give_up_title") : t("table.rail.remove_title", { name })}
        text={own ? t("table.rail.give_up_text") : t("table.rail.remove_text")}
        action={own ? t("table.rail.give_up") : t("table.rail.remove")}
        danger
        busy={action.busy}
        onConfirm={() => void leave()}
      />
    </div>
  );
}
