// Every ballot with every vote: a strip of scores to see, a table to read.

import type { Report, ReportBallot, ReportVote } from "../../api/schema";
import { ClauseList } from "../../components/ballot/clauses";
import { reportedVote } from "../../components/ballot/vote";
import { thresholdOf } from "../../components/ballot/vote-bar";
import { VoteTable } from "../../components/ballot/vote-table";
import { ballotNumber } from "../../components/outcome";
import { EventLink, usePlace } from "../../components/record/place";
import { SpeakerMark } from "../../components/speaker/speaker";
import { useTranslation } from "../../i18n";
import type { ServerView } from "../../meeting/view";
import { rounded } from "../../shell/formatting";
import { cx } from "../../ui/classes";
import { Badge } from "../../ui/surface";

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
  const { look: lookOf } = usePlace();
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
      <Strip votes={ballot.votes} needed={thresholdOf(ballot.verdict)} mean={mean?.got ?? undefined} />
      {ballot.verdict && (
        <div className="mt-2">
          <ClauseList clauses={ballot.verdict.clauses} />
        </div>
      )}
      <details open={open} className="mt-3 group">
        <summary className="w-fit rounded text-dense text-ink-2 hover:text-ink">
          {t("result.votes_and_reasons", { count: ballot.votes.length })}
        </summary>
        <VoteTable
          votes={ballot.votes.map((vote) => reportedVote(lookOf(vote.name), vote))}
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
  needed: number | null;
  mean: number | undefined;
}) {
  const { t } = useTranslation();
  const { look: lookOf } = usePlace();
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
        {needed !== null && (
          <span
            data-testid="vote-threshold"
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
            <SpeakerMark speaker={lookOf(one.name)} size="tiny" />
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
        {needed !== null && (
          <span
            className={cx("absolute whitespace-nowrap", needed > 20 ? "-translate-x-full pr-1" : "pl-1")}
            style={{ left: `${needed}%` }}
          >
            {t("result.needs", { needed: rounded(needed) })}
          </span>
        )}
        <span>100</span>
      </div>
    </div>
  );
}
