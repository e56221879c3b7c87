// Every ballot with every vote: a strip of scores to see, a table to read.

import ArrowDown from "lucide-react/icons/arrow-down";
import ArrowUp from "lucide-react/icons/arrow-up";
import Minus from "lucide-react/icons/minus";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Report, ReportBallot, ReportVote } from "../../api/schema";
import type { ServerView } from "../../meeting/view";
import { cx } from "../../ui/classes";
import { Badge } from "../../ui/surface";
import { VoteWord } from "../charts/vote-bar";
import { FailureWords } from "./failures";
import { ballotNumber, figure } from "./labels";
import { EventLink } from "./source-links";
import { Speaker, SpeakerAvatar } from "./speaker";
import { Clauses } from "./verdict";

/** All ballots, the last one first and open. */
export function Ballots({ report, view }: { report: Report; view: ServerView | undefined }) {
  const latest = report.ballots.toReversed();
  return (
    <div className="flex flex-col gap-8">
      {latest.map((ballot, at) => (
        <Ballot
          key={ballot.id}
          ballot={ballot}
          lang={report.language}
          seq={ballot.seq ?? view?.ballots.find((one) => one.id === ballot.id)?.closed_seq ?? undefined}
          open={at === 0}
        />
      ))}
    </div>
  );
}

function Ballot({
  ballot,
  lang,
  seq,
  open,
}: {
  ballot: ReportBallot;
  lang: string;
  seq: number | undefined;
  open: boolean;
}) {
  const { t } = useTranslation();
  const state =
    ballot.state === "passed" || ballot.state === "failed" || ballot.state === "interrupted"
      ? ballot.state
      : "open";
  const tone = { passed: "good", failed: "warn", interrupted: "plain", open: "calm" } as const;
  const mean = ballot.verdict?.clauses.find((one) => one.clause === "mean_score");
  return (
    <article>
      <h3 className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-h3 font-semibold">
        {t("result.ballot_n", { n: ballotNumber(ballot.id) })}
        <Badge tone={tone[state]}>{t(`result.ballot.${state}`)}</Badge>
        <span className="text-meta font-normal text-ink-3">
          {t("result.ballot_when", { round: ballot.round, version: ballot.draft_version })}
        </span>
        {ballot.draft_seq != null && (
          <span className="text-meta font-normal print:hidden">
            <EventLink seq={ballot.draft_seq}>{t("result.see_draft")}</EventLink>
          </span>
        )}
        {seq !== undefined && (
          <span className="text-meta font-normal print:hidden">
            <EventLink seq={seq}>{t("result.see_there")}</EventLink>
          </span>
        )}
      </h3>
      <Strip votes={ballot.votes} needed={mean?.needed} mean={mean?.got ?? undefined} />
      {ballot.verdict && (
        <div className="mt-2">
          <Clauses clauses={ballot.verdict.clauses} />
        </div>
      )}
      <details open={open} className="mt-3 group">
        <summary className="w-fit rounded text-dense text-ink-2 hover:text-ink">
          {t("result.votes_and_reasons", { count: ballot.votes.length })}
        </summary>
        <VoteTable
          votes={ballot.votes}
          lang={lang}
          caption={t("result.ballot_n", { n: ballotNumber(ballot.id) })}
        />
      </details>
    </article>
  );
}

/** Gives each score a lane in which it touches no other. */
export function lanes(scores: readonly number[], room = 5): number[] {
  const ends: number[] = [];
  const order = scores.map((score, at) => ({ score, at })).sort((a, b) => a.score - b.score);
  const lane: number[] = scores.map(() => 0);
  for (const { score, at } of order) {
    const free = ends.findIndex((end) => score - end >= room);
    const own = free === -1 ? ends.length : free;
    ends[own] = score;
    lane[at] = own;
  }
  return lane;
}

/** The scores on a line from 0 to 100. The table under it shows the same in words. */
function Strip({
  votes,
  needed,
  mean,
}: {
  votes: readonly ReportVote[];
  needed: number | undefined;
  mean: number | undefined;
}) {
  const { t } = useTranslation();
  const scored = votes.flatMap((vote) =>
    vote.score == null ? [] : [{ name: vote.name, score: vote.score }],
  );
  if (scored.length === 0) {
    return null;
  }
  const lane = lanes(scored.map((one) => one.score));
  const high = Math.max(...lane) + 1;
  return (
    <div aria-hidden className="mt-3 px-3">
      <div className="relative" style={{ height: `${high * 22 + 6}px` }}>
        {needed !== undefined && (
          <span
            className="absolute inset-y-0 w-0 border-l-2 border-dashed border-line-strong"
            style={{ left: `${needed}%` }}
          />
        )}
        {scored.map((one, at) => (
          <span
            key={one.name}
            className="absolute -translate-x-1/2"
            style={{ left: `${one.score}%`, bottom: `${(lane[at] ?? 0) * 22 + 5}px` }}
            title={`${one.name} ${one.score}`}
          >
            <SpeakerAvatar name={one.name} small />
          </span>
        ))}
      </div>
      <div className="relative h-1 rounded-full bg-line">
        {mean !== undefined && (
          <span
            className="absolute top-1/2 h-3 w-1 -translate-x-1/2 -translate-y-1/2 rounded-full bg-ink"
            style={{ left: `${mean}%` }}
          />
        )}
      </div>
      <div className="relative mt-1 flex h-5 justify-between text-meta text-ink-3">
        <span>0</span>
        {needed !== undefined && (
          <span
            className={cx("absolute whitespace-nowrap", needed > 20 ? "-translate-x-full pr-1" : "pl-1")}
            style={{ left: `${needed}%` }}
          >
            {t("result.needs", { needed: figure(needed) })}
          </span>
        )}
        <span>100</span>
      </div>
    </div>
  );
}

