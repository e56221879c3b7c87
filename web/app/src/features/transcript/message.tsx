// A message: its speaker, its addressee, its text, and its effect on the meeting.

import type { ReactNode } from "react";
import { useSpeakerName } from "../../components/speaker/actor-name";
import { guest, type Person } from "../../components/speaker/people";
import { runnerLabel } from "../../components/speaker/runner-label";
import { SpeakerMark, SpeakerName } from "../../components/speaker/speaker";
import { useTranslation } from "../../i18n";
import { Markdown } from "../../markdown";
import type { Of } from "../../meeting/event-types";
import { isBlindAnswer } from "../../meeting/fold/payload";
import { clock } from "../../shell/formatting";
import { Button } from "../../ui/button";
import { cx } from "../../ui/classes";
import { AnsweredClaims, NO_CLAIMS, useOpened, useTalk } from "./context";
import { EvidenceMarks } from "./evidence-marks";
import { MentionFrame, MentionMark, useMentioned } from "./mention-highlight";
import { MessageMenu } from "./message-menu";
import { MessageNumber } from "./message-number";
import { Reasoning } from "./reasoning";
import { Answers, Quoted } from "./replies";
import { linesOf } from "./rows";
import { StanceLine } from "./stance";

/** The number of lines of a message that are shown at first. */
const FOLD_LINES = 24;
/** A message that is only a little longer is not folded. */
const FOLD_FROM = 30;

interface FrameProps {
  person: Person;
  /** Details of the turn, between the name and the time. */
  about?: ReactNode;
  number?: ReactNode;
  time?: ReactNode;
  menu?: ReactNode;
  children: ReactNode;
}

/** The layout of every message: the mark at the left, the name above the text. */
export function MessageFrame({ person, about, number, time, menu, children }: FrameProps) {
  return (
    <div className="group/row flex gap-3">
      <SpeakerMark speaker={person} />
      <div className="min-w-0 flex-1">
        <div className="flex min-h-8 flex-wrap items-center gap-x-2">
          <span title={person.runner ? runnerLabel(person.runner) : undefined}>
            <SpeakerName speaker={person} className="text-dense" />
          </span>
          {person.role && <span className="text-meta text-ink-3">{person.role}</span>}
          {about}
          <span className="ml-auto flex items-center gap-1 text-meta text-ink-3">
            {number}
            {time}
            {menu}
          </span>
        </div>
        {children}
      </div>
    </div>
  );
}

/** A time of day with the round, for the corner of a message. Only an answer in the blind round is blind; what people say
 * before and after it is not. */
function When({ at, round, answer }: { at: number; round: number; answer?: boolean }) {
  const { t } = useTranslation();
  const blind = answer ? t("talk.blind_round") : undefined;
  const named = round === 0 ? blind : t("talk.round", { round });
  return (
    <time className="tabular-nums" dateTime={new Date(at).toISOString()} title={named}>
      {clock(at)}
    </time>
  );
}

/** The text of a message; a long one is folded until the user opens it. */
export function Words({ rowKey, text, small }: { rowKey: string; text: string; small?: boolean }) {
  const { t } = useTranslation();
  const long = linesOf(text) > FOLD_FROM;
  const [open, setOpen] = useOpened(rowKey);
  const folded = long && !open;
  return (
    <>
      <div
        className={cx(
          small ? "text-dense" : "text-body",
          folded && "overflow-hidden [mask-image:linear-gradient(#000_85%,transparent)]",
        )}
        style={folded ? { maxHeight: `${FOLD_LINES * 1.75}em` } : undefined}
      >
        <Markdown text={text} />
      </div>
      {long && (
        <Button
          look="quiet"
          size="small"
          className="-ml-2"
          aria-expanded={open}
          data-expand
          onClick={() => setOpen(!open)}
        >
          {open ? t("talk.fold") : t("talk.unfold")}
        </Button>
      )}
    </>
  );
}

