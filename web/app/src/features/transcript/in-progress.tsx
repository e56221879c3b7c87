// Work in progress at the end of the transcript: answers while they are generated, and tasks of the
// facilitator.

import { useCallback, useEffect, useMemo } from "react";
import type { ReplyTarget } from "../../api/schema";
import { awaitedBy, noticeableRetry } from "../../components/meeting-page/provider-pause";
import { guest } from "../../components/speaker/people";
import { useTranslation } from "../../i18n";
import { Markdown } from "../../markdown";
import { useMeeting, usePartial } from "../../meeting/hooks";
import { useOwnSeat } from "../../meeting/own-seat";
import type { Snapshot } from "../../meeting/snapshot";
import { clock, span } from "../../shell/formatting";
import { cx } from "../../ui/classes";
import { AnsweredClaims, useTalk } from "./context";
import { useElapsed } from "./elapsed";
import { MessageFrame } from "./message";
import { readableText } from "./partial-json";
import { Reasoning, Thinking } from "./reasoning";
import { Answers } from "./replies";
import { taskOf } from "./tasks";

const NONE: readonly ReplyTarget[] = [];

/** A caret after the last word that is written. */
const CARET =
  "[&_.markdown>p:last-child]:after:caret [&_.markdown>p:last-child]:after:content-[''] " +
  "[&_.markdown>:is(ul,ol):last-child>li:last-child]:after:caret [&_.markdown>:is(ul,ol):last-child>li:last-child]:after:content-['']";

/** The current speaker: thinking, then speaking. */
export function Speaking({
  turn,
  participant,
  rowKey,
}: {
  turn: string;
  participant: string;
  rowKey: string;
}) {
  const { t } = useTranslation();
  const { people, opened } = useTalk();
  const task = `speak:${turn}`;
  const partial = usePartial(task);
  const since = useMeeting(useCallback((shown: Snapshot) => shown.view?.calls[task]?.started_at, [task]));
  const paused = useMeeting((shown) => shown.connection === "lost" || shown.connection === "paused");
  const halted = useMeeting(
    useCallback(
      (shown: Snapshot) => shown.view?.pause != null && shown.view.calls[task] === undefined,
      [task],
    ),
  );
  const targets = useMeeting(
    useCallback(
      (shown: Snapshot) => shown.view?.round?.turns.find((one) => one.id === turn)?.targets ?? NONE,
      [turn],
    ),
  );
  const claims = useMemo(() => targets.map((target) => target.claim), [targets]);
  // A message that the user watched to the end is not folded.
  useEffect(() => {
    opened.set(rowKey, true);
  }, [opened, rowKey]);
  const person = people.byId.get(participant) ?? guest(participant);
  const asked = person.runner?.kind === "external" && person.runner.via === "person";
  const own = useOwnSeat()?.participant.id === participant;
  const awaited = useMeeting(
    useCallback((shown: Snapshot) => shown.view && awaitedBy(person.runner, shown.view), [person.runner]),
  );
  const retry = useMeeting(
    useCallback((shown: Snapshot) => shown.view && noticeableRetry(shown.view, task), [task]),
  );
  // No time has gone by since a moment that is still to come.
  const waits = useElapsed(retry?.next_try_at) === 0 && !halted ? retry : undefined;
  const words = partial?.answer ? readableText(partial.answer) : "";
  const state = halted
    ? undefined
    : asked
      ? t("talk.asked_state")
      : words
        ? t("talk.speaking")
        : awaited || waits
          ? t("talk.seat_waiting")
          : t("talk.thinking_state");
  return (
    <MessageFrame person={person} about={<span className="text-meta text-ink-3">{state}</span>}>
      <Answers ids={claims} asked />
      {partial?.reasoning && <Reasoning text={partial.reasoning} since={words ? undefined : since} />}
      {words ? (
        <div className={cx("text-body", !paused && !halted && CARET)}>
          <AnsweredClaims value={claims}>
            <Markdown text={words} open />
          </AnsweredClaims>
        </div>
      ) : halted ? (
        <p className="text-meta text-ink-3">{t("talk.turn_halted")}</p>
      ) : awaited ? (
        <p className="text-meta text-ink-3">{t("talk.awaits_provider", { name: awaited })}</p>
      ) : waits ? (
        <p className="text-meta text-ink-3">
          {t("talk.retry_at", {
            why: t(`table.failure.${waits.kind}`),
            time: clock(Date.parse(waits.next_try_at), true),
          })}
        </p>
      ) : (
        !partial?.reasoning && (
          <p className="text-meta text-ink-3">
            {own ? (
              t("table.rail.asked_you")
            ) : since === undefined ? (
              t(asked ? "talk.asked_now" : "talk.thinking", { name: person.name })
            ) : asked ? (
              <Asked since={since} name={person.name} />
            ) : (
              <Thinking since={since} />
            )}
          </p>
        )
      )}
    </MessageFrame>
  );
}

/** How long a person has been asked for an answer. */
function Asked({ since, name }: { since: string; name: string }) {
  const { t } = useTranslation();
  const whole = Math.floor(useElapsed(since) / 1_000) * 1_000;
  return (
    <>{whole === 0 ? t("talk.asked_now", { name }) : t("talk.asked_for", { name, span: span(whole) })}</>
  );
}

/** Something is done whose words are not shown while they are written: minutes also by a participant. */
export function Working({ task }: { task: string }) {
  const { t } = useTranslation();
  const kind = taskOf(task);
  const since = useMeeting(useCallback((shown: Snapshot) => shown.view?.calls[task]?.started_at, [task]));
  const elapsed = useElapsed(since);
  return (
    <div className="flex items-center gap-3 text-meta text-ink-3">
      <span className="flex w-8 justify-end">
        <span className="caret" aria-hidden />
      </span>
      {t("talk.working", { task: t(`table.task.${kind === "speak" || kind === "vote" ? "any" : kind}`) })}
      {elapsed >= 3_000 && <span className="tabular-nums">{span(Math.floor(elapsed / 1_000) * 1_000)}</span>}
    </div>
  );
}