type Column = "name" | "score" | "pass";

/** The votes with their reasons; a press on a heading sorts by it. */
export function VoteTable({
  votes,
  lang,
  caption,
}: {
  votes: readonly ReportVote[];
  lang: string;
  caption: string;
}) {
  const { t } = useTranslation();
  const [by, setBy] = useState<{ column: Column; down: boolean } | null>(null);
  const sorted = by ? votes.toSorted((a, b) => compare(a, b, by.column) * (by.down ? -1 : 1)) : votes;
  const turn = (column: Column) =>
    setBy((now) =>
      now?.column === column ? { column, down: !now.down } : { column, down: column === "score" },
    );
  const head = (column: Column) => {
    const own = by?.column === column ? by : null;
    const Arrow = own?.down ? ArrowDown : ArrowUp;
    return (
      <th
        scope="col"
        aria-sort={own ? (own.down ? "descending" : "ascending") : "none"}
        className="py-1.5 pr-4 text-left font-normal whitespace-nowrap"
      >
        <button
          type="button"
          onClick={() => turn(column)}
          className="inline-flex items-center gap-1 hover:text-ink"
        >
          {t(`result.column.${column}`)}
          <Arrow size={12} className={own ? "" : "opacity-30"} aria-hidden />
        </button>
      </th>
    );
  };
  return (
    <table className="mt-2 w-full text-dense">
      <caption className="sr-only">{caption}</caption>
      <thead className="border-b border-line text-meta text-ink-3">
        <tr>
          {head("name")}
          {head("score")}
          {head("pass")}
          <th scope="col" className="py-1.5 text-left font-normal max-sm:sr-only">
            {t("result.column.reason")}
          </th>
        </tr>
      </thead>
      <tbody>
        {sorted.map((vote) => (
          <tr
            key={vote.name}
            className="border-b border-line/60 align-top last:border-0 max-sm:grid max-sm:grid-cols-[1fr_auto_auto] max-sm:gap-x-4 max-sm:py-2"
          >
            <th scope="row" className="py-2 pr-4 text-left font-normal whitespace-nowrap max-sm:py-0">
              <Speaker name={vote.name} small />
            </th>
            <td className="py-2 pr-4 font-medium max-sm:py-0">{vote.score ?? "—"}</td>
            <td className="py-2 pr-4 whitespace-nowrap max-sm:py-0 max-sm:pr-0">
              <Passing vote={vote} />
            </td>
            <td lang={lang} className="py-2 text-ink-2 max-sm:col-span-3 max-sm:py-1">
              {vote.failed ? <FailureWords row={vote.failed} /> : vote.reason}
              {vote.missing.length > 0 && (
                <span className="mt-0.5 block text-meta text-ink-3">
                  {t("result.missing_is", { what: vote.missing.join(t("ui.comma")) })}
                </span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function compare(a: ReportVote, b: ReportVote, by: Column): number {
  switch (by) {
    case "name":
      return a.name.localeCompare(b.name, "zh-CN");
    case "score":
      return (a.score ?? -1) - (b.score ?? -1);
    case "pass":
      return Number(a.pass ?? -1) - Number(b.pass ?? -1);
  }
}

function Passing({ vote }: { vote: ReportVote }) {
  const { t } = useTranslation();
  if (vote.failed) {
    return (
      <span className="inline-flex items-center gap-1 text-bad">
        <TriangleAlert size={14} aria-hidden />
        {t("result.vote_failed")}
      </span>
    );
  }
  if (vote.abstained) {
    return (
      <span className="inline-flex items-center gap-1 text-ink-3">
        <Minus size={14} aria-hidden />
        {t("result.abstained.chosen")}
      </span>
    );
  }
  return (
    <span className="inline-flex items-center gap-1">
      <VoteWord pass={vote.pass === true} />
      {vote.contradictory && <Badge tone="warn">{t("talk.contradicts")}</Badge>}
    </span>
  );
}
