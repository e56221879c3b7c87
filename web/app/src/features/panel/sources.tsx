// Cited messages, each with a link.

import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { api, done } from "../../api/client";
import type { Actor, Event, MessageId, MeetingMessage as Said } from "../../api/schema";
import { useTable } from "../../components/meeting-page/context";
import { messageOf } from "../../components/record/references";
import { useSpeakerName } from "../../components/speaker/actor-name";
import { useTranslation } from "../../i18n";
import { is } from "../../meeting/event-types";
import { useMeeting, useMeetingStore } from "../../meeting/hooks";
import type { Snapshot } from "../../meeting/snapshot";
import { notifyError } from "../../ui/toast";

/** Goes to a message by its id: `m9`. */
export function useJumpToMessage(): (message: string) => void {
  const { id, jump } = useTable();
  const store = useMeetingStore();
  return (message) => {
    const line = lineOf(store.snapshot().lines, message);
    if (line) {
      jump(line.seq);
      return;
    }
    const path = { id, message };
    done(api.GET("/api/v1/meetings/{id}/messages/{message}", { params: { path } }))
      .then((said) => jump(said.seq))
      .catch(notifyError);
  };
}

/** The speaker and the round of a message; null while unknown. */
export function useSaid(message: MessageId): { name: string; round: string } | null {
  const { t } = useTranslation();
  const { id } = useTable();
  const nameOf = useSpeakerName();
  const here = useMeeting(useCallback((shown: Snapshot) => lineOf(shown.lines, message), [message]));
  const told = here && saidIn(here);
  const { data } = useQuery({ ...messageOf(id, message), enabled: !told });
  const said = told ?? (data && saidBy(data));
  if (!said) {
    return null;
  }
  const { round } = said;
  return { name: nameOf(said), round: round === 0 ? t("table.blind_round") : t("table.round", { n: round }) };
}

function lineOf(lines: readonly Event[], message: MessageId): Event | undefined {
  return lines.find((one) => "message_id" in one.payload && one.payload.message_id === message);
}

function saidIn(line: Event): { name: string; by?: Actor; round: number } | null {
  if (is(line, "user_message")) {
    const { message, by, round } = line.payload;
    return { name: message.name, by, round };
  }
  return is(line, "agent_message") ? { name: line.payload.message.name, round: line.payload.round } : null;
}

function saidBy({ name, speaker, round }: Said): { name: string; by?: Actor; round: number } {
  return speaker.kind === "participant" ? { name, round } : { name, by: speaker, round };
}

/** The way to a message: it names the speaker, or says what was written. */
export function Source({ message, label }: { message: MessageId; label?: string }) {
  return label ? <MessageLink id={message}>{label}</MessageLink> : <Speaker message={message} />;
}

function Speaker({ message }: { message: MessageId }) {
  const { t } = useTranslation();
  const said = useSaid(message);
  return (
    <MessageLink id={message} label={said ? t("table.jump_message", said) : t("table.jump_words")}>
      {said?.name ?? t("table.source")}
    </MessageLink>
  );
}

interface LinkProps {
  id: MessageId;
  /** A label for the tooltip and for screen readers. */
  label?: string;
  children: React.ReactNode;
}

function MessageLink({ id, label, children }: LinkProps) {
  const { t } = useTranslation();
  const jump = useJumpToMessage();
  const name = label ?? id + t("ui.colon") + t("table.jump_words");
  return (
    <button
      type="button"
      title={name}
      aria-label={name}
      className="rounded bg-sunken px-1 text-[11px] text-ink-2 hover:text-accent hover:underline"
      onClick={() => jump(id)}
    >
      {children}
    </button>
  );
}
