// The seat of the user: it waits for its turns, shows the one that is open, and says what became of the last.

import Bell from "lucide-react/icons/bell";
import { type RefObject, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import type { MeetingParticipant, OpenTurn } from "../../api/schema";
import { insertText } from "../../components/meeting-page/composer-input";
import { useTranslation } from "../../i18n";
import { useMeeting } from "../../meeting/hooks";
import { setOpenTurn } from "../../meeting/own-seat";
import { isOpen } from "../../meeting/view";
import { usePreference } from "../../preferences/preferences";
import { span } from "../../shell/formatting";
import { askToNotify, notifying, notifyTurn } from "../../shell/notifications";
import { Button } from "../../ui/button";
import { copy } from "../../ui/copy";
import { textOf } from "./answer-schema";
import { turnsAt } from "./api";
import { type Draft, keepDraft } from "./draft-storage";
import { shapeOfTurn, TurnForm } from "./form";
import { TurnClient, type TurnStatus } from "./turn-client";

/** The turns of the user at this meeting. */
export default function OwnTurn({ id, seat }: { id: string; seat: MeetingParticipant }) {
  const { t } = useTranslation();
  const desk = useMemo(() => new TurnClient(turnsAt(id)), [id]);
  const standing = useSyncExternalStore(desk.subscribe, desk.standing);
  const seq = useMeeting((shown) => shown.view?.last_seq ?? 0);
  const topic = useMeeting((shown) => shown.view?.topic ?? "");
  const asks = useMeeting(({ view }) => view !== null && view.state !== "ended");
  const drafts = useRef(new Map<string, Draft>());
  const wrote = useRef(false);
  const { turn, missed, until } = standing;
  const hands = async (sent: Promise<boolean>) => {
    wrote.current = true;
    const taken = await sent;
    wrote.current &&= taken;
    return taken;
  };

  useEffect(() => {
    if (!asks) {
      return;
    }
    desk.start();
    const look = () => desk.look();
    window.addEventListener("online", look);
    document.addEventListener("visibilitychange", look);
    return () => {
      desk.stop();
      window.removeEventListener("online", look);
      document.removeEventListener("visibilitychange", look);
    };
  }, [desk, asks]);
  // What happens at the table may end a turn.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each event is a reason to look
  useEffect(() => desk.look(), [desk, seq]);
  useEffect(() => {
    setOpenTurn(turn && { isVote: turn.kind === "vote", until });
    return () => setOpenTurn(null);
  }, [turn, until]);
  const ticket = turn?.ticket;
  const notice = useRef("");
  notice.current = t("turn.notice", { topic, span: span(Math.max(0, until - Date.now())) });
  // Once for each turn, whatever its words become.
  useEffect(() => (ticket === undefined ? undefined : notifyTurn(notice.current, ticket)), [ticket]);

  return (
    <>
      <div role="status" aria-live="assertive" className="sr-only">
        {turn && t("turn.announce", { kind: t(`turn.short.${turn.kind}`) })}
      </div>
      {missed && (
        <Missed
          turn={missed}
          draft={drafts.current.get(missed.ticket)}
          // The composer is out of sight while another turn waits.
          maySend={turn === null}
          onDone={() => {
            keepDraft(missed.ticket, null);
            desk.dismiss();
          }}
        />
      )}
      {turn ? (
        <div className="flex min-h-0 w-full px-3 sm:px-5">
          <TurnForm
            key={turn.ticket}
            turn={turn}
            standing={standing}
            onAnswer={(answer) => hands(desk.answer(turn.ticket, answer))}
            onSkip={() => hands(desk.skip(turn.ticket))}
            onDraft={(draft) => drafts.current.set(turn.ticket, draft)}
          />
        </div>
      ) : (
        <Waits seat={seat} standing={standing} wrote={wrote} />
      )}
    </>
  );
}

interface WaitsProps {
  seat: MeetingParticipant;
  standing: TurnStatus;
  /** The user has just handed in an answer: the focus was in the form, which is gone. */
  wrote: RefObject<boolean>;
}

/** Between turns: what is waited for, and what became of the last answer. */
function Waits({ seat, standing, wrote }: WaitsProps) {
  const { t } = useTranslation();
  const open = useMeeting(({ view }) => view !== null && isOpen(view));
  const begun = useMeeting(({ view }) => view?.state !== "draft");
  const wanted = usePreference("notifications") !== false;
  const [notify, setNotify] = useState(notifying);
  const line = useRef<HTMLParagraphElement>(null);
  const { lost } = standing;
  const voting = useMeeting(({ view }) => view?.ballots.at(-1)?.state === "open");
  const blind = useMeeting(({ view }) => view?.round?.kind === "blind" && view.round.ended_seq == null);
  // What is promised for the end of a ballot or of a blind round is over with it.
  const past = (standing.taken === "vote" && !voting) || (standing.taken === "blind" && !blind);
  const taken = past ? null : standing.taken;
  useEffect(() => {
    if (taken && wrote.current) {
      wrote.current = false;
      line.current?.focus({ preventScroll: true });
    }
  }, [taken, wrote]);
  if (!open) {
    return null;
  }
  const name = seat.participant.name;
  const text = lost
    ? t("turn.lost")
    : taken
      ? t(
          taken === "blind"
            ? "turn.taken_blind"
            : taken === "vote"
              ? "turn.taken_vote"
              : taken === "skipped"
                ? "turn.skipped"
                : "turn.taken",
        )
      : t(begun ? "turn.waits" : "turn.waits_start", { name });
  return (
    <div className="mx-auto flex w-full max-w-[46rem] shrink-0 flex-wrap items-center gap-2 px-4 pb-1.5 sm:px-6">
      <p ref={line} tabIndex={-1} role="status" className="min-w-0 flex-1 text-meta text-ink-3">
        {text}
      </p>
      {wanted && notify === "ask" && (
        <Button size="small" look="quiet" onClick={() => void askToNotify().then(setNotify)}>
          <Bell size={14} aria-hidden />
          {t("turn.notify_me")}
        </Button>
      )}
    </div>
  );
}

interface MissedProps {
  turn: OpenTurn;
  draft: Draft | undefined;
  maySend: boolean;
  onDone: () => void;
}

/** A turn that is over; what was written for it can be sent as a message. */
function Missed({ turn, draft, maySend, onDone }: MissedProps) {
  const { t } = useTranslation();
  const shape = shapeOfTurn(turn);
  const text = draft ? (shape ? textOf(shape, draft.fields) : draft.words.trim()) : "";
  return (
    <div
      role="alert"
      className="mx-auto mb-2 flex w-full max-w-[44rem] shrink-0 flex-col gap-1.5 rounded-xl border border-line bg-warn-soft px-3 py-2 text-dense"
    >
      <p>{text === "" ? t("turn.over") : t("turn.over_kept")}</p>
      {text !== "" && (
        <p className="max-h-24 overflow-y-auto whitespace-pre-wrap text-meta text-ink-2">{text}</p>
      )}
      <div className="flex flex-wrap gap-2">
        {text !== "" && (
          <>
            {maySend && (
              <Button
                size="small"
                onClick={() => {
                  insertText(text);
                  onDone();
                }}
              >
                {t("turn.to_message")}
              </Button>
            )}
            <Button size="small" look="quiet" onClick={() => void copy(text)}>
              {t("ui.copy")}
            </Button>
          </>
        )}
        <Button size="small" look="quiet" onClick={onDone}>
          {t("turn.dismiss")}
        </Button>
      </div>
    </div>
  );
}
