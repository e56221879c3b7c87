// One turn of the user: what is asked, what is written, and handing it in.

import SendHorizontal from "lucide-react/icons/send-horizontal";
import SkipForward from "lucide-react/icons/skip-forward";
import Timer from "lucide-react/icons/timer";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { ProblemError } from "../../api/client";
import type { OpenTurn } from "../../api/schema";
import { useTranslation } from "../../i18n";
import { Markdown } from "../../markdown";
import { useMeeting } from "../../meeting/hooks";
import { turnHeading } from "../../meeting/own-seat";
import { span } from "../../shell/formatting";
import { Button } from "../../ui/button";
import { cx } from "../../ui/classes";
import { Field, NumberInput, TextArea, TextInput } from "../../ui/field";
import { ErrorNotice } from "../../ui/surface";
import { blankOf, type Faults, fieldsOf, type Shape, shapeOf, stillWrong } from "./answer-schema";
import { type Draft, keepDraft, keptDraft } from "./draft-storage";
import { AnswerFields } from "./fields";
import { useTimeLeft } from "./time-left";
import type { Answer, TurnStatus } from "./turn-client";

/** So long before its end a turn says that it will be over soon. */
const SOON_MS = 30_000;

interface Props {
  turn: OpenTurn;
  standing: TurnStatus;
  onAnswer: (answer: Answer) => Promise<boolean>;
  onSkip: () => Promise<boolean>;
  /** The draft changes; for when the turn ends meanwhile. */
  onDraft: (draft: Draft) => void;
}

/** An empty draft. */
function blankDraft(shape: Shape | null): Draft {
  return { words: "", position: "", confidence: null, fields: shape ? blankOf(shape) : null };
}

/** The shape of the answer to a turn; none for words. */
export function shapeOfTurn(turn: OpenTurn): Shape | null {
  return turn.answer_schema ? shapeOf(turn.answer_schema) : null;
}

/** Words as they are handed in: what belongs to them follows as JSON, as a model writes it. */
function wordsOf({ words, position, confidence }: Draft): string {
  const about = {
    ...(position.trim() === "" ? {} : { position: position.trim() }),
    ...(confidence === null ? {} : { confidence }),
  };
  const text = words.trim();
  return Object.keys(about).length === 0 ? text : `${text}\n\n\`\`\`json\n${JSON.stringify(about)}\n\`\`\``;
}

