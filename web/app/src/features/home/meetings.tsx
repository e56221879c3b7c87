// Meetings that need the user, running meetings, and recent ones.

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { FORMATS, RUNNING } from "../../api/choices";
import { me, queries } from "../../api/queries";
import type { MeetingListItem } from "../../api/schema";
import { rowOutcome } from "../../components/outcome";
import { PauseReason } from "../../components/pause-reason";
import { useSeatCount } from "../../components/seat-count";
import { WaitsFor } from "../../components/waits-for";
import i18n, { useTranslation } from "../../i18n";
import { ago, clock } from "../../shell/formatting";
import { inStates, pauseOf, waitsFor } from "../../shell/waiting";
import { Badge, ErrorNotice, type Tone } from "../../ui/surface";

const RECENT = 8;

/** All lists at once, so that no meeting is lost on its way from one to another. */
async function lists() {
  const [paused, running, others] = await Promise.all([
    inStates(["paused"], 8),
    inStates(RUNNING, 6),
    // They come as they were created; what ended just now may have been created long ago.
    inStates(["draft", "ended"], 5 * RECENT),
  ]);
  const who = await queries.ensureQueryData(me).catch(() => undefined);
  const pauses = await Promise.all(paused.map((row) => queries.fetchQuery(pauseOf(row)).catch(() => null)));
  // One that was paused by hand waits for nobody; of one that cannot be asked it is not known.
  const waits = (_: MeetingListItem, at: number) => !pauses[at] || waitsFor(pauses[at], who);
  const rest = paused.filter((row, at) => !waits(row, at));
  return {
    waiting: lastChangedFirst(paused.filter(waits)),
    running: lastChangedFirst([...running, ...rest]),
    recent: lastChangedFirst(others).slice(0, RECENT),
  };
}

function lastChangedFirst(rows: readonly MeetingListItem[]): MeetingListItem[] {
  return rows.toSorted((a, b) => Date.parse(b.updated_at) - Date.parse(a.updated_at));
}

/** The lists of the first page, each in the order of the last change, which the rows tell. */
export function useHomeLists() {
  return useQuery({ queryKey: ["meetings", "home"], queryFn: lists, refetchInterval: 4_000 });
}

/** The lists; each only when there is something in it. */
export function MeetingLists({ lists }: { lists: ReturnType<typeof useHomeLists> }) {
  const { t } = useTranslation();
  const { data, error, dataUpdatedAt, refetch } = lists;
  if (error && !data) {
    return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  }
  if (!data || data.waiting.length + data.running.length + data.recent.length === 0) {
    return null;
  }
  return (
    <div className="flex flex-col gap-7">
      {error && (
        <p role="status" className="rounded-xl bg-warn-soft px-3.5 py-2.5 text-dense text-ink">
          {t("home.old", { when: clock(dataUpdatedAt) })}
        </p>
      )}
      <List title={t("home.need_you")} rows={data.waiting} />
      <List title={t("home.running")} rows={data.running} />
      <List title={t("home.recent")} rows={data.recent} all />
    </div>
  );
}

function List({ title, rows, all }: { title: string; rows: MeetingListItem[]; all?: boolean }) {
  const { t } = useTranslation();
  if (rows.length === 0) {
    return null;
  }
  return (
    <section aria-label={title}>
      <div className="mb-1.5 flex items-baseline justify-between gap-3">
        <h2 className="text-h3 font-semibold">{title}</h2>
        {all && (
          <Link to="/meetings" className="rounded text-dense text-ink-2 underline underline-offset-4">
            {t("home.all")}
          </Link>
        )}
      </div>
      <ul className="flex flex-col divide-y divide-line border-y border-line">
        {rows.map((row) => (
          <Row key={row.id} row={row} />
        ))}
      </ul>
    </section>
  );
}

const TONE: Record<string, Tone> = {
  paused: "warn",
  discussion: "calm",
  ballot: "calm",
  closing: "calm",
};

function Row({ row }: { row: MeetingListItem }) {
  const { t } = useTranslation();
  const count = useSeatCount(row);
  const { text, tone } = row.outcome
    ? rowOutcome(t, row.outcome)
    : { text: stateText(row.state), tone: TONE[row.state] ?? "plain" };
  const inside = (
    <>
      <span className="min-w-0 flex-1">
        <span lang={row.language} className="block text-body font-medium text-ink">
          {row.title}
        </span>
        {row.conclusion_line && (
          <span
            lang={row.language}
            data-testid="conclusion-line"
            className="line-clamp-1 text-dense text-ink-2"
          >
            {row.conclusion_line}
          </span>
        )}
        <span className="block text-meta text-ink-3">
          {i18n.t(`shell.format.${formatOf(row.format)}`)} · {count} ·{" "}
          {t("home.changed", { when: ago(row.updated_at) })}
          {row.forked_from && ` · ${t("shell.fork")}`}
          {row.simulated && ` · ${t("table.simulated")}`}
        </span>
        {row.state === "paused" && <PauseReason row={row} />}
        <WaitsFor row={row} />
      </span>
      <span className="flex shrink-0 flex-wrap items-center justify-end gap-1.5">
        <Badge tone={tone}>{text || row.state}</Badge>
      </span>
    </>
  );
  const look = "-mx-2 flex items-start gap-3 rounded-lg px-2 py-2.5 hover:bg-sunken/70";
  return (
    <li>
      {row.state === "ended" ? (
        <Link to="/m/$id/result" params={{ id: row.id }} className={look}>
          {inside}
        </Link>
      ) : (
        <Link to="/m/$id" params={{ id: row.id }} className={look}>
          {inside}
        </Link>
      )}
    </li>
  );
}

function formatOf(name: string) {
  return FORMATS.find((one) => one === name) ?? "consensus";
}

/** The state, whose name comes from the server. */
function stateText(state: string): string {
  return i18n.find(`home.state.${state}`) ?? "";
}
