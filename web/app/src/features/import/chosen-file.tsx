// A file that was chosen to be imported: what is in it, why it cannot be imported, what became of it.

import { Link } from "@tanstack/react-router";
import X from "lucide-react/icons/x";
import { problemOf } from "../../api/client";
import type { ImportResult } from "../../api/schema";
import { sizeOf } from "../../components/files/requests";
import { useTranslation } from "../../i18n";
import { usePhrase } from "../../i18n/phrases";
import { IconButton } from "../../ui/button";
import { Badge, ErrorNotice } from "../../ui/surface";
import type { Contents, Unfit } from "./read-export";

/** A file, from its choice to its result. */
export interface Chosen {
  key: string;
  name: string;
  size: number;
  /** What is in it, once it was read. */
  contents?: Contents | undefined;
  unfit?: Unfit;
  sending?: boolean;
  /** Whether its agents were asked for in a request of which nobody knows what became of it. */
  agents?: boolean | undefined;
  /** Why the server did not import it. */
  error?: unknown;
  result?: ImportResult;
}

/** So many topics are named; of the others their number is said. */
const TOPICS_MAX = 3;

/** The row of a file. */
export function ChosenFile({ one, onRemove }: { one: Chosen; onRemove: (() => void) | undefined }) {
  const { t } = useTranslation();
  const reading = !one.contents && !one.unfit && !one.result;
  return (
    <li className="flex flex-col gap-1.5 py-3">
      <div className="flex items-start gap-2">
        <p className="min-w-0 flex-1 text-dense break-all">
          <span className="font-medium">{one.name}</span>{" "}
          <span className="text-meta whitespace-nowrap text-ink-3">{sizeOf(one.size)}</span>
        </p>
        {onRemove && !one.result && (
          <IconButton size="small" label={t("dialog.import.remove", { name: one.name })} onClick={onRemove}>
            <X size={14} aria-hidden />
          </IconButton>
        )}
      </div>
      {(reading || one.sending) && (
        <p role="status" className="text-meta text-ink-3">
          {t(one.sending ? "dialog.import.sending" : "dialog.import.reading")}
        </p>
      )}
      {one.contents && <Held contents={one.contents} />}
      {one.unfit && (
        <p role="alert" className="text-dense text-bad">
          {t(`dialog.import.unfit.${one.unfit}`)}
        </p>
      )}
      {one.error !== undefined && (
        <>
          <ErrorNotice error={one.error} compact />
          {isUnsure(one.error) && <p className="text-dense text-warn">{t("dialog.import.unsure")}</p>}
        </>
      )}
      {one.result && <Result result={one.result} />}
    </li>
  );
}

/** Whether it may have been imported although no answer says so: a request that was cut off, or one of a proxy. */
export function isUnsure(error: unknown): boolean {
  return [0, 408, 502, 504].includes(problemOf(error).status);
}

function Held({ contents: { topics, meetings, agents, uploads } }: { contents: Contents }) {
  const { t } = useTranslation();
  const counts = [
    ...(meetings > 0 ? [t("dialog.import.meetings", { count: meetings })] : []),
    ...(agents > 0 ? [t("dialog.import.agents", { count: agents })] : []),
    ...(uploads > 0 ? [t("dialog.import.uploads", { count: uploads })] : []),
  ];
  const more = topics.length - TOPICS_MAX;
  return (
    <div className="text-dense text-ink-2">
      <p>{counts.join(" · ")}</p>
      {topics.length > 0 && (
        <ul className="pl-4">
          {topics.slice(0, TOPICS_MAX).map((topic, at) => (
            <li key={at} className="line-clamp-2 break-words">
              {topic}
            </li>
          ))}
          {more > 0 && <li className="text-ink-3">{t("dialog.import.more", { count: more })}</li>}
        </ul>
      )}
    </div>
  );
}

function Result({ result }: { result: ImportResult }) {
  const { t } = useTranslation();
  const phrase = usePhrase();
  const named = (outcome: "taken" | "known") =>
    result.agents
      .filter((agent) => agent.outcome === outcome)
      .map(({ name }) => name)
      .join(t("ui.comma"));
  const [taken, known] = [named("taken"), named("known")];
  return (
    <div role="status" className="flex flex-col gap-1 text-dense text-ink-2">
      {result.meetings.length > 0 && (
        <p className="text-good">{t("dialog.import.done", { count: result.meetings.length })}</p>
      )}
      <ul className="flex max-h-80 flex-col gap-1.5 overflow-y-auto">
        {result.meetings.map(({ meeting_id, topic, state, notes }) => (
          <li key={meeting_id} className="min-w-0">
            <Link
              to="/m/$id"
              params={{ id: meeting_id }}
              className="font-medium break-words text-accent underline underline-offset-2"
            >
              {topic}
            </Link>{" "}
            <Badge>{t(`dialog.import.state.${state === "ended" ? "ended" : "paused"}`)}</Badge>
            {notes.length > 0 && (
              <details>
                <summary className="text-meta text-ink-3">
                  {t("dialog.import.notes", { count: notes.length })}
                </summary>
                <ul className="list-disc pl-4 text-meta">
                  {notes.map((note, at) => (
                    <li key={at}>{phrase(note)}</li>
                  ))}
                </ul>
              </details>
            )}
          </li>
        ))}
      </ul>
      {taken && <p>{t("dialog.import.agent.taken", { names: taken })}</p>}
      {known && <p>{t("dialog.import.agent.known", { names: known })}</p>}
      {result.agents
        .filter((agent) => agent.outcome === "refused")
        .map(({ name, detail }) => (
          <p key={name} className="text-warn">
            {t("dialog.import.agent.refused", { name, detail })}
          </p>
        ))}
    </div>
  );
}
