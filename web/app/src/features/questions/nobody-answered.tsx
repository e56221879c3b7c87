// The pause after all participants of a round failed, or all votes of a ballot: who, why, and how to go on.

import CircleX from "lucide-react/icons/circle-x";
import { useState } from "react";
import type { Event, FailureKind, ParticipantId, Phrase } from "../../api/schema";
import { useTable } from "../../components/meeting-page/context";
import { Reported, WhatToDo } from "../../components/meeting-page/failure";
import { useMeetingActions } from "../../components/meeting-page/start-pause-resume";
import { AnotherModelButton } from "../../components/models/another-model-button";
import { Named } from "../../components/speaker/avatar";
import { useTranslation } from "../../i18n";
import { useMeeting } from "../../meeting/hooks";
import type { View } from "../../meeting/view";
import { Button, ButtonLink } from "../../ui/button";
import { Dialog } from "../../ui/dialog";

/** A line that stays, and a window with what went wrong. */
export default function NobodyAnswered() {
  const { t } = useTranslation();
  const { view, may } = useTable();
  const meetingActions = useMeetingActions();
  const [open, setOpen] = useState(true);
  const lines = useMeeting((snapshot) => snapshot.lines);
  const round = view.round?.number ?? 0;
  const failures = failedVotes(view) ?? failedTurns(view, lines);
  const failed = failures.map((one) => one.who);
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
        {!(open && may.speak) && <AnotherModelButton ids={failed} small />}
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
            <AnotherModelButton ids={failed} />
            <Button look="primary" busy={meetingActions.busy} onClick={() => void meetingActions.resume()}>
              {t("table.next.resume")}
            </Button>
          </>
        }
      >
        <ul className="flex flex-col gap-3">
          {failures.map(({ who, kind, detail, hint }) => (
            <li key={who} className="text-dense">
              <Named view={view} id={who} />
              <span className="ml-2 text-bad">{t(`table.failure.${kind}`)}</span>
              <p className="text-ink-2">
                <WhatToDo kind={kind} />
              </p>
              <p className="break-words text-meta text-ink-3">
                <Reported detail={detail} hint={hint} />
              </p>
            </li>
          ))}
          {failures.length === 0 && (
            <li className="text-dense text-ink-2">{t("table.nobody.unknown", { n: round })}</li>
          )}
        </ul>
      </Dialog>
    </>
  );
}

/** Who failed, and with what. */
interface Failed {
  who: ParticipantId;
  kind: FailureKind;
  detail?: Phrase;
  hint?: Phrase;
}

/** The votes of the last ballot when every one of them failed; nothing otherwise. */
function failedVotes(view: View): Failed[] | undefined {
  const ballot = view.ballots.at(-1);
  const cast = Object.entries(ballot?.cast ?? {});
  if (!ballot || ballot.state === "open" || ballot.round !== view.round?.number || cast.length === 0) {
    return undefined;
  }
  const failed = cast.flatMap(([who, vote]): Failed[] =>
    "failed" in vote
      ? [{ who, kind: vote.failed.kind ?? "empty", detail: vote.failed.detail, hint: vote.failed.hint }]
      : [],
  );
  return failed.length === cast.length ? failed : undefined;
}

/** The last failed turn of each participant in the round. */
function failedTurns(view: View, lines: readonly Event[]): Failed[] {
  const last = new Map<ParticipantId, Failed>();
  for (const { id, participant: who, state } of view.round?.turns ?? []) {
    if (typeof state !== "object" || !("failed" in state)) {
      last.delete(who);
      continue;
    }
    const line = lines.findLast((one) => one.type === "turn_failed" && one.payload.turn === id);
    const told = line?.type === "turn_failed" ? { detail: line.payload.detail, hint: line.payload.hint } : {};
    last.set(who, { who, kind: state.failed, ...told });
  }
  return [...last.values()];
}
