// Two bars for each thing: how it was, and how it is.

import { Chart } from "./chart-with-table";

/** One quantity with its values before and after. */
interface Pair {
  name: string;
  before: number;
  now: number;
}

interface Props {
  title: string;
  before: string;
  now: string;
  what: string;
  pairs: Pair[];
  /** The longest bar. */
  most: number;
}

/** Then and now, bar by bar. */
export function Pairs({ title, before, now, what, pairs, most }: Props) {
  const numbers = {
    columns: [what, before, now],
    rows: pairs.map((pair) => [pair.name, String(pair.before), String(pair.now)]),
  };
  const width = (value: number) => ({ width: `${(100 * value) / Math.max(1, most)}%` });
  return (
    <Chart title={title} numbers={numbers}>
      <ul className="mt-1 flex flex-col gap-2.5">
        {pairs.map((pair) => (
          <li key={pair.name} className="text-meta">
            <div className="line-clamp-2 text-dense text-ink">{pair.name}</div>
            <Bar label={before} value={pair.before} style={width(pair.before)} fill="bg-line-strong" />
            <Bar label={now} value={pair.now} style={width(pair.now)} fill="bg-calm" />
          </li>
        ))}
      </ul>
    </Chart>
  );
}

function Bar({
  label,
  value,
  style,
  fill,
}: {
  label: string;
  value: number;
  style: { width: string };
  fill: string;
}) {
  return (
    <div className="flex items-center gap-2">
      <span className="w-10 shrink-0 text-ink-3">{label}</span>
      <span className="h-2 flex-1">
        <span className={`block h-full min-w-px rounded-full ${fill}`} style={style} />
      </span>
      <span className="w-5 text-right text-ink-2">{value}</span>
    </div>
  );
}