/** A participant's message. */
export function AgentMessage({ event, rowKey }: { event: Of<"agent_message">; rowKey: string }) {
  const { t } = useTranslation();
  const { people, seats } = useTalk();
  const { participant, message, message_id, stance, round, reasoning, ended_early, cut_from_chars } =
    event.payload;
  const person = people.byId.get(participant) ?? guest(message.name);
  const early = ended_early === "length" || ended_early === "content_filter" ? ended_early : null;
  const mentioned = useMentioned(event);
  const drawn = (
    <MessageFrame
      person={person}
      about={
        <>
          {stance?.changed && <span className="text-meta text-warn">{t("talk.changed_mind")}</span>}
          {mentioned && <MentionMark />}
        </>
      }
      number={<MessageNumber id={message_id} seq={event.seq} />}
      time={<When at={event.ts_ms} round={round} answer />}
      menu={
        <MessageMenu
          seq={event.seq}
          id={message_id}
          name={message.name}
          mentionable={!seats.has(participant)}
          text={message.content}
        />
      }
    >
      <Answers ids={stance?.answered ?? []} />
      {reasoning && <Reasoning text={reasoning} />}
      {isBlindAnswer(event) ? (
        <p className="text-dense text-ink-3">{t("talk.blind_answer")}</p>
      ) : (
        <AnsweredClaims value={stance?.answered ?? NO_CLAIMS}>
          <Words rowKey={rowKey} text={message.content} />
        </AnsweredClaims>
      )}
      <EvidenceMarks evidence={message.evidence} />
      {early && <p className="text-meta text-warn">{t(`talk.early_${early}`)}</p>}
      {cut_from_chars != null && (
        <p className="text-meta text-warn">{t("talk.cut", { count: cut_from_chars })}</p>
      )}
      {stance && <StanceLine stance={stance} rowKey={rowKey} />}
    </MessageFrame>
  );
  return mentioned ? <MentionFrame seq={event.seq}>{drawn}</MentionFrame> : drawn;
}

/** A message of a person, or of an agent outside of its turn. */
export function UserMessage({ event, rowKey }: { event: Of<"user_message">; rowKey: string }) {
  const { t } = useTranslation();
  const { people, seats } = useTalk();
  const { by, message, message_id, reply_to, round } = event.payload;
  const name = useSpeakerName()({ by, name: message.name });
  const mentioned = useMentioned(event);
  if (by.kind === "participant") {
    const menu = (
      <MessageMenu
        seq={event.seq}
        id={message_id}
        name={message.name}
        mentionable={!seats.has(by.id)}
        text={message.content}
      />
    );
    const drawn = (
      <MessageFrame
        person={people.byId.get(by.id) ?? guest(message.name)}
        about={
          <>
            <span className="text-meta text-ink-3">{t("talk.out_of_turn")}</span>
            {mentioned && <MentionMark />}
          </>
        }
        number={<MessageNumber id={message_id} seq={event.seq} />}
        time={<When at={event.ts_ms} round={round} />}
        menu={menu}
      >
        {reply_to && <Quoted id={reply_to} />}
        <Words rowKey={rowKey} text={message.content} />
      </MessageFrame>
    );
    return mentioned ? <MentionFrame seq={event.seq}>{drawn}</MentionFrame> : drawn;
  }
  const drawn = (
    <MessageFrame
      person={guest(name)}
      about={
        <>
          <span className="text-meta text-ink-3">{t("table.person")}</span>
          {mentioned && <MentionMark />}
        </>
      }
      number={<MessageNumber id={message_id} seq={event.seq} />}
      time={<When at={event.ts_ms} round={round} />}
      menu={<MessageMenu seq={event.seq} id={message_id} name={name} text={message.content} />}
    >
      {reply_to && <Quoted id={reply_to} />}
      <Words rowKey={rowKey} text={message.content} />
    </MessageFrame>
  );
  return mentioned ? (
    <MentionFrame seq={event.seq}>{drawn}</MentionFrame>
  ) : (
    <div className="-mx-3 rounded-2xl bg-sunken px-3 py-2">{drawn}</div>
  );
}
