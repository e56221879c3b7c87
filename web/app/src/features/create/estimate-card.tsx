// The estimated usage of the meeting: likely, lowest and highest.

import { problemOf } from "../../api/client";
import type { Problem } from "../../api/schema";
import i18n, { useTranslation } from "../../i18n";
import { type Estimate, type EstimateScenario, useEstimate } from "../../meeting-form/estimate";
import type { Form } from "../../meeting-form/form";
import { toMeetingFile } from "../../meeting-form/write-meeting-file";
import { count, money, short } from "../../shell/formatting";
import { placed } from "./field-errors";

/** The estimate for the present form. */
export function EstimateCard({ form, ready }: { form: Form; ready: boolean }) {
  const { t } = useTranslation();
  const asked = useEstimate(toMeetingFile(form), ready);
  const problem = asked.error ? problemOf(asked.error) : undefined;
  return (
    <section aria-label={t("create.budget.estimate")} aria-live="polite" className="flex flex-col gap-1.5">
      <h3 className="text-dense font-semibold">{t("create.budget.estimate")}</h3>
      {!ready ? (
        <p className="text-meta text-ink-3">{t("create.budget.topic_first")}</p>
      ) : problem ? (
        <p className="text-meta text-ink-2">{t("create.budget.fail", { why: whyNot(problem) })}</p>
      ) : asked.data ? (
        <div className={asked.isFetching ? "opacity-60 transition-opacity" : undefined}>
          <Numbers estimate={asked.data} />
        </div>
      ) : (
        <p className="text-meta text-ink-3">{t("create.budget.waiting")}</p>
      )}
    </section>
  );
}

/** The obstacle; its place is shown beside the field once the user tries to start. */
function whyNot(problem: Problem): string {
  const named = Object.values(placed(problem));
  return named.length > 0
    ? named.join(" ")
    : [problem.detail, problem.hint].filter(Boolean).join(i18n.t("ui.semicolon"));
}

function Numbers({ estimate }: { estimate: Estimate }) {
  const { t } = useTranslation();
  const { least, likely, most } = estimate;
  const range = (from: string, to: string) =>
    from === to ? from : t("create.budget.range", { least: from, most: to });
  const rows = [
    { name: t("create.budget.cost"), now: useCost(likely), range: range(useCost(least), useCost(most)) },
    {
      name: t("create.budget.tokens"),
      now: short(likely.tokens),
      range: range(short(least.tokens), short(most.tokens)),
    },
    {
      name: t("create.budget.calls"),
      now: count(likely.calls),
      range: range(count(least.calls), count(most.calls)),
    },
    {
      name: t("create.budget.rounds"),
      now: count(likely.rounds),
      range: range(count(least.rounds), count(most.rounds)),
    },
  ];
  return (
    <>
      <table className="w-full text-dense tabular-nums">
        <thead className="text-meta text-ink-3">
          <tr>
            <td />
            <th scope="col" className="text-right font-normal">
              {t("create.budget.likely")}
            </th>
            <th scope="col" className="pl-3 text-right font-normal">
              {t("create.budget.from_to")}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <th scope="row" className="py-0.5 pr-3 text-left font-normal whitespace-nowrap text-ink-2">
                {row.name}
              </th>
              <td className="text-right font-medium">{row.now}</td>
              <td className="py-0.5 pl-3 text-right text-meta text-ink-3">{row.range}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {estimate.chosen.length > 0 && (
        <div className="mt-1 text-meta text-ink-2">
          <p>{t("create.chosen.title")}</p>
          <ul>
            {estimate.chosen.map((one) => (
              <li key={`${one.part} ${one.model}`}>
                {t(`create.chosen.${one.part}`)} <code>{one.model}</code> ·{" "}
                {t(`create.chosen.because.${one.because}`)}
              </li>
            ))}
          </ul>
          {estimate.leftOut.length > 0 && (
            <p>{t("create.chosen.left_out", { names: estimate.leftOut.join(t("ui.comma")) })}</p>
          )}
        </div>
      )}
      {estimate.unpriced.length > 0 && (
        <p className="mt-1 text-meta text-warn">
          {t("create.budget.unpriced", { models: estimate.unpriced.join(t("ui.comma")) })}
        </p>
      )}
      {estimate.unpricedSearches.length > 0 && (
        <p className="mt-1 text-meta text-warn">
          {t("create.budget.unpriced_searches", { models: estimate.unpricedSearches.join(t("ui.comma")) })}
        </p>
      )}
      {estimate.open && <p className="mt-1 text-meta text-ink-3">{t("create.budget.open")}</p>}
    </>
  );
}

function useCost(course: EstimateScenario): string {
  const { t } = useTranslation();
  if (course.cost === undefined || !course.priced) {
    return t("table.cost.unknown");
  }
  return course.cost === 0 ? t("create.budget.free") : money(course.cost);
}
