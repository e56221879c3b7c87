// The result of a brainstorm: the best ideas, the wildcard, and all ideas with their follow-ups.

import Sparkles from "lucide-react/icons/sparkles";
import type { ClaimId, Report, ReportBestIdea, ReportIdea } from "../../api/schema";
import { Speaker, usePlace } from "../../components/record/place";
import { Lines } from "../../components/record/section";
import { useTranslation } from "../../i18n";
import { SourceLink } from "./source-link";

/** The ideas that the meeting puts forward. */
export function Best({ report }: { report: Report }) {
  const { t } = useTranslation();
  const sources = new Map(report.ideas.map((idea) => [idea.id, idea]));
  return (
    <div className="flex flex-col gap-6">
      <ol className="flex flex-col gap-5">
        {report.best.map((pick, at) => (
          <li key={pick.idea} className="grid grid-cols-[2rem_1fr]">
            <span className="text-h2 font-semibold text-accent">{at + 1}</span>
            <PickText pick={pick} idea={sources.get(pick.idea)} />
          </li>
        ))}
      </ol>
      {report.wildcard && (
        <div className="rounded-2xl bg-accent-soft p-4">
          <p className="mb-1 flex items-center gap-1.5 text-dense font-medium text-accent">
            <Sparkles size={15} aria-hidden />
            {t("result.wildcard")}
          </p>
          <PickText pick={report.wildcard} idea={sources.get(report.wildcard.idea)} />
        </div>
      )}
    </div>
  );
}

function PickText({ pick, idea }: { pick: ReportBestIdea; idea: ReportIdea | undefined }) {
  const { lang } = usePlace();
  return (
    <div className="measure min-w-0 text-body">
      <p lang={lang} className="text-h3 font-medium">
        {pick.text}
      </p>
      <p lang={lang} className="text-ink-2">
        {pick.why}
      </p>
      <p className="mt-1 flex flex-wrap items-center gap-2 text-dense">
        <Speaker name={pick.by} small />
        {idea?.source && <SourceLink message={idea.source} />}
      </p>
    </div>
  );
}

/** The number of ideas before the rest is folded. */
const FOLD = 8;

/** Every idea in the order in which it was raised. */
export function Ideas({ rows }: { rows: readonly ReportIdea[] }) {
  const { t } = useTranslation();
  const first = rows.slice(0, FOLD);
  const rest = rows.slice(FOLD);
  return (
    <>
      <IdeaList rows={first} />
      {rest.length > 0 && (
        <details className="mt-4">
          <summary className="w-fit rounded text-dense text-ink-2 hover:text-ink">
            {t("result.more_ideas", { count: rest.length })}
          </summary>
          <div className="mt-4">
            <IdeaList rows={rest} />
          </div>
        </details>
      )}
    </>
  );
}

function IdeaList({ rows }: { rows: readonly ReportIdea[] }) {
  const { t } = useTranslation();
  const { lang } = usePlace();
  return (
    <Lines>
      {rows.map((idea) => (
        <li key={idea.id} id={`idea-${idea.id}`} className="scroll-mt-6 text-dense">
          <p lang={lang} className="measure text-body">
            {idea.text}
          </p>
          <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-meta text-ink-3">
            <span className="font-mono">{idea.id}</span>
            <Speaker name={idea.by} small />
            <span>{t("result.round_n", { n: idea.round })}</span>
            {idea.source && <SourceLink message={idea.source} />}
            {idea.builds_on.length > 0 && (
              <span>
                {t("result.builds_on")} <Refs ids={idea.builds_on} />
              </span>
            )}
            {grown(idea).length > 0 && (
              <span>
                {t("result.grew_into")} <Refs ids={grown(idea)} />
              </span>
            )}
          </p>
        </li>
      ))}
    </Lines>
  );
}

/** The ideas that build on one. */
function grown(idea: ReportIdea): ClaimId[] {
  const pairs: unknown[] = idea.built_on_by;
  return pairs.flatMap((pair) => (Array.isArray(pair) && typeof pair[1] === "string" ? [pair[1]] : []));
}

function Refs({ ids }: { ids: readonly ClaimId[] }) {
  return ids.map((id) => (
    <a
      key={id}
      href={`#idea-${id}`}
      onClick={() => {
        const folded = document.getElementById(`idea-${id}`)?.closest("details");
        if (folded) folded.open = true;
      }}
      className="mr-1 font-mono text-calm underline decoration-1 underline-offset-2"
    >
      {id}
    </a>
  ));
}
