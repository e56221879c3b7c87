// The pause after all participants of a round failed: who, why, and how to go on.

import CircleX from "lucide-react/icons/circle-x";
import { useState } from "react";
import { useTable } from "../../components/meeting-page/context";
import { Reported, WhatToDo } from "../../components/meeting-page/failure";
import { useMeetingActions } from "../../components/meeting-page/start-pause-resume";
import { Named } from "../../components/speaker/avatar";
import { useTranslation } from "../../i18n";
import { useMeeting } from "../../meeting/hooks";
import { Button, ButtonLink } from "../../ui/button";
import { Dialog } from "../../ui/dialog";

/** A line that stays, and a window with what went wrong. */
export function NobodyAnswered() {
  const { t } = useTranslation();
  const { view, may } = useTable();
  const meetingActions = useMeetingActions();
  const [open, setOpen] = useState(true);
  const lines = useMeeting((snapshot) => snapshot.lines);
  const round = view.round?.number ?? 0;
  const failed = (view.round?.turns ?? []).filter(
    (turn) => typeof turn.state === "object" && "failed" in turn.state,
  );
  const told = (turn: string) =>
    lines.findLast((line) => line.type === "turn_failed" && line.payload.turn === turn);
  return (
    <>
      <section
        aria-label={t("table.ask.region")}
        className="flex shrink-0 flex-wrap items-center gap-3 border-t border-line bg-bad-soft px-4 py-2 text-dense"
      >
        <CircleX size={16} className="shrink-0 text-bad" aria-hidden />
        <span className="min-w-0 flex-1 font-medium">{t("table.pause.nobody_answered.title")}</span>
        <Button size="small" look="quiet" onClick={() => setOpen(true)}>
          {t("table.nobody.details")}
        </Button>
        {may.speak && (
          <Button
            size="small"
            look="primary"
            busy={meetingActions.busy}
            onClick={() => void meetingActions.resume()}
          >
            {t("table.next.resume")}
          </Button>
        )}
      </section>
      <Dialog
        open={open && may.speak}
        onOpenChange={setOpen}
        title={t("table.pause.nobody_answered.title")}
        description={t("table.pause.nobody_answered.text")}
        footer={
          <>
            <Button look="quiet" onClick={() => setOpen(false)}>
              {t("table.ask.later")}
            </Button>
            <ButtonLink to="/settings/$part" params={{ part: "providers" }}>
              {t("table.nobody.providers")}
            </ButtonLink>
            <Button look="primary" busy={meetingActions.busy} onClick={() => void meetingActions.resume()}>
              {t("table.next.resume")}
            </Button>
          </>
        }
      >
        <ul className="flex flex-col gap-3">
          {failed.map((turn) => {
            const line = told(turn.id);
            const why =
              typeof turn.state === "object" && "failed" in turn.state ? turn.state.failed : "empty";
            return (
              <li key={turn.id} className="text-dense">
                <Named view={view} id={turn.participant} />
                <span className="ml-2 text-bad">{t(`table.failure.${why}`)}</span>
                <p className="text-ink-2">
                  <WhatToDo kind={why} />
                </p>
                {line?.type === "turn_failed" && (
                  <p className="break-words text-meta text-ink-3">
                    <Reported detail={line.payload.detail} hint={line.payload.hint} />
                  </p>
                )}
              </li>
            );
          })}
          {failed.length === 0 && (
            <li className="text-dense text-ink-2">{t("table.nobody.unknown", { n: round })}</li>
          )}
        </ul>
      </Dialog>
    </>
  );
}