export function TurnForm({ turn, standing, onAnswer, onSkip, onDraft }: Props) {
  const { t } = useTranslation();
  const title = useId();
  const { ticket, kind } = turn;
  const { again, sending, refused, until } = standing;
  const shape = useMemo(() => shapeOfTurn(turn), [turn]);
  const offRecord = useMeeting((shown) => shown.view?.off_record ?? false);
  const [draft, setDraft] = useState<Draft>(
    () => keptDraft(ticket) ?? (again === null ? null : keptDraft(again)) ?? blankDraft(shape),
  );
  const [faults, setFaults] = useState<Faults>({});
  const [empty, setEmpty] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const left = useTimeLeft(until);

  // biome-ignore lint/correctness/useExhaustiveDependencies: it is kept when it changes
  useEffect(() => {
    // What is off the record is kept nowhere, words that are still being written neither.
    keepDraft(ticket, offRecord ? null : draft);
    if (again !== null && again !== ticket) {
      keepDraft(again, null);
    }
    onDraft(draft);
  }, [draft, ticket, again, offRecord]);

  const change = (to: Partial<Draft>) => {
    const next = { ...draft, ...to };
    setDraft(next);
    setEmpty(false);
    setFaults((before) => (shape ? stillWrong(before, shape, next.fields) : before));
  };
  const hand = async () => {
    if (sending) {
      return;
    }
    if (shape) {
      const { value, faults: found } = fieldsOf(shape, draft.fields);
      setFaults(found);
      const [first] = Object.keys(found);
      if (first !== undefined) {
        requestAnimationFrame(() => {
          const field = form.current?.querySelector(`[data-fault="${CSS.escape(first)}"]`);
          // A number has buttons before its field.
          const control =
            field?.querySelector<HTMLElement>("input:not([aria-hidden=true], [type=hidden]), textarea") ??
            field?.querySelector("button");
          control?.focus({ preventScroll: true });
          // With what is wrong with it, which stands below it.
          field?.scrollIntoView?.({ block: "nearest" });
        });
        return;
      }
      if (await onAnswer({ fields: value as Record<string, unknown> })) {
        keepDraft(ticket, null);
      }
      return;
    }
    if (draft.words.trim() === "") {
      setEmpty(true);
      return;
    }
    if (await onAnswer({ text: wordsOf(draft) })) {
      keepDraft(ticket, null);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.nativeEvent.isComposing) {
      event.preventDefault();
      void hand();
    }
  };
  const skip = async () => {
    if (await onSkip()) {
      keepDraft(ticket, null);
    }
  };
  const wrong = empty ? 1 : Object.keys(faults).length;
  const more = draft.position !== "" || draft.confidence !== null;
  return (
    <form
      ref={form}
      aria-labelledby={title}
      data-testid="own-turn"
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault();
        void hand();
      }}
      className="mx-auto mb-3 flex max-h-[calc(var(--page-height,100dvh)*0.7)] w-full max-w-[44rem] flex-col keyboard:max-h-none overflow-hidden rounded-2xl border border-accent bg-raised shadow-float"
    >
      <header className="flex flex-wrap items-center gap-x-3 gap-y-0.5 border-b border-line px-3 py-2">
        <h2 ref={turnHeading} id={title} tabIndex={-1} className="text-body font-semibold">
          {t(kind === "vote" ? "turn.yours_vote" : "turn.yours")}
        </h2>
        <span className="min-w-0 truncate text-meta text-ink-3">
          {turn.role ? t("turn.as_role", { name: turn.participant, role: turn.role }) : turn.participant}
        </span>
        <span
          role="timer"
          className={cx(
            "ml-auto inline-flex items-center gap-1 text-meta tabular-nums",
            left <= SOON_MS ? "text-warn" : "text-ink-3",
          )}
        >
          <Timer size={13} aria-hidden />
          {left > 0 ? t("turn.left", { span: span(left) }) : t("turn.time_up")}
        </span>
        <span role="status" className="sr-only">
          {left > 0 && left <= SOON_MS && t("turn.left_soon", { span: span(SOON_MS) })}
        </span>
      </header>
      <div className="flex min-h-0 flex-col gap-3 overflow-y-auto px-3 py-3">
        <p className="text-dense text-ink-2">{t(`turn.kind.${kind}`)}</p>
        {turn.problem && (
          <p role="alert" className="rounded-lg bg-warn-soft px-3 py-2 text-dense text-ink">
            {t("turn.again", { problem: turn.problem })}
          </p>
        )}
        <Task turn={turn} />
        {shape ? (
          <AnswerFields
            shape={shape}
            filled={draft.fields}
            onChange={(fields) => change({ fields })}
            faults={faults}
          />
        ) : (
          <>
            <Field
              label={t("turn.words")}
              hint={t("turn.words_hint")}
              error={empty ? t("turn.fault.missing") : undefined}
            >
              <TextArea
                rows={4}
                value={draft.words}
                onChange={(event) => change({ words: event.target.value })}
              />
            </Field>
            <details open={more || undefined}>
              <summary className="text-dense text-ink-2">{t("turn.stance")}</summary>
              <div className="mt-2 flex flex-col gap-3">
                <Field label={t("turn.field.position")} hint={t("turn.position_hint")}>
                  <TextInput
                    value={draft.position}
                    maxLength={400}
                    onChange={(event) => change({ position: event.currentTarget.value })}
                  />
                </Field>
                <Field label={t("turn.field.confidence")} hint={t("turn.between", { least: 0, most: 100 })}>
                  <NumberInput
                    label={t("turn.field.confidence")}
                    value={draft.confidence}
                    onChange={(confidence) => change({ confidence })}
                    min={0}
                    max={100}
                  />
                </Field>
              </div>
            </details>
          </>
        )}
      </div>
      {refused && (
        <div className="px-3 pb-2">
          <ErrorNotice error={new ProblemError(refused)} compact />
        </div>
      )}
      <footer className="flex flex-wrap items-center gap-2 border-t border-line px-3 py-2">
        {wrong > 0 ? (
          <p role="alert" className="min-w-0 flex-1 text-meta text-bad">
            {t("turn.faults", { count: wrong })}
          </p>
        ) : (
          <p className="min-w-0 flex-1 text-meta text-ink-3">
            <span className="coarse:hidden">{t("turn.keys")}</span>
          </p>
        )}
        {turn.can_skip && (
          <Button size="small" disabled={sending} onClick={() => void skip()}>
            <SkipForward size={14} aria-hidden />
            {t("turn.skip")}
          </Button>
        )}
        <Button type="submit" look="primary" size="small" busy={sending}>
          <SendHorizontal size={14} aria-hidden />
          {t("turn.hand_in")}
        </Button>
      </footer>
    </form>
  );
}

/** What is to be answered: questions, claims of others, the draft of a ballot, and all of it as a model reads it. */
function Task({ turn }: { turn: OpenTurn }) {
  const { t } = useTranslation();
  const draft = useId();
  const whole = turn.messages.at(-1)?.content ?? "";
  return (
    <>
      {turn.focus.length > 0 && (
        <div>
          <h3 className="text-dense font-medium">{t("turn.focus")}</h3>
          <ul className="list-disc pl-5 text-dense text-ink-2">
            {turn.focus.map((question) => (
              <li key={question}>{question}</li>
            ))}
          </ul>
        </div>
      )}
      {turn.targets.length > 0 && (
        <div>
          <h3 className="text-dense font-medium">{t("turn.targets")}</h3>
          <ul className="flex flex-col gap-1 text-dense text-ink-2">
            {turn.targets.map((target) => (
              <li key={target.claim} className="border-l-2 border-line pl-2">
                <span className="text-ink-3">
                  {target.owner} · {target.claim}
                </span>{" "}
                {target.text}
              </li>
            ))}
          </ul>
        </div>
      )}
      {turn.kind === "vote" && turn.draft && (
        // On a phone the draft leaves room for the vote, and is read by scrolling in it.
        <div className="rounded-lg border border-line px-3 py-2">
          <h3 id={draft} className="text-meta font-medium text-ink-3">
            {t("turn.draft")}
          </h3>
          <section
            aria-labelledby={draft}
            tabIndex={0}
            className="max-sm:-mx-3 max-sm:-mb-2 max-sm:max-h-[22dvh] max-sm:px-3 max-sm:overflow-y-auto max-sm:scroll-shade max-sm:pb-2"
          >
            <Markdown text={turn.draft} />
          </section>
        </div>
      )}
      {whole !== "" && (
        <details>
          <summary className="text-meta text-ink-3">{t("turn.task")}</summary>
          <div className="mt-1 max-h-48 overflow-y-auto rounded-lg bg-sunken px-3 py-2 text-meta whitespace-pre-wrap">
            {whole}
          </div>
        </details>
      )}
    </>
  );
}
