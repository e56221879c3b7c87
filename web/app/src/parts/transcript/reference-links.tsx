// Words that are more than words: names that are called, and the claims and messages that are referred to.

import { Fragment, type ReactNode, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { opened } from "../../i18n";
import { marked, REFERENCES } from "../../markdown/marked";
import { useMeeting } from "../../meeting/hooks";
import { cx } from "../../ui/classes";
import { lazily } from "../../ui/lazily";
import { useSpeakerName } from "./actor-name";
import { voice } from "./avatar";
import { useClaim, useMessage, useTalk } from "./context";
import { callsIn, namesToCall } from "./mentions-in-text";
import { guest, type People, type Person } from "./people";

/**
 * Draws words: `@苏棠` in her colour, `[c4]` as a link to the claim. Quotations contain no mentions. `others` are at the
 * table without a seat; a participant goes before one of the same name.
 */
export function wordsOf(
  people: People,
  others: readonly string[] = [],
): (text: string, quoted?: boolean) => ReactNode {
  const all = [...others.map((name) => guest(name)), ...people.list];
  const byName = new Map(all.map((person) => [person.name, person]));
  const names = namesToCall([...byName.keys()]);
  return (text, quoted) => {
    const calls = quoted || !/[@＠﹫]/.test(text) ? [] : callsIn(text, names);
    if (calls.length === 0) {
      return referring(text);
    }
    const parts: ReactNode[] = [];
    let done = 0;
    for (const { from, to, name } of calls) {
      const person = byName.get(name);
      if (person && from >= done) {
        parts.push(referring(text.slice(done, from)), <Called key={from} person={person} />);
        done = to;
      }
    }
    return [...parts, referring(text.slice(done))].map((part, at) => <Fragment key={at}>{part}</Fragment>);
  };
}

const REFERRED = new RegExp(REFERENCES.source, "g");

function referring(text: string): ReactNode {
  return text.includes("[") ? marked(text, REFERRED, ([, ids]) => ids && <References ids={ids} />) : text;
}

function Called({ person }: { person: Person }) {
  const colours = voice(person);
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

function References({ ids }: { ids: string }) {
  return ids.split(/\s*[,，、]\s*/).map((id) => {
    const Mark = id.startsWith("c") ? ClaimMark : id.startsWith("f") ? FileMark : MessageMark;
    return <Mark key={id} id={id} />;
  });
}

const LINK = "rounded px-0.5 font-mono text-[0.8em] text-ink-3 hover:bg-sunken hover:text-ink";

/** The id of a claim, as a way to where it was raised. */
export function ClaimMark({ id }: { id: string }) {
  const { t } = useTranslation();
  const { goTo, people } = useTalk();
  const claim = useClaim(id);
  if (!claim) {
    return <span className="px-0.5 font-mono text-[0.8em] text-ink-3">{id}</span>;
  }
  const name = people.byId.get(claim.owner)?.name ?? claim.owner;
  const label = t("talk.go_to_claim", { name, text: claim.text });
  return (
    <button
      type="button"
      title={label}
      aria-label={`${id} ${label}`}
      className={LINK}
      onClick={() => goTo(claim.seq)}
    >
      {id}
    </button>
  );
}

const CitedLines = lazily(() => opened(import("../files/cited-lines"), "panels"));

/** Lines of a file, such as `f1#12-20`, as a way to see them. */
function FileMark({ id: citation }: { id: string }) {
  const { t } = useTranslation();
  const meeting = useMeeting((snapshot) => snapshot.view?.id ?? "");
  const [open, setOpen] = useState(false);
  const [file = citation, lines = ""] = citation.split("#");
  const [first = 1, last = first] = (lines.match(/\d+/g) ?? []).map(Number);
  const label = t("talk.show_citation", { citation });
  return (
    <>
      <button type="button" title={label} aria-label={label} className={LINK} onClick={() => setOpen(true)}>
        {citation}
      </button>
      {open && (
        <Suspense fallback={null}>
          <CitedLines id={meeting} file={file} first={first} last={last} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

function MessageMark({ id }: { id: string }) {
  const { t } = useTranslation();
  const { goTo } = useTalk();
  const message = useMessage(id);
  const nameOf = useSpeakerName();
  if (!message) {
    return <span className="px-0.5 font-mono text-[0.8em] text-ink-3">{id}</span>;
  }
  const label = t("talk.go_to_message", { name: nameOf(message), text: message.excerpt });
  return (
    <button
      type="button"
      title={label}
      aria-label={`${id} ${label}`}
      className={LINK}
      onClick={() => goTo(message.seq)}
    >
      {id}
    </button>
  );
}
