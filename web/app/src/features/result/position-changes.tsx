// Changes of position with their causes, read from the log on request.

import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import type { ClaimId, Event, ParticipantId } from "../../api/schema";
import { spokenOf } from "../../components/export/result-queries";
import { EventLink, Speaker, usePlace } from "../../components/record/place";
import { Lines, Nothing } from "../../components/record/section";
import { useTranslation } from "../../i18n";
import { Button } from "../../ui/button";
import { ErrorNotice, Waiting } from "../../ui/surface";

/** A change of position. */
interface PositionChange {
  seq: number;
  who: ParticipantId;
  from: string;
  to: string;
  /** The claim that was named as the cause; undefined when there was none. */
  by?: { claim: ClaimId; text: string; owner: ParticipantId; seq: number };
}

/** Every change of position in what was said. */
function positionChangesIn(events: readonly Event[]): PositionChange[] {
  const claims = new Map<ClaimId, { text: string; owner: ParticipantId; seq: number }>();
  const held = new Map<ParticipantId, string>();
  const moves: PositionChange[] = [];
  for (const event of events) {
    if (event.type !== "agent_message" || !event.payload.stance) {
      continue;
    }
    const { participant, stance } = event.payload;
    for (const claim of stance.claims ?? []) {
      claims.set(claim.id, { text: claim.text, owner: participant, seq: event.seq });
    }
    // A participant that reports a change in its first message had no position yet.
    if (stance.changed && held.has(participant)) {
      const named = stance.changed_by ? claims.get(stance.changed_by) : undefined;
      moves.push({
        seq: event.seq,
        who: participant,
        from: held.get(participant) ?? "",
        to: stance.position ?? "",
        ...(named && stance.changed_by ? { by: { claim: stance.changed_by, ...named } } : {}),
      });
    }
    if (stance.position) {
      held.set(participant, stance.position);
    }
  }
  return moves;
}

/** A button that shows what moved whom. */
export function PositionChanges() {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <div className="mt-4 print:hidden">
      <Button size="small" look="quiet" aria-expanded={open} className="-ml-2" onClick={() => setOpen(!open)}>
        {t(open ? "result.moves_hide" : "result.moves_show")}
      </Button>
      {open && <MoveList />}
    </div>
  );
}

function MoveList() {
  const { t } = useTranslation();
  const { meeting, lang, nameOf: name } = usePlace();
  const spoken = useInfiniteQuery(spokenOf(meeting));
  const { hasNextPage, isFetching, fetchNextPage } = spoken;
  useEffect(() => {
    if (hasNextPage && !isFetching) {
      void fetchNextPage();
    }
  }, [hasNextPage, isFetching, fetchNextPage]);
  const moves = useMemo(
    () => positionChangesIn(spoken.data?.pages.flatMap((page) => page.events) ?? []),
    [spoken.data],
  );
  if (spoken.error) {
    return <ErrorNotice compact error={spoken.error} onRetry={() => void spoken.refetch()} />;
  }
  if (spoken.isPending || hasNextPage) {
    return <Waiting className="justify-start p-2" />;
  }
  if (moves.length === 0) {
    return <Nothing>{t("result.moves_none")}</Nothing>;
  }
  return (
    <div className="mt-2">
      <Lines>
        {moves.map((move) => (
          <li key={move.seq} className="text-dense">
            <p className="flex flex-wrap items-center gap-x-2">
              <Speaker name={name(move.who)} small />
              <span lang={lang}>
                {move.from ? t("result.from_to", { from: move.from, to: move.to }) : move.to}
              </span>
              <EventLink seq={move.seq}>{t("result.see_there")}</EventLink>
            </p>
            {move.by ? (
              <p className="mt-0.5 pl-6 text-ink-2">
                {t("result.moved_because")} <Speaker name={name(move.by.owner)} small />{" "}
                <span lang={lang}>{move.by.text}</span>{" "}
                <EventLink seq={move.by.seq}>{t("result.see_there")}</EventLink>
              </p>
            ) : (
              <p className="mt-0.5 pl-6 text-warn">{t("result.moved_unnamed")}</p>
            )}
          </li>
        ))}
      </Lines>
    </div>
  );
}
