// Records of the course: summaries, drafts, what divides, minutes, artifacts.

import { Link } from "@tanstack/react-router";
import type { Actor, SummaryPosition as Position } from "../../api/schema";
import { showPanel } from "../../components/meeting-page/layout";
import { gistOf } from "../../components/record/artifact-fields";
import { useActor } from "../../components/speaker/actor-name";
import { authorOf } from "../../components/speaker/people";
import { SpeakerMark } from "../../components/speaker/speaker";
import { useTranslation } from "../../i18n";
import type { Of } from "../../meeting/event-types";
import { excerpt } from "../../meeting/references";
import { Beginning } from "./beginning";
import { useTalk } from "./context";
import { Words } from "./message";
import { Points, Sheet } from "./notice";

/** The author of a record, in words. */
export function useAuthor(): (author: Actor) => string {
  const { t } = useTranslation();
  const { people } = useTalk();
  const actor = useActor();
  return (author) => {
    const who = authorOf(author, people);
    if ("person" in who) {
      return actor(who.person);
    }
    return "name" in who ? who.name : t(`talk.author_${who.word}`);
  };
}

/** A way to a part of the side panel. */
export function PanelLink({ tab, children }: { tab: string; children: string }) {
  const { id } = useTalk();
  return (
    <Link
      to="/m/$id"
      params={{ id }}
      search={(now) => ({ ...now, tab })}
      onClick={showPanel}
      className="text-meta text-ink-2 underline decoration-line-strong underline-offset-2 hover:text-ink"
    >
      {children}
    </Link>
  );
}

/** The summary, and the holders of positions. */
export function Summary({ event, rowKey }: { event: Of<"summary_written">; rowKey: string }) {
  const { t } = useTranslation();
  const author = useAuthor();
  const { people } = useTalk();
  const {
    round,
    text,
    by,
    positions,
    open_questions = [],
    disagreements = [],
    restored = [],
  } = event.payload;
  const title = round === 0 ? t("talk.summary_blind") : t("talk.summary", { round });
  const back = restored.map((id) => people.byId.get(id)?.name ?? id);
  return (
    <Sheet title={title} by={author(by)} label={title}>
      <Words rowKey={rowKey} text={text} small />
      <Positions positions={positions} />
      <Points title={t("talk.disagreements")} points={disagreements} />
      <Points title={t("talk.open_questions")} points={open_questions} />
      {back.length > 0 && (
        <p className="mt-2 text-meta text-warn">{t("talk.restored", { names: back.join(t("ui.comma")) })}</p>
      )}
    </Sheet>
  );
}

function Positions({ positions }: { positions: readonly Position[] }) {
  const { t } = useTranslation();
  const { people } = useTalk();
  if (positions.length === 0) {
    return null;
  }
  return (
    <div className="mt-2">
      <h4 className="text-meta font-medium text-ink-3">{t("talk.positions")}</h4>
      <ul className="mt-0.5 flex flex-col gap-1">
        {positions.map(({ text, holders }) => (
          <li key={text + holders.join()} className="flex flex-wrap items-center gap-x-2 text-dense">
            <span>{text}</span>
            <span className="flex items-center gap-1 text-meta text-ink-3">
              {holders.map((id) => {
                const person = people.byId.get(id);
                return person && <SpeakerMark key={id} speaker={person} size="small" />;
              })}
              {holders.map((id) => people.byId.get(id)?.name ?? id).join(t("ui.comma"))}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Minutes were written. */
export function MinutesWritten({ event }: { event: Of<"minutes_written"> }) {
  const { t } = useTranslation();
  const author = useAuthor();
  const { version, minutes, author: writer } = event.payload;
  const title = t("talk.minutes", { version });
  return (
    <Sheet title={title} by={author(writer)} label={title}>
      <Beginning text={minutes.summary || minutes.content} />
      <PanelLink tab="minutes">{t("talk.see_minutes")}</PanelLink>
    </Sheet>
  );
}

/** An artifact was written. */
export function ArtifactWritten({ event }: { event: Of<"artifact_written"> }) {
  const { t } = useTranslation();
  const author = useAuthor();
  const { artifact_type: kind, version, author: writer } = event.payload;
  const title = t("talk.artifact", { kind, version });
  const gist = gistOf({ type: kind, content: event.payload.content }, t("ui.comma"));
  return (
    <Sheet title={title} by={author(writer)} label={title}>
      <p className="text-dense text-ink-2">{gist ? excerpt(gist, 200) : t("table.artifact.empty")}</p>
      <PanelLink tab="artifacts">{t("talk.see_artifact")}</PanelLink>
    </Sheet>
  );
}
