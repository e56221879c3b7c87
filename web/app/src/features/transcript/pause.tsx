// Pauses: the reason, the questions, and the answers.

import CirclePause from "lucide-react/icons/circle-pause";
import CirclePlay from "lucide-react/icons/circle-play";
import { useCallback } from "react";
import type { Question } from "../../api/schema";
import { isChosen } from "../../components/meeting-page/choices";
import { useActor } from "../../components/speaker/actor-name";
import { useTranslation } from "../../i18n";
import { usePhrase } from "../../i18n/phrases";
import type { Of } from "../../meeting/event-types";
import { useMeeting } from "../../meeting/hooks";
import type { Snapshot } from "../../meeting/snapshot";
import { Note } from "./notice";

/** The meeting paused. */
export function Pause({ event }: { event: Of<"pause"> }) {
  const { t } = useTranslation();
  const phrase = usePhrase();
  const why = useWhy(event);
  // A budget is raised in words of its own.
  const { pause_reason: reason, questions: asked = [] } = event.payload;
  const questions = reason === "budget_limit" ? [] : asked;
  return (
    <div>
      <Note icon={CirclePause} tone="warn">
        {why}
      </Note>
      {questions.length > 0 && (
        <ol className="mt-1 ml-11 flex list-decimal flex-col gap-0.5 pl-4 text-meta text-ink-2">
          {questions.map((question) => (
            <li key={question.key}>
              {phrase(question.ask)}
              {phrase(question.why) && (
                <span className="text-ink-3"> {t("talk.because", { why: phrase(question.why) })}</span>
              )}
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

/** Who paused the meeting, or why it is paused. */
function useWhy({ cause, payload: { by, pause_reason } }: Of<"pause">): string {
  const { t } = useTranslation();
  const actor = useActor();
  if (pause_reason !== "user_request") {
    return t("talk.paused", { why: t(`talk.pause_${pause_reason}`) });
  }
  if (cause === "fork" || cause === "import") {
    return t(`talk.paused_${cause}`);
  }
  return by.kind === "person" ? t("talk.paused_by", { name: actor(by) }) : t("talk.pause_user_request");
}

/** The meeting was resumed; answers stand with their questions, when the pause is loaded. */
export function Resume({ event }: { event: Of<"resume"> }) {
  const { t } = useTranslation();
  const phrase = usePhrase();
  const actor = useActor();
  const { answers = {}, defaults = [], by } = event.payload;
  const questions = useQuestionsBefore(event.seq);
  const given = Object.entries(answers).filter(([, value]) => value !== null && value !== "");
  return (
    <div>
      <Note icon={CirclePlay} tone="good">
        {/* Who answers that the meeting is to end resumes nothing. */}
        {t(answers.next === "end" ? "talk.pause_answered" : "talk.resumed", { name: actor(by) })}
      </Note>
      {given.length > 0 && (
        <dl className="mt-1 ml-11 flex flex-col gap-0.5 text-meta">
          {given.map(([key, value]) => (
            <div key={key}>
              <dt className="text-ink-3">{phrase(questions.find((one) => one.key === key)?.ask) || key}</dt>
              <dd className="text-ink-2">
                {isChosen(value)
                  ? t(`table.choice.${value}`)
                  : inWords(value, t("talk.yes_word"), t("talk.no_word"))}
                {defaults.includes(key) && <span className="text-ink-3"> {t("talk.default")}</span>}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

const NONE: Question[] = [];

function useQuestionsBefore(seq: number): Question[] {
  return useMeeting(
    useCallback(
      ({ lines }: Snapshot) => {
        const asked = lines.findLast((line) => line.seq < seq && line.type === "pause");
        return asked?.type === "pause" ? (asked.payload.questions ?? NONE) : NONE;
      },
      [seq],
    ),
  );
}

function inWords(value: unknown, yes: string, no: string): string {
  if (typeof value === "boolean") {
    return value ? yes : no;
  }
  if (Array.isArray(value)) {
    return value.map((one) => inWords(one, yes, no)).join(" · ");
  }
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
