// A vote as a bar, in the transcript and in the panel: how high its score is, where the line to pass lies, and whether it
// passes. Its colour is that of passing, never that of the speaker: a voice may be red and in favour.

import Check from "lucide-react/icons/check";
import X from "lucide-react/icons/x";
import type { Verdict } from "../../api/schema";
import { useTranslation } from "../../i18n";
import { cx } from "../../ui/classes";

/** The score at which the line lies: that of each vote, else that of their mean; none where only votes in favour count, nor before a
 * verdict whose rules are not given. */
export function thresholdOf(
  verdict: Pick<Verdict, "clauses"> | null | undefined,
  decision?: { mean_score: number | null; min_score?: number | null },
): number | null {
  if (!verdict) {
    return decision?.min_score ?? decision?.mean_score ?? null;
  }
  const of = (name: string) => verdict.clauses.find(({ clause }) => clause === name)?.needed;
  return of("min_score") ?? of("mean_score") ?? null;
}

interface Props {
  score: number;
  pass: boolean;
  threshold: number | null;
  className?: string;
}

/** The bar; what it shows stands in words beside it. */
export function VoteBar({ score, pass, threshold, className }: Props) {
  return (
    <span aria-hidden className={cx("relative block h-2 rounded-full bg-line", className)}>
      <span
        data-testid="vote-fill"
        className={cx("block h-full rounded-full", pass ? "bg-good" : "bg-ink-3")}
        style={{ width: `${score}%` }}
      />
      {threshold !== null && (
        <span
          data-testid="vote-threshold"
          className="absolute -inset-y-1 w-0 border-l-2 border-dotted border-ink"
          style={{ left: `${threshold}%` }}
        />
      )}
    </span>
  );
}

/** Whether a vote passes, as a sign and a word. */
export function VoteWord({ pass }: { pass: boolean }) {
  const { t } = useTranslation();
  const Icon = pass ? Check : X;
  return (
    <span
      className={cx("inline-flex items-center gap-0.5 whitespace-nowrap", pass ? "text-good" : "text-ink-2")}
    >
      <Icon size={13} aria-hidden className="shrink-0" />
      {t(pass ? "table.vote.pass" : "table.vote.fail")}
    </span>
  );
}
