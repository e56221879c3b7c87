// A chart and its twin: the same numbers as a table, for reading and for screen readers.

import ChartLine from "lucide-react/icons/chart-line";
import Table2 from "lucide-react/icons/table-2";
import { type ReactNode, useState } from "react";
import { useTranslation } from "../../i18n";
import { IconButton } from "../../ui/button";
import { cx } from "../../ui/classes";

/** The numbers of a chart: the first cell of a row names it. */
interface Numbers {
  columns: string[];
  rows: string[][];
}

interface Props {
  title: string;
  numbers: Numbers;
  /** The drawing; screen readers get the table. */
  children: ReactNode;
  className?: string;
}

/** Shows a chart, or the table of its numbers. */
export function Chart({ title, numbers, children, className }: Props) {
  const { t } = useTranslation();
  const [asTable, setAsTable] = useState(false);
  return (
    <figure className={cx("m-0", className)}>
      <div className="flex items-center justify-between gap-2">
        <figcaption className="text-meta font-medium text-ink-2">{title}</figcaption>
        <IconButton
          size="small"
          label={asTable ? t("ui.chart") : t("ui.table")}
          onClick={() => setAsTable(!asTable)}
        >
          {asTable ? <ChartLine size={14} aria-hidden /> : <Table2 size={14} aria-hidden />}
        </IconButton>
      </div>
      {!asTable && <div aria-hidden>{children}</div>}
      <div className={asTable ? "overflow-x-auto" : "sr-only"}>
        <NumbersTable title={title} numbers={numbers} />
      </div>
    </figure>
  );
}

/** Numbers as a plain table. */
export function NumbersTable({ title, numbers }: { title: string; numbers: Numbers }) {
  return (
    <table className="w-full border-collapse text-meta tabular-nums">
      <caption className="sr-only">{title}</caption>
      <thead>
        <tr>
          {numbers.columns.map((column, at) => (
            <th
              key={column}
              scope="col"
              className={cx(
                "border-b border-line px-1.5 py-1 font-medium text-ink-2",
                at === 0 ? "text-left" : "text-right",
              )}
            >
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {numbers.rows.map(([name, ...cells], row) => (
          <tr key={`${row}-${name}`}>
            <th scope="row" className="border-b border-line px-1.5 py-1 text-left font-normal text-ink">
              {name}
            </th>
            {cells.map((cell, at) => (
              <td
                key={numbers.columns[at + 1]}
                className="border-b border-line px-1.5 py-1 text-right text-ink-2"
              >
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
