// What a ballot needed, clause by clause.

import Check from "lucide-react/icons/check";
import X from "lucide-react/icons/x";
import type { ClauseResult as Clause } from "../../api/schema";
import { type Translate, useTranslation } from "../../i18n";
import { rounded } from "../../shell/formatting";
import { amounts } from "./clause-amounts";

const tenths = (value: number) => Number(rounded(value));

/** A clause in words: the required and the actual value, and the margin. */
export function clauseWords(t: Translate, clause: Clause): { what: string; how: string; gap: string } {
  const what = t(`ballot.clause.${clause.clause}`);
  const { got, needed } = amounts(clause);
  if (clause.got == null) {
    return { what, how: t("ballot.clause_none", { needed }), gap: "" };
  }
  const share = clause.clause === "pass_ratio";
  const scale = share ? 100 : 1;
  const exact = Math.abs(clause.got - clause.needed) * scale;
  // The difference of what is shown, unless that is none.
  const shown = Math.abs(tenths(clause.got * scale) - tenths(clause.needed * scale));
  const size = shown > 0 ? tenths(shown) : exact;
  const digits = [1, 2, 3, 4, 5].find((n) => rounded(size, n) !== "0") ?? 6;
  const n = rounded(size, digits);
  const by = share ? t("ballot.points_of_share", { n, count: Number(n) }) : n;
  const gap = clause.met
    ? size < 0.05
      ? t("ballot.gap_exact")
      : t("ballot.gap_above", { by })
    : t("ballot.gap_below", { by });
  return { what, how: t("ballot.clause_got", { got, needed }), gap };
}

/** The clauses of a ballot, each with what it needed, what it got and what was missing. */
export function ClauseList({ clauses }: { clauses: readonly Clause[] }) {
  const { t } = useTranslation();
  return (
    <ul className="flex flex-col gap-1">
      {clauses.map((clause) => {
        const { what, how, gap } = clauseWords(t, clause);
        const Icon = clause.met ? Check : X;
        return (
          <li key={clause.clause} className="flex flex-wrap items-baseline gap-x-2.5 text-dense">
            <span className={clause.met ? "text-good" : "text-bad"}>
              <Icon size={15} className="mr-1 inline-block align-[-2px]" aria-hidden />
              {t(clause.met ? "ballot.met" : "ballot.not_met")}
            </span>
            <span className="font-medium text-ink">{what}</span>
            <span className="text-ink-2">{how}</span>
            {gap && <span className={clause.met ? "text-ink-3" : "font-medium text-bad"}>{gap}</span>}
          </li>
        );
      })}
    </ul>
  );
}
