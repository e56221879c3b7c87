// Words that are more than words: names that are called, and the claims and messages that are referred to.

import { Fragment, type ReactNode, use } from "react";
import { FileMark } from "../../components/files/file-mark";
import { ClaimLink, ReferenceLink } from "../../components/record/references";
import { useSpeakerName } from "../../components/speaker/actor-name";
import { guest, type People, type Person } from "../../components/speaker/people";
import { voice } from "../../components/speaker/speaker";
import { useTranslation } from "../../i18n";
import { type FileNames, withReferences } from "../../markdown/marked";
import { useMeeting } from "../../meeting/hooks";
import { callsIn, namesToCall } from "../../meeting/mentions-in-text";
import { cx } from "../../ui/classes";
import { AnsweredClaims, useClaim, useMessage } from "./context";

/**
 * Draws words: `@苏棠` in her colour, `[c4]` as a link to the claim. Quotations contain no mentions. `others` are at the
 * table without a seat; a participant goes before one of the same name.
 */
export function wordsOf(
  people: People,
  others: readonly string[] = [],
  files?: FileNames,
): (text: string, quoted?: boolean) => ReactNode {
  const all = [...others.map((name) => guest(name)), ...people.list];
  const byName = new Map(all.map((person) => [person.name, person]));
  const names = namesToCall([...byName.keys()]);
  return (text, quoted) => {
    const calls = quoted || !/[@＠﹫]/.test(text) ? [] : callsIn(text, names);
    if (calls.length === 0) {
      return referring(text, files);
    }
    const parts: ReactNode[] = [];
    let done = 0;
    for (const { from, to, name } of calls) {
      const person = byName.get(name);
      if (person && from >= done) {
        parts.push(referring(text.slice(done, from), files), <Called key={from} person={person} />);
        done = to;
      }
    }
    return [...parts, referring(text.slice(done), files)].map((part, at) => (
      <Fragment key={at}>{part}</Fragment>
    ));
  };
}

/** Messages are referred to in brackets alone here: what people write is no list of sources. */
function referring(text: string, files: FileNames | undefined): ReactNode {
  // A paragraph that begins with a claim is an answer to it, where the message says that it answers it.
  let leading = /^\[(c\d{1,6})\]/.exec(text)?.[1];
  const draw = (id: string, written: string | undefined) => {
    const leads = id === leading;
    leading = undefined;
    return <Reference id={id} written={written} leads={leads} />;
  };
  return withReferences(text, 0, draw, files);
}

function Called({ person }: { person: Person }) {
  const colours = voice(person.hue);
  return (
    <span
      data-called
      style={colours.style}
      className={cx(
        colours.className,
        "rounded px-0.5",
        person.hue === null ? "bg-line text-ink" : "bg-voice-fill text-voice-ink",
      )}
    >
      @{person.name}
    </span>
  );
}

function Reference({ id, written, leads }: { id: string; written: string | undefined; leads: boolean }) {
  const { t } = useTranslation();
  const answered = use(AnsweredClaims);
  const meeting = useMeeting((snapshot) => snapshot.view?.id ?? "");
  if (id.startsWith("f")) {
    return <FileMark meeting={meeting} id={id} written={written} />;
  }
  if (!id.startsWith("c")) {
    return <MessageMark message={id} />;
  }
  return (
    <ClaimMark id={id} words={leads && answered.includes(id) ? t("talk.answers_claim", { id }) : undefined} />
  );
}

/** The id of a claim, or words with it, as a way to where it was raised. */
export function ClaimMark({ id, words }: { id: string; words?: string | undefined }) {
  return <ClaimLink id={id} claim={useClaim(id)} words={words} />;
}

/** The id of a message, as a way to it. */
export function MessageMark({ message: id }: { message: string }) {
  const { t } = useTranslation();
  const message = useMessage(id);
  const nameOf = useSpeakerName();
  const label = message && t("talk.go_to_message", { name: nameOf(message), text: message.excerpt });
  return <ReferenceLink id={id} seq={message?.seq} label={label} />;
}
