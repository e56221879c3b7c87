// One line for each of the smaller events of a meeting.

import { Link } from "@tanstack/react-router";
import Archive from "lucide-react/icons/archive";
import Ban from "lucide-react/icons/ban";
import Clock from "lucide-react/icons/clock";
import Crown from "lucide-react/icons/crown";
import Gauge from "lucide-react/icons/gauge";
import GitFork from "lucide-react/icons/git-fork";
import Hourglass from "lucide-react/icons/hourglass";
import ListChecks from "lucide-react/icons/list-checks";
import LogIn from "lucide-react/icons/log-in";
import LogOut from "lucide-react/icons/log-out";
import Megaphone from "lucide-react/icons/megaphone";
import Paperclip from "lucide-react/icons/paperclip";
import Play from "lucide-react/icons/play";
import RotateCcw from "lucide-react/icons/rotate-ccw";
import SkipForward from "lucide-react/icons/skip-forward";
import SlidersHorizontal from "lucide-react/icons/sliders-horizontal";
import Star from "lucide-react/icons/star";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import Type from "lucide-react/icons/type";
import UserPlus from "lucide-react/icons/user-plus";
import Users from "lucide-react/icons/users";
import Wallet from "lucide-react/icons/wallet";
import Wifi from "lucide-react/icons/wifi";
import { useMe } from "../../api/permissions";
import { useKnownFile } from "../../components/files/file-names";
import { Thumbnail } from "../../components/files/thumbnail";
import { Reported, WhatToDo } from "../../components/meeting-page/failure";
import { withoutWait } from "../../components/meeting-page/provider-pause";
import { useActor } from "../../components/speaker/actor-name";
import { guest, type Person } from "../../components/speaker/people";
import { SpeakerName } from "../../components/speaker/speaker";
import { useTranslation } from "../../i18n";
import { usePhrase } from "../../i18n/phrases";
import { is, type Of } from "../../meeting/event-types";
import { isWithheld } from "../../meeting/fold/payload";
import { useMeeting } from "../../meeting/hooks";
import { isPersonsSeat, isSeatOf } from "../../meeting/own-seat";
import { count, money, span } from "../../shell/formatting";
import { useTalk } from "./context";
import { Note } from "./notice";
import { taskOf } from "./tasks";

function usePerson(): (id: string) => Person {
  const { people } = useTalk();
  return (id) => people.byId.get(id) ?? guest(id);
}

/** Somebody with a seat as who does something; the user's own is "you", as in the lines about people. */
function useDoer(): (id: string) => Person {
  const { t } = useTranslation();
  const { seats } = useTalk();
  const who = usePerson();
  return (id) => (seats.has(id) ? { ...who(id), name: t("talk.you") } : who(id));
}

/** Some have taken their seats. */
export function Joined({ events }: { events: readonly Of<"participant_joined">[] }) {
  const { t } = useTranslation();
  const who = useDoer();
  const arePeople = events.every((event) => isPersonsSeat(event.payload.participant.runner));
  return (
    <Note icon={LogIn}>
      {events.map((event, at) => (
        <span key={event.seq}>
          {at > 0 && t("ui.comma")}
          <SpeakerName speaker={who(event.payload.participant.id)} />
        </span>
      ))}{" "}
      {t(arePeople ? "talk.took_seat" : "talk.joined")}
    </Note>
  );
}

/** A participant joined, with the reason. */
export function JoinedBecause({ event }: { event: Of<"participant_joined"> }) {
  const { t } = useTranslation();
  const phrase = usePhrase();
  const who = useDoer();
  const { participant, reason } = event.payload;
  return (
    <Note icon={UserPlus} more={phrase(reason)}>
      <SpeakerName speaker={who(participant.id)} />{" "}
      {t(isPersonsSeat(participant.runner) ? "talk.took_seat" : "talk.joined")}
    </Note>
  );
}

/** A participant left; a person who answered for a seat has given it up. */
export function Left({ event }: { event: Of<"participant_left"> }) {
  const { t } = useTranslation();
  const phrase = usePhrase();
  const who = useDoer();
  const { participant, reason, by } = event.payload;
  const why = isWithheld(event.payload) ? t("talk.reason_withheld") : phrase(reason);
  const gaveUp = by.kind === "person" && isSeatOf(who(participant).runner, by.id);
  return (
    <Note icon={LogOut} more={why}>
      <SpeakerName speaker={who(participant)} /> {t(gaveUp ? "talk.gave_up_seat" : "talk.left")}
    </Note>
  );
}

