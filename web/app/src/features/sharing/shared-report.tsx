// A shared result as people read it: nothing here leads to the meeting, and nothing can be done with it but reading.

import type { ReactNode } from "react";
import type { SharedBallot, SharedDissent, SharedResult, SharedVote } from "../../api/schema";
import type { VoteLine } from "../../components/ballot/vote";
import { VoteTable } from "../../components/ballot/vote-table";
import { FoldedOutline, Outline, Part } from "../../components/record/section";
import { guest } from "../../components/speaker/people";
import { useTranslation } from "../../i18n";
import { Markdown } from "../../markdown";
import { moment } from "../../shell/formatting";
import { LanguageButton } from "../../shell/language";
import { Badge } from "../../ui/surface";

/** The result, the conclusion first, with its headings beside it or folded above it. */
export function SharedReport({ result }: { result: SharedResult }) {
  const { t } = useTranslation();
  const parts = useParts(result);
  const headings = parts.map(({ id, title, count }) => ({ id, title, count }));
  return (
    <div className="mx-auto flex w-full max-w-5xl gap-12 px-4 py-8 sm:px-6">
      <Outline headings={headings} />
      <article className="min-w-0 max-w-3xl flex-1">
        <div className="mb-8 flex items-center gap-2 text-ink-2">
          <img src="/mark.svg" alt="" width={24} height={24} />
          <span className="flex-1 text-dense">{t("share.page_note")}</span>
          <LanguageButton />
        </div>
        <Head result={result} />
        <FoldedOutline headings={headings} />
        {parts.map(({ id, title, note, body }) => (
          <Part key={id} id={id} title={title} note={note}>
            {body}
          </Part>
        ))}
      </article>
    </div>
  );
}

function Head({ result }: { result: SharedResult }) {
  const { t } = useTranslation();
  const { language: lang } = result;
  return (
    <header className="pb-7">
      <p className="mb-1 flex flex-wrap items-center gap-2 text-meta text-ink-3">
        {t(`shell.format.${result.format}`)}
        <span>{t("share.ended", { when: moment(result.ended_at) })}</span>
        {result.simulated && <Badge tone="warn">{t("table.simulated")}</Badge>}
      </p>
      <h1 lang={lang} className="text-h1 font-semibold break-words">
        {result.title}
      </h1>
      {result.title !== result.topic && (
        <p lang={lang} className="text-dense text-ink-2">
          {result.topic}
        </p>
      )}
      {result.description && (
        <p lang={lang} className="text-dense text-ink-3">
          {result.description}
        </p>
      )}
      <p className="mt-3 font-medium first-letter:uppercase">{result.headline}</p>
      {result.suspicion && (
        <p lang={lang} data-testid="suspicion" className="mt-1 text-dense text-warn">
          {result.suspicion}
        </p>
      )}
      {result.simulated && <p className="mt-1 text-dense text-ink-2">{t("share.simulated")}</p>}
    </header>
  );
}

interface ShownPart {
  id: string;
  title: string;
  count?: number;
  note?: string;
  body: ReactNode;
}

/** The parts that have something to show, in the order in which one asks for them. */
function useParts(result: SharedResult): ShownPart[] {
  const { t } = useTranslation();
  const { language: lang, why_no_consensus: why, dissent, reservations, disagreements } = result;
  const { ballots, actions, missing } = result;
  const artifacts = result.artifacts.filter(({ text }) => text.trim() !== "");
  const counted = (
    id: "reservations" | "disagreements" | "votes" | "actions" | "missing" | "artifacts",
    count: number,
    body: ReactNode,
  ): ShownPart[] => (count > 0 ? [{ id, title: t(`result.part.${id}`), count, body }] : []);
  return [
    {
      id: "conclusion",
      title: t("result.part.conclusion"),
      note: result.not_passed ? t("result.not_passed_note") : undefined,
      body: <Conclusion result={result} />,
    },
    ...(why.length > 0
      ? [{ id: "why", title: t("result.why_not"), body: <Bullets lang={lang} lines={why} /> }]
      : []),
    // Ideas need no agreement, and nobody dissents from them.
    ...(result.collects_ideas && dissent.length === 0
      ? []
      : [
          {
            id: "dissent",
            title: t("result.part.dissent"),
            count: dissent.length,
            body: <Dissent rows={dissent} lang={lang} none={t("result.no_dissent")} />,
          },
        ]),
    ...counted("reservations", reservations.length, <Dissent rows={reservations} lang={lang} none="" />),
    ...counted("disagreements", disagreements.length, <Disagreements result={result} />),
    ...counted(
      "votes",
      ballots.length,
      <div className="flex flex-col gap-7">
        {ballots.toReversed().map((ballot) => (
          <Ballot key={ballot.id} ballot={ballot} lang={lang} />
        ))}
      </div>,
    ),
    ...counted(
      "actions",
      actions.length,
      <ul lang={lang} className="list-disc pl-5">
        {actions.map(({ what, who }) => (
          <Noted key={what} text={what} note={who} />
        ))}
      </ul>,
    ),
    ...counted(
      "missing",
      missing.length,
      <ul lang={lang} className="list-disc pl-5">
        {missing.map(({ text, by }) => (
          <Noted key={text} text={text} note={by.join(t("ui.comma"))} />
        ))}
      </ul>,
    ),
    ...counted(
      "artifacts",
      artifacts.length,
      artifacts.map(({ type, text }) => (
        <Markdown key={type} text={text} lang={lang} under={2} className="mb-6" />
      )),
    ),
  ];
}

