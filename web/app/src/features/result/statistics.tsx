// A meeting in numbers: convergence by round, usage, hidden marks.

import { useState } from "react";
import type { ConvergenceMetric as Metric, Report, ReportCost, ReportEvaluation } from "../../api/schema";
import { Speaker } from "../../components/record/place";
import { useTranslation } from "../../i18n";
import { count, money } from "../../shell/formatting";
import { Button } from "../../ui/button";
import { cx } from "../../ui/classes";
import { runnerWords } from "./labels";

const HEAD = "py-1.5 pr-4 text-left font-normal whitespace-nowrap last:pr-0 max-sm:pr-2";
const CELL = "py-1.5 pr-4 whitespace-nowrap last:pr-0 max-sm:pr-2";

function Table({
  caption,
  heads,
  children,
}: {
  caption: string;
  heads: string[];
  children: React.ReactNode;
}) {
  return (
    <div className="overflow-x-auto" tabIndex={0}>
      <table className="w-full text-dense tabular-nums">
        <caption className="sr-only">{caption}</caption>
        <thead className="border-b border-line text-meta text-ink-3">
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col" className={HEAD}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** Open questions and disagreements after each round. */
export function Convergence({ rows }: { rows: readonly Metric[] }) {
  const { t } = useTranslation();
  return (
    <Table
      caption={t("result.part.convergence")}
      heads={[
        t("result.round"),
        t("result.open_questions"),
        t("result.part.disagreements"),
        t("result.stable"),
      ]}
    >
      {rows.map((row) => (
        <tr key={row.round} className="border-b border-line/60 last:border-0">
          <th scope="row" className={HEAD}>
            {t("result.round_n", { n: row.round })}
          </th>
          <td className={CELL}>
            <Bar
              n={row.open_questions_count}
              most={Math.max(...rows.map((one) => one.open_questions_count))}
            />
          </td>
          <td className={CELL}>
            <Bar n={row.disagreements_count} most={Math.max(...rows.map((one) => one.disagreements_count))} />
          </td>
          <td className={CELL}>{t("result.rounds", { count: row.stable_rounds })}</td>
        </tr>
      ))}
    </Table>
  );
}

function Bar({ n, most }: { n: number; most: number }) {
  return (
    <span className="inline-flex items-center gap-2">
      <span className="w-5 text-right">{n}</span>
      <span
        className="h-2 rounded-sm bg-line-strong"
        style={{ width: `${(n / Math.max(most, 1)) * 5}rem` }}
      />
    </span>
  );
}

/** The usage of each participant's calls. */
export function Costs({ report }: { report: Report }) {
  const { t } = useTranslation();
  const rows = [...report.costs, { ...report.total, name: t("result.total") }];
  const again = report.costs.some((row) => row.retries + row.fallbacks > 0);
  return (
    <>
      <Table
        caption={t("result.part.cost")}
        heads={[
          t("ballot.column.name"),
          t("result.calls"),
          t("result.tokens_in"),
          t("result.tokens_out"),
          ...(again ? [t("result.retries")] : []),
          t("result.cost"),
        ]}
      >
        {rows.map((row, at) => {
          const total = at === rows.length - 1;
          return (
            <tr
              key={row.name + at}
              className={total ? "border-t border-line font-medium" : "border-b border-line/60"}
            >
              <th scope="row" className={cx(HEAD, "max-sm:whitespace-normal", total && "font-medium")}>
                {total ? row.name : <Speaker name={row.name} small />}
                {row.runner && (
                  <span className="ml-2 text-meta text-ink-3 max-sm:ml-0 max-sm:block">
                    {runnerWords(row.runner)}
                  </span>
                )}
              </th>
              <td className={CELL}>{count(row.calls)}</td>
              <td className={CELL}>{count(row.input_tokens)}</td>
              <td className={CELL}>{count(row.output_tokens)}</td>
              {again && <td className={CELL}>{repeats(row)}</td>}
              <td className={CELL}>
                {row.cost_micros == null ? t("result.cost_unknown") : money(row.cost_micros)}
              </td>
            </tr>
          );
        })}
      </Table>
      <p className="mt-2 text-meta text-ink-3">
        {[
          report.total.estimated && t("result.estimated"),
          report.total.cost_micros == null && t("result.unpriced"),
          report.lost_calls > 0 && t("result.lost_calls", { count: report.lost_calls }),
        ]
          .filter(Boolean)
          .join(" ")}
      </p>
    </>
  );
}

const repeats = (row: ReportCost) => `${row.retries} / ${row.fallbacks}`;

/** The hidden marks, shown on request. */
export function Marks({ rows, over }: { rows: readonly ReportEvaluation[]; over: boolean }) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(false);
  if (!over) {
    return <p className="text-dense text-ink-3">{t("result.marks_later")}</p>;
  }
  return (
    <>
      <p className="measure text-dense text-ink-2">{t("result.marks_note")}</p>
      <Button
        className="mt-2 print:hidden"
        size="small"
        aria-expanded={shown}
        onClick={() => setShown(!shown)}
      >
        {t(shown ? "result.marks_hide" : "result.marks_show")}
      </Button>
      {shown &&
        rows.map((row) => (
          <div key={row.round} className="mt-4">
            <h3 className="text-dense font-medium text-ink-2">
              {t("result.marks_of", { round: row.round, author: row.author })}
            </h3>
            <ul className="mt-1.5 flex flex-col gap-1.5 text-dense">
              {row.marks.map((mark) => (
                <li
                  key={mark.name}
                  className="grid grid-cols-[8rem_3rem_1fr] gap-x-3 max-sm:grid-cols-[1fr_auto]"
                >
                  <Speaker name={mark.name} small />
                  <span className="font-medium">{t("result.mark_of_ten", { n: mark.score })}</span>
                  <span className="text-ink-2 max-sm:col-span-2">{mark.reason}</span>
                </li>
              ))}
            </ul>
          </div>
        ))}
    </>
  );
}