/** The name of a person at the table; the user's own is "you". */
function usePersonAtTable(): (person: { id: string; name: string }, object?: boolean) => string {
  const { t } = useTranslation();
  const own = useMe()?.person;
  return ({ id, name }, object) => {
    if (id === own) {
      return t(object ? "talk.you_too" : "talk.you");
    }
    return id === "owner" && name === "owner"
      ? t(object ? "talk.actor_person_too" : "talk.actor_person")
      : name;
  };
}

/** A person joined. */
export function Arrived({ event }: { event: Of<"person_joined"> }) {
  const { t } = useTranslation();
  const nameOf = usePersonAtTable();
  return (
    <Note icon={LogIn}>
      <SpeakerName speaker={guest(nameOf(event.payload.person))} /> {t("talk.arrived")}
    </Note>
  );
}

/** A person left, or was removed. */
export function Departed({ event }: { event: Of<"person_left"> }) {
  const { t } = useTranslation();
  const nameOf = usePersonAtTable();
  const actor = useActor();
  const { person, by } = event.payload;
  if (by.kind !== "person" || by.id !== person.id) {
    const values = { by: by.kind === "person" ? nameOf(by) : actor(by), name: nameOf(person, true) };
    return <Note icon={LogOut}>{t("talk.sent_away", values)}</Note>;
  }
  return (
    <Note icon={LogOut}>
      <SpeakerName speaker={guest(nameOf(person))} /> {t("talk.departed")}
    </Note>
  );
}

/** Somebody else hosts from now on. */
export function HostChanged({ event }: { event: Of<"host_changed"> }) {
  const { t } = useTranslation();
  const nameOf = usePersonAtTable();
  const actor = useActor();
  const { host, by } = event.payload;
  const values = { by: by.kind === "person" ? nameOf(by) : actor(by), name: nameOf(host, true) };
  return <Note icon={Crown}>{t("talk.host_changed", values)}</Note>;
}

/** A participant was invited by a description. */
export function Invited({ event }: { event: Of<"participant_invited"> }) {
  const { t } = useTranslation();
  const actor = useActor();
  return (
    <Note icon={UserPlus}>
      {t("talk.invited", { name: actor(event.payload.by), description: event.payload.description })}
    </Note>
  );
}

/** The presence of a participant changed. */
export function PresenceChanged({ event }: { event: Of<"presence_changed"> }) {
  const { t } = useTranslation();
  const who = usePerson();
  const { participant, presence } = event.payload;
  return (
    <Note icon={Wifi}>
      <SpeakerName speaker={who(participant)} /> {t(`talk.presence_${presence}`)}
    </Note>
  );
}

/** The skip list of a participant changed. */
export function ParticipantChanged({ event }: { event: Of<"participant_changed"> }) {
  const { t } = useTranslation();
  const who = usePerson();
  const { participant, skip_list } = event.payload;
  if (skip_list == null) {
    return null;
  }
  const phrases = skip_list.map((phrase) => t("talk.quoted", { phrase })).join(t("ui.comma"));
  return (
    <Note icon={SkipForward}>
      <SpeakerName speaker={who(participant)} />{" "}
      {skip_list.length > 0 ? t("talk.skip_list_now", { phrases }) : t("talk.skip_list_none")}
    </Note>
  );
}

/** Candidates and departures were proposed. */
export function TeamProposed({ event }: { event: Of<"team_proposed"> }) {
  const { t } = useTranslation();
  const who = usePerson();
  const { candidates = [], departures = [] } = event.payload;
  const coming = candidates.map(({ newcomer: { name, role } }) =>
    t("talk.newcomer", { name, role: role.name }),
  );
  const going = departures.map((one) => who(one.participant).name);
  return (
    <Note
      icon={Users}
      more={going.length > 0 ? t("talk.team_going", { names: going.join(t("ui.comma")) }) : undefined}
    >
      {coming.length > 0 ? t("talk.team", { names: coming.join(t("ui.comma")) }) : t("talk.team_none")}
    </Note>
  );
}

/** Marks were written; they are shown in the side panel, and only on request. */
export function Evaluated({ event }: { event: Of<"evaluation_written"> }) {
  const { t } = useTranslation();
  const text = isWithheld(event.payload) ? t("talk.marks_withheld") : t("talk.marks");
  return <Note icon={Star}>{text}</Note>;
}

