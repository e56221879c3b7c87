// The window in which a pause is answered.

import { useEffect, useState } from "react";
import type { MeetingPause } from "../../api/schema";
import { postponeQuestions, showQuestions } from "../../components/meeting-page/postponed-questions";
import { useTranslation } from "../../i18n";
import { useMeetingStore } from "../../meeting/hooks";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { ErrorNotice } from "../../ui/surface";
import { type Answers, consequenceOf, restOf } from "./answers";
import { PauseForm } from "./pause-form";
import { usePauseText } from "./pause-text";

interface Props {
  pause: MeetingPause;
  answers: Answers;
  onChange: (answers: Answers) => void;
  errorOf: (key: string) => string | undefined;
  busy: boolean;
  /** Sends the answers, and takes the defaults for the rest or not. */
  send: (takeDefaults: boolean) => void;
  /** An error that belongs to no single question. */
  problem: unknown;
  /** The pause is another one by now. */
  stale: boolean;
}

/** Whether the user is in the middle of writing something. */
function isWriting(): boolean {
  const at = document.activeElement;
  const isText =
    at instanceof HTMLTextAreaElement || (at instanceof HTMLInputElement && at.selectionStart !== null);
  return isText && at.value.trim() !== "";
}

/** The window. It takes no keys away from whoever is writing: then the questions are put aside, and their line stays. */
export default function QuestionsWindow(props: Props) {
  const [disturbs] = useState(isWriting);
  const { resume_token } = props.pause;
  useEffect(() => {
    if (disturbs) {
      postponeQuestions(resume_token);
    }
  }, [disturbs, resume_token]);
  return disturbs ? null : <OpenWindow {...props} />;
}

/** The questions, and what can be done with them. */
function OpenWindow({ pause, answers, onChange, errorOf, busy, send, problem, stale }: Props) {
  const { t } = useTranslation();
  const store = useMeetingStore();
  const told = usePauseText(pause);
  const rest = restOf(pause, answers);
  return (
    <Dialog
      open
      onOpenChange={(next) => (next ? showQuestions() : postponeQuestions(pause.resume_token))}
      title={told.title}
      description={told.text}
      footer={
        <>
          <Button look="quiet" onClick={() => postponeQuestions(pause.resume_token)}>
            {t("table.ask.later")}
          </Button>
          {rest && (
            <Button busy={busy} onClick={() => send(true)}>
              {t(`table.ask.rest.${rest}`)}
            </Button>
          )}
          <Button look="primary" busy={busy} onClick={() => send(false)}>
            {t(`table.ask.do.${consequenceOf(pause, answers, false)}`)}
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-5 py-1"
        onSubmit={(event) => {
          event.preventDefault();
          send(false);
        }}
      >
        <PauseForm pause={pause} answers={answers} onChange={onChange} errorOf={errorOf} />
        {problem !== null && (
          <ErrorNotice error={problem} compact onRetry={stale ? () => store.retryNow() : undefined} />
        )}
        {stale && <p className="text-dense text-ink-2">{t("table.ask.stale")}</p>}
      </form>
    </Dialog>
  );
}
