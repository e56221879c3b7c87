// The questions of a pause to whoever may answer them: a line that stays, and their window.

import CircleHelp from "lucide-react/icons/circle-question-mark";
import { Suspense, useState } from "react";
import { api, done, onceKey, ProblemError } from "../../api/client";
import type { MeetingPause } from "../../api/schema";
import { useTable } from "../../components/meeting-page/context";
import { showQuestions, useQuestionsShown } from "../../components/meeting-page/postponed-questions";
import { useTranslation } from "../../i18n";
import { Button } from "../../ui/button";
import { lazily } from "../../ui/lazily";
import { notify } from "../../ui/toast";
import {
  type Answers,
  answerable,
  consequenceOf,
  firstAnswers,
  given,
  missing,
  refused,
  restOf,
} from "./answers";
import { usePauseText } from "./pause-text";

const AskWindow = lazily(() => import("./questions-window"));

/** The questions of this pause that the reader may answer; nothing where there are none. */
export default function Asked({ pause }: { pause: MeetingPause }) {
  const { may } = useTable();
  const questions = answerable(pause, may.manage);
  return questions.length > 0 ? <AskedForm pause={{ ...pause, questions }} /> : null;
}

function AskedForm({ pause }: { pause: MeetingPause }) {
  const { t } = useTranslation();
  const { view, may } = useTable();
  const shown = useQuestionsShown(pause.resume_token) && may.speak;
  const [answers, setAnswers] = useState<Answers>(() => firstAnswers(pause));
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const { questions, reason } = pause;
  const told = usePauseText(pause);
  const open = missing(questions, answers);
  const stale = error instanceof ProblemError && error.status === 409;

  const send = async (takeDefaults: boolean) => {
    setTried(true);
    if (!takeDefaults && open.length > 0) {
      document.querySelector<HTMLElement>("[data-missing] :is(textarea, input, button)")?.focus();
      return;
    }
    setBusy(true);
    setError(null);
    try {
      await done(
        api.POST("/api/v1/meetings/{id}/resume", {
          params: { path: { id: view.id }, header: onceKey() },
          body: {
            token: pause.resume_token,
            // The shape of the answers is that of the questions; the document cannot say it.
            answers: given(questions, answers) as Record<string, never>,
            take_defaults: takeDefaults,
          },
        }),
      );
      notify({ text: t(`table.ask.done.${consequenceOf(pause, answers, takeDefaults)}`) });
    } catch (error) {
      setError(error);
      setBusy(false);
    }
  };
  const refusal = error instanceof ProblemError ? error.problem : undefined;
  const rest = restOf(pause, answers);
  const errorOf = (key: string) => {
    const missed = tried && open.some((one) => one.key === key);
    return (
      (refusal && refused(refusal, key)) ??
      (missed && rest ? t("table.ask.missing", { button: t(`table.ask.rest.${rest}`) }) : undefined)
    );
  };
  const placed = refusal && questions.some((one) => refused(refusal, one.key));

  return (
    <>
      <section
        aria-label={t("table.ask.region")}
        className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-t border-line bg-accent-soft px-4 py-2 text-dense"
      >
        <CircleHelp size={16} className="shrink-0 text-accent" aria-hidden />
        <span className="min-w-0 flex-1">
          <span className="font-medium">{told.title}</span>
          {questions.length > 1 && reason !== "need_approval" && (
            <span className="ml-2 text-ink-2">{t("table.ask.count", { count: questions.length })}</span>
          )}
        </span>
        {may.speak ? (
          <Button size="small" look="primary" onClick={showQuestions}>
            {t("table.next.answer")}
          </Button>
        ) : (
          <span className="text-ink-2">{t("table.ask.others")}</span>
        )}
      </section>
      <Suspense>
        {shown && (
          <AskWindow
            pause={pause}
            answers={answers}
            onChange={setAnswers}
            errorOf={errorOf}
            busy={busy}
            send={(takeDefaults) => void send(takeDefaults)}
            problem={placed ? null : error}
            stale={stale}
          />
        )}
      </Suspense>
    </>
  );
}