/** A turn was skipped. */
export function Skipped({ event }: { event: Of<"turn_skipped"> }) {
  const { t } = useTranslation();
  const [who, doer] = [usePerson(), useDoer()];
  const { reason, phrases = [] } = event.payload;
  const isOwnDoing = reason !== "skip_list" && reason !== "timed_out";
  const late = reason === "timed_out";
  const quoted = phrases.map((phrase) => t("talk.quoted", { phrase })).join(t("ui.comma"));
  const text =
    reason === "skip_list"
      ? t(quoted ? "talk.skipped_only_said" : "talk.skipped_by_list", { phrases: quoted })
      : t(late ? "talk.timed_out" : "talk.skipped");
  return (
    <Note icon={late ? Clock : SkipForward} tone={late ? "warn" : "plain"}>
      <SpeakerName speaker={(isOwnDoing ? doer : who)(event.payload.participant)} /> {text}
    </Note>
  );
}

/** A turn brought nothing. */
export function TurnFailed({ event }: { event: Of<"turn_failed"> }) {
  const { t } = useTranslation();
  const who = useDoer();
  const { participant, kind, detail, hint } = event.payload;
  // Whoever leaves is not asked any more; nothing has gone wrong.
  if (kind === "left") {
    return (
      <Note icon={LogOut}>
        <SpeakerName speaker={who(participant)} /> {t("talk.turn_left")}
      </Note>
    );
  }
  return (
    <Note
      icon={kind === "timed_out" ? Clock : TriangleAlert}
      tone="bad"
      more={<Reported detail={detail} hint={hint} />}
    >
      <SpeakerName speaker={who(participant)} /> {t("talk.turn_failed", { why: t(`table.failure.${kind}`) })}{" "}
      <WhatToDo kind={kind} hint={hint} />
    </Note>
  );
}

/** A task of the facilitator brought nothing. */
export function TaskFailed({ event }: { event: Of<"error"> }) {
  const { t } = useTranslation();
  const { task, kind, detail, hint } = event.payload;
  return (
    <Note icon={TriangleAlert} tone="bad" more={<Reported detail={detail} hint={hint} />}>
      {t("talk.task_failed", { task: t(`talk.task_${taskOf(task)}`), why: t(`table.failure.${kind}`) })}{" "}
      <WhatToDo kind={kind} hint={hint} />
    </Note>
  );
}

/** A budget is used up. */
export function BudgetReached({ event }: { event: Of<"budget_reached"> }) {
  const { t } = useTranslation();
  const { budget, limit, spent, needed } = event.payload;
  const say = { tokens: count, cost: money, wall_time: span }[budget];
  const values = { limit: say(limit), spent: say(spent), needed: say(needed) };
  return (
    <Note icon={Wallet} tone="warn" more={t("talk.budget_more", values)}>
      {t(`talk.budget_${budget}`)}
    </Note>
  );
}

/** No provider that could go on is reachable. The bar above shows how long the meeting waits. */
export function ProviderWait({ event }: { event: Of<"provider_wait_started"> }) {
  const { t } = useTranslation();
  const { waiting_for, detail, hint } = event.payload;
  return (
    <Note icon={Hourglass} tone="warn" more={<Reported detail={withoutWait(detail)} hint={hint} />}>
      {t("talk.provider_wait", { names: waiting_for.join(t("ui.comma")) })}
    </Note>
  );
}

/** The meeting waits no longer. */
export function ProviderWaitEnded({ event }: { event: Of<"provider_wait_ended"> }) {
  const { t } = useTranslation();
  return <Note icon={Hourglass}>{t(`talk.provider_wait_${event.payload.reason}`)}</Note>;
}

/** A ballot ended before it was counted. */
export function BallotInterrupted() {
  const { t } = useTranslation();
  return (
    <Note icon={Ban} tone="warn">
      {t("talk.ballot_interrupted")}
    </Note>
  );
}

/** The convergence after a round. */
export function Metric({ event }: { event: Of<"metric"> }) {
  const { t } = useTranslation();
  const {
    convergence_score: score,
    disagreements_count: disagreements,
    open_questions_count: open,
  } = event.payload;
  return <Note icon={Gauge}>{t("talk.metric", { score, disagreements, open })}</Note>;
}

/** An announcement. */
export function Announced({ event }: { event: Of<"announcement_published"> }) {
  const { t } = useTranslation();
  const actor = useActor();
  return (
    <div className="rounded-2xl bg-calm-soft px-4 py-2.5 text-dense">
      <p className="flex items-center gap-1.5 text-meta text-calm">
        <Megaphone size={14} aria-hidden />
        {t("talk.announced", { name: actor(event.payload.by) })}
      </p>
      <p className="whitespace-pre-wrap">{event.payload.text}</p>
    </div>
  );
}