function Conclusion({ result }: { result: SharedResult }) {
  const { t } = useTranslation();
  const { language: lang } = result;
  return (
    <>
      {result.conclusion ? (
        <Markdown text={result.conclusion} lang={lang} under={2} />
      ) : (
        <p className="text-dense text-ink-3">{t("result.no_conclusion")}</p>
      )}
      {result.reasons && (
        <>
          <p className="mt-4 text-meta text-ink-3">{t("talk.reasons_note")}</p>
          <Markdown text={result.reasons} lang={lang} under={2} className="text-ink-2" />
        </>
      )}
    </>
  );
}

function Disagreements({ result }: { result: SharedResult }) {
  const { t } = useTranslation();
  return (
    <ul lang={result.language} className="flex flex-col gap-4">
      {result.disagreements.map(({ issue, sides }) => (
        <li key={issue}>
          <p className="font-medium">{issue}</p>
          <ul className="mt-1 list-disc pl-5 text-dense text-ink-2">
            {sides.map(({ view, why, holders }) => (
              <li key={view}>
                <b className="font-medium text-ink">{holders.join(t("ui.comma"))}</b> {view}
                {why && ` — ${why}`}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

function Bullets({ lang, lines }: { lang: string; lines: string[] }) {
  return (
    <ul lang={lang} className="list-disc pl-5">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

/** A line with the names that it belongs to. */
function Noted({ text, note }: { text: string; note?: string | null }) {
  return (
    <li>
      {text}
      {note && <span className="text-ink-3"> · {note}</span>}
    </li>
  );
}

function Dissent({ rows, lang, none }: { rows: SharedDissent[]; lang: string; none: string }) {
  const { t } = useTranslation();
  if (rows.length === 0) {
    return <p className="text-dense text-ink-3">{none}</p>;
  }
  return (
    <ul lang={lang} className="flex flex-col gap-3.5">
      {rows.map(({ name, score, reason, position }) => (
        <li key={name}>
          <p className="font-medium">
            {name}
            {score != null && (
              <span className="ml-2 text-meta font-normal text-ink-3">
                {t("result.scored", { count: score })}
              </span>
            )}
          </p>
          <p className="text-ink-2">{reason || position}</p>
          {reason && position && <p className="text-meta text-ink-3">{t("share.position", { position })}</p>}
        </li>
      ))}
    </ul>
  );
}

function Ballot({ ballot, lang }: { ballot: SharedBallot; lang: string }) {
  const { t } = useTranslation();
  const state = ballot.state === "passed" || ballot.state === "failed" ? ballot.state : "interrupted";
  return (
    <section aria-label={t("result.ballot_n", { n: ballot.id.slice(1) })}>
      <h3 className="flex flex-wrap items-center gap-2.5 text-h3 font-semibold">
        {t("result.ballot_n", { n: ballot.id.slice(1) })}
        <Badge tone={state === "passed" ? "good" : state === "failed" ? "warn" : "plain"}>
          {t(`result.ballot.${state}`)}
        </Badge>
      </h3>
      <ul lang={lang} className="mt-1 text-meta text-ink-3">
        {ballot.clauses.map((clause) => (
          <li key={clause}>{clause}</li>
        ))}
      </ul>
      <VoteTable
        votes={ballot.votes.map(voteOf)}
        lang={lang}
        caption={t("result.votes_and_reasons", { count: ballot.votes.length })}
      />
    </section>
  );
}

function voteOf({ name, score, pass, reason, failed }: SharedVote): VoteLine {
  const state = failed ? "failed" : pass === null ? "abstained" : "voted";
  return { speaker: guest(name), state, score, pass, reason, missing: [], contradictory: false };
}
