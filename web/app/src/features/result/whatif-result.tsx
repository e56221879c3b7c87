// The result of a what-if in words, and what another outcome would take.

import type {
  BallotReview,
  WhatIfCourse as Course,
  Sensitivity as Sensed,
  ThresholdRange as Threshold,
  WhatIfReport,
} from "../../api/schema";
import { ballotNumber } from "../../components/outcome";
import { useTranslation } from "../../i18n";
import { cx } from "../../ui/classes";
import { Badge, type Tone } from "../../ui/surface";

const TONE: Record<Course["kind"], Tone> = {
  same: "plain",
  earlier: "good",
  otherwise: "accent",
  later: "warn",
};

/** The course of the meeting under the changes. */
export function Judgement({ judged, changed }: { judged: WhatIfReport; changed: boolean }) {
  const { t } = useTranslation();
  const { course } = judged;
  return (
    <div>
      {changed ? (
        <>
          <Badge tone={TONE[course.kind]}>{t(`result.whatif.course.${course.kind}`)}</Badge>
          <p lang={judged.language} className="measure mt-2 text-body font-medium">
            {judged.course_text}
          </p>
        </>
      ) : (
        <p className="measure text-body text-ink-2">{t("result.whatif.nothing_moved")}</p>
      )}
      <ol className="mt-3 flex flex-col gap-1.5 text-dense">
        {judged.ballots.map((ballot) => (
          <Review key={ballot.id} ballot={ballot} lang={judged.language} />
        ))}
      </ol>
      {judged.notes.length > 0 && (
        <ul lang={judged.language} className="mt-3 text-meta text-ink-3">
          {judged.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Review({ ballot, lang }: { ballot: BallotReview; lang: string }) {
  const { t } = useTranslation();
  return ballot.held ? (
    <li lang={lang} className={ballot.turns ? "font-medium" : "text-ink-2"}>
      {ballot.text}
    </li>
  ) : (
    <li className="text-ink-3">{t("result.whatif.not_held", { n: ballotNumber(ballot.id) })}</li>
  );
}

/** Which threshold would have let which ballot pass, and whose votes alone decided. */
export function Sensitivity({
  sensitivity,
  now,
  onPick,
}: {
  sensitivity: Sensed;
  now: number | undefined;
  onPick: (mean: number) => void;
}) {
  const { t } = useTranslation();
  const range = sensitivity.mean_score;
  const pivotal = sensitivity.participants.filter((one) => one.pivotal);
  return (
    <div className="mt-6 flex flex-col gap-5">
      <div>
        <h3 className="text-dense font-medium">{t("result.whatif.thresholds")}</h3>
        {Array.isArray(range) && (
          <p className="text-meta text-ink-3">
            {t("result.whatif.range", { low: String(range[0]), high: String(range[1]) })}
          </p>
        )}
        <Stretches of={sensitivity.thresholds} now={now} onPick={onPick} />
      </div>
      <div>
        <h3 className="text-dense font-medium">{t("result.whatif.pivotal")}</h3>
        {pivotal.length === 0 ? (
          <p className="text-dense text-ink-2">{t("result.whatif.nobody_pivotal")}</p>
        ) : (
          <ul className="mt-1 flex flex-col gap-1 text-dense">
            {pivotal.map((one) => (
              <li key={one.participant} className="text-ink-2">
                {t(`result.whatif.without.${one.course.kind}`, { name: one.name })}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}

/** All thresholds from 0 to 100, in stretches with one outcome; a press on one tries it. */
function Stretches({
  of,
  now,
  onPick,
}: {
  of: readonly Threshold[];
  now: number | undefined;
  onPick: (mean: number) => void;
}) {
  const { t } = useTranslation();
  const words = (one: Threshold) =>
    one.ballot
      ? t("result.whatif.would_pass", { n: ballotNumber(one.ballot) })
      : t("result.whatif.none_passes");
  return (
    <div className="relative mt-2">
      <ul className="flex gap-0.5">
        {of.map((one) => (
          <li
            key={one.from}
            style={{ flexGrow: one.to - one.from + 1, flexBasis: 0 }}
            className="@container min-w-0"
          >
            <button
              type="button"
              onClick={() =>
                onPick(Math.min(Math.max(Math.round((one.from + one.to) / 2), one.from), one.to))
              }
              title={`${t("result.whatif.stretch", { from: one.from, to: one.to })}${words(one)}`}
              className={cx(
                "flex h-9 w-full items-center justify-center overflow-hidden rounded-md px-0.5 text-meta leading-tight wrap-normal coarse:h-11",
                one.stays ? "bg-accent-soft font-medium text-accent" : "bg-sunken text-ink-2 hover:text-ink",
              )}
            >
              <span className="sr-only">
                {t("result.whatif.stretch", { from: one.from, to: one.to })}
                {words(one)}
              </span>
              {/* In two lines where it is narrow; where not even one word has room, a press or the pointer tells it. */}
              <span aria-hidden className="hidden @[2.5rem]:inline">
                {one.ballot
                  ? t("result.whatif.nth", { n: ballotNumber(one.ballot) })
                  : t("result.whatif.none")}
              </span>
            </button>
            <span className="block pt-0.5 text-meta text-ink-3">{one.from}</span>
          </li>
        ))}
      </ul>
      {now !== undefined && (
        <span
          aria-hidden
          className="pointer-events-none absolute top-9 size-0 -translate-x-1/2 border-x-[5px] border-b-[7px] border-x-transparent border-b-ink"
          style={{ left: `${now}%` }}
        />
      )}
    </div>
  );
}