/** The agenda has changed. */
export function AgendaChanged({ event }: { event: Of<"agenda_changed"> }) {
  const { t } = useTranslation();
  const { payload } = event;
  const title = useMeeting(({ view, lines }) => {
    if (payload.change === "added") {
      return payload.item.title;
    }
    const added = lines.flatMap((line) =>
      is(line, "agenda_changed") && line.payload.change === "added" ? line.payload.item : [],
    );
    // The view does not know removed items; when the line that added one is not loaded, it has no title.
    return [...(view?.agenda ?? []), ...added].find((item) => item.id === payload.item)?.title ?? "";
  });
  const more = payload.change === "added" ? payload.item.description : undefined;
  return (
    <Note icon={ListChecks} more={more}>
      {t(`talk.agenda_${payload.change}`, { title })}
    </Note>
  );
}

/** A file was attached. */
export function FileAttached({ event }: { event: Of<"file_attached"> }) {
  const { t } = useTranslation();
  const actor = useActor();
  const { id } = useTalk();
  const { file, by } = event.payload;
  useKnownFile(id, file.id);
  const image = file.image && (
    <Thumbnail
      id={id}
      file={file}
      title={t("talk.view_image", { name: file.name })}
      className="mt-1 h-auto max-h-40 w-auto max-w-full"
    />
  );
  return (
    <Note icon={Paperclip} more={image}>
      {t("talk.file_attached", { name: actor(by), file: file.name, id: file.id })}
    </Note>
  );
}

/** A file was removed. */
export function FileRemoved({ event }: { event: Of<"file_removed"> }) {
  const { t } = useTranslation();
  const actor = useActor();
  return (
    <Note icon={Paperclip}>
      {t("talk.file_removed", { name: actor(event.payload.by), id: event.payload.file })}
    </Note>
  );
}

/** The topic has changed. */
export function TopicChanged({ event }: { event: Of<"topic_changed"> }) {
  const { t } = useTranslation();
  const actor = useActor();
  return (
    <Note icon={Type}>
      {t("talk.topic_changed", { name: actor(event.payload.by), topic: event.payload.topic })}
    </Note>
  );
}

/** The meeting is called otherwise, or shows its times otherwise. */
export function DetailsChanged({ event }: { event: Of<"details_changed"> }) {
  const { t } = useTranslation();
  const actor = useActor();
  const { by, details } = event.payload;
  const [name, title] = [actor(by), details.title ?? ""];
  return (
    <Note icon={Type} more={details.description || undefined}>
      {title ? t("talk.named", { name, title }) : t("talk.details_changed", { name })}
    </Note>
  );
}

/** The rules have changed. */
export function RulesChanged({ event }: { event: Of<"rules_changed"> }) {
  const { t } = useTranslation();
  const actor = useActor();
  return <Note icon={SlidersHorizontal}>{t("talk.rules_changed", { name: actor(event.payload.by) })}</Note>;
}

/** The meeting started. */
export function Started({ event }: { event: Of<"meeting_started"> }) {
  const { t } = useTranslation();
  const actor = useActor();
  return <Note icon={Play}>{t("talk.started", { name: actor(event.payload.by) })}</Note>;
}

/** Another process took over the meeting. */
export function Recovered({ event }: { event: Of<"recovered"> }) {
  const { t } = useTranslation();
  const slept = event.payload.idle_ms != null;
  return <Note icon={RotateCcw}>{t(slept ? "talk.slept" : "talk.recovered")}</Note>;
}

/** The events before are another meeting's. */
export function Forked({ event }: { event: Of<"meeting_forked"> }) {
  const { t } = useTranslation();
  const { from, at, carried } = event.payload;
  const more =
    carried &&
    t("talk.forked_carried", {
      calls: count(carried.calls),
      tokens: count(carried.tokens),
      cost: carried.cost_micros == null ? t("table.cost.unknown") : money(carried.cost_micros),
      time: span(carried.ran_ms),
    });
  return (
    <Note icon={GitFork} more={more}>
      {t("talk.forked_from")}{" "}
      <Link
        to="/m/$id"
        params={{ id: from }}
        search={{ at }}
        className="text-calm underline decoration-1 underline-offset-2"
      >
        {t("talk.to_origin")}
      </Link>
    </Note>
  );
}

/** The meeting was read from files. */
export function Imported({ event }: { event: Of<"meeting_imported"> }) {
  const { t } = useTranslation();
  const phrase = usePhrase();
  return (
    <Note icon={Archive} more={event.payload.notes?.map(phrase).join(" ")}>
      {t("talk.imported", { from: event.payload.name ?? event.payload.from })}
    </Note>
  );
}

/** A line that this page cannot parse; it is in the log. */
export function Broken({ seq }: { seq: number }) {
  const { t } = useTranslation();
  return (
    <Note icon={TriangleAlert} tone="warn">
      {t("talk.broken", { seq })}
    </Note>
  );
}
