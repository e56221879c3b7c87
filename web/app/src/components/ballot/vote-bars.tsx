// The votes of a ballot as bars, each with its reason.

import { useTranslation } from "../../i18n";
import { cx } from "../../ui/classes";
import { SpeakerName } from "../speaker/speaker";
import { FailureWords } from "./failure";
import type { VoteLine } from "./vote";
import { VoteBar, VoteWord } from "./vote-bar";

/** The bars, under the score at which the line lies. */
export function VoteBars({
  votes,
  threshold,
  roomy,
}: {
  votes: readonly VoteLine[];
  threshold: number | null;
  /** Whether there is room for a reason before it comes. */
  roomy?: boolean;
}) {
  const { t } = useTranslation();
  return (
    <ul className="flex flex-col gap-1.5">
      {threshold !== null && (
        <li aria-hidden className="grid grid-cols-[5.5rem_1fr] gap-x-2 text-meta text-ink-3">
          <span className="col-start-2 flex gap-2">
            <span className="relative h-4 flex-1">
              <span
                className={cx(
                  "absolute leading-4 whitespace-nowrap",
                  threshold > 50 ? "-translate-x-full pr-1" : "pl-1",
                )}
                style={{ left: `${threshold}%` }}
              >
                {t("table.vote.threshold", { score: threshold })}
              </span>
            </span>
            <span className="w-24 shrink-0" />
          </span>
        </li>
      )}
      {votes.map((vote) => (
        <li key={vote.speaker.name} className="grid grid-cols-[5.5rem_1fr] items-center gap-x-2 text-meta">
          <SpeakerName speaker={vote.speaker} className="break-words" />
          <span className="flex items-center gap-2">
            {vote.score === null ? (
              <span className="flex-1" />
            ) : (
              <VoteBar
                score={vote.score}
                pass={vote.pass === true}
                threshold={threshold}
                className="flex-1"
              />
            )}
            <span className="flex w-24 shrink-0 gap-1.5 text-ink-2">
              {vote.score !== null && (
                <span className="w-6 text-right font-medium tabular-nums">{vote.score}</span>
              )}
              <VoteState vote={vote} />
            </span>
          </span>
          <More vote={vote} roomy={roomy} />
        </li>
      ))}
    </ul>
  );
}

/** Whether it is in favour, or why there is no vote. */
export function VoteState({ vote: { state, pass } }: { vote: VoteLine }) {
  const { t } = useTranslation();
  switch (state) {
    case "voted":
      return <VoteWord pass={pass === true} />;
    case "abstained":
      return t("table.abstained.chosen");
    case "failed":
      return t("table.abstained.failed");
    case "voting":
      return t("table.rail.is.voting");
    case "waiting":
      return t("panel.votes.not_yet");
  }
}

function More({ vote, roomy }: { vote: VoteLine; roomy: boolean | undefined }) {
  return (
    <span className={cx("col-start-2", roomy ? "min-h-[2lh]" : "empty:hidden")}>
      <VoteReason vote={vote} />
    </span>
  );
}

/** Why it was cast so, what it lacks, and what is wrong with it. */
export function VoteReason({ vote }: { vote: VoteLine }) {
  const { t } = useTranslation();
  return (
    <>
      {vote.contradictory && <span className="block text-warn">{t("talk.contradicts")}</span>}
      {vote.failure ? <FailureWords failure={vote.failure} /> : vote.reason}
      {vote.missing.length > 0 && (
        <span className="mt-0.5 block text-meta text-ink-3">
          {t("ballot.missing_is", {
            what: vote.missing.map((one) => one.replace(/[.\u3002]$/, "")).join(t("ui.semicolon")),
          })}
        </span>
      )}
    </>
  );
}
