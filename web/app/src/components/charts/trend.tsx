// Scores over ballots, a line for each seat: colour, dash and marker tell the lines apart.

import { scaleLinear, scalePoint } from "d3-scale";
import { line, symbol, symbolsFill } from "d3-shape";
import { useTranslation } from "../../i18n";
import { voice } from "../speaker/speaker";
import { Chart } from "./chart-with-table";

/** One line: a participant's scores, ballot by ballot; null where there is none. */
interface Series {
  id: string;
  name: string;
  hue: number;
  values: (number | null)[];
}

interface Props {
  title: string;
  /** The labels under the points: `b1`, `b2`. */
  labels: string[];
  series: Series[];
  /** The mean that has to be reached. */
  threshold: number | null;
}

const WIDTH = 320;
const HEIGHT = 168;
const EDGE = { top: 8, right: 58, bottom: 20, left: 26 };
/** Names with more characters stand under the chart, whole, in place of at the ends of their lines. */
const FITS = 6;
const DASHES = ["none", "5 3", "1.5 3", "8 3 1.5 3", "3 2", "10 4"];

/** The scores of the participants over the ballots. */
export function Trend({ title, labels, series, threshold }: Props) {
  const { t } = useTranslation();
  const x = scalePoint(labels, [EDGE.left, WIDTH - EDGE.right]).padding(labels.length === 1 ? 0.5 : 0.15);
  const named = series.every((one) => [...one.name].length <= FITS);
  const y = scaleLinear([0, 100], [HEIGHT - EDGE.bottom, EDGE.top]);
  const path = line<number | null>()
    .defined((value) => value !== null)
    .x((_, at) => x(labels[at] ?? "") ?? 0)
    .y((value) => y(value ?? 0));
  const ends = spread(series.map((one) => y(one.values.findLast((value) => value !== null) ?? 0)));
  const label = labelPlace(
    y(threshold ?? 0),
    series.map((one) => y(one.values[0] ?? 0)),
    series.map((one) => y(one.values.at(-1) ?? 0)),
  );
  const numbers = {
    columns: [t("panel.votes.seat"), ...labels],
    rows: series.map((one) => [
      one.name,
      ...one.values.map((value) => (value === null ? "–" : String(value))),
    ]),
  };
  return (
    <Chart title={title} numbers={numbers}>
      <svg aria-hidden viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className="w-full overflow-visible">
        {[0, 50, 100].map((tick) => (
          <g key={tick}>
            <line x1={EDGE.left} x2={WIDTH - EDGE.right} y1={y(tick)} y2={y(tick)} className="stroke-line" />
            <text x={EDGE.left - 6} y={y(tick) + 3.5} textAnchor="end" className="fill-ink-3 text-[10px]">
              {tick}
            </text>
          </g>
        ))}
        {labels.map((label) => (
          <text
            key={label}
            x={x(label)}
            y={HEIGHT - 5}
            textAnchor="middle"
            className="fill-ink-3 text-[10px]"
          >
            {label}
          </text>
        ))}
        {threshold !== null && (
          <g>
            <line
              x1={EDGE.left}
              x2={WIDTH - EDGE.right}
              y1={y(threshold)}
              y2={y(threshold)}
              className="stroke-ink-2"
              strokeDasharray="2 3"
            />
            <text
              x={label.right ? WIDTH - EDGE.right - 4 : EDGE.left + 4}
              y={label.y}
              textAnchor={label.right ? "end" : "start"}
              className="fill-ink-2 text-[10px]"
            >
              {t("panel.votes.threshold", { score: threshold })}
            </text>
          </g>
        )}
        {series.map((one, at) => (
          <g key={one.id} {...voice(one.hue)}>
            <path
              d={path(one.values) ?? ""}
              fill="none"
              className="stroke-voice-line"
              strokeWidth={1.75}
              strokeDasharray={DASHES[at % DASHES.length]}
            />
            {one.values.map((value, place) =>
              value === null ? null : (
                <path
                  key={labels[place]}
                  d={symbol(symbolsFill[at % symbolsFill.length], 34)() ?? ""}
                  transform={`translate(${x(labels[place] ?? "")},${y(value)})`}
                  className="fill-voice-line"
                >
                  <title>{`${one.name} ${labels[place]}${t("ui.colon")}${value}`}</title>
                </path>
              ),
            )}
            {named && one.values.some((value) => value !== null) && (
              <text
                x={WIDTH - EDGE.right + 8}
                y={(ends[at] ?? 0) + 3.5}
                className="fill-voice-name text-[10px]"
              >
                {one.name}
              </text>
            )}
          </g>
        ))}
      </svg>
      {!named && (
        <ul aria-hidden className="flex flex-wrap gap-x-3 text-meta">
          {series.map((one, at) => (
            <li key={one.id} {...voice(one.hue)}>
              <svg aria-hidden viewBox="-5 -5 10 10" className="mr-1 inline size-3">
                <path
                  d={symbol(symbolsFill[at % symbolsFill.length], 34)() ?? ""}
                  className="fill-voice-line"
                />
              </svg>
              <span className="text-voice-name">{one.name}</span>
            </li>
          ))}
        </ul>
      )}
    </Chart>
  );
}

/** Where the words of a line at `y` lie on no mark: above or below it, at the first values or at the last. */
export function labelPlace(
  y: number,
  first: readonly number[],
  last: readonly number[],
): { y: number; right: boolean } {
  const places = [false, true].flatMap((right) => [-4, 11].map((by) => ({ y: y + by, right })));
  const isFree = (place: { y: number; right: boolean }) =>
    (place.right ? last : first).every((mark) => Math.abs(mark - (place.y - 3.5)) > 8);
  return places.find(isFree) ?? { y: y - 4, right: false };
}

/** Moves labels apart that would lie on one another. */
function spread(places: number[]): number[] {
  const order = places.map((place, at) => ({ place, at })).sort((one, other) => one.place - other.place);
  let last = Number.NEGATIVE_INFINITY;
  const moved: number[] = [];
  for (const { place, at } of order) {
    last = Math.max(place, last + 11);
    moved[at] = last;
  }
  const over = Math.max(0, last - (HEIGHT - EDGE.bottom + 4));
  return moved.map((place) => place - over);
}
