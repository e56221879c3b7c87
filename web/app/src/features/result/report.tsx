// The sheet of a result: its head, its parts in the order in which one asks for them, and an outline beside them.

import Copy from "lucide-react/icons/copy";
import { type ReactNode, Suspense } from "react";
import { usePermission } from "../../api/permissions";
import type { Report } from "../../api/schema";
import Files from "../../components/files/files";
import { MinutesText, Risks, Tasks } from "../../components/record/artifact";
import { hasContent } from "../../components/record/artifact-fields";
import { Disagreements } from "../../components/record/dissent";
import { EventLink } from "../../components/record/place";
import { FoldedOutline, Outline, Part } from "../../components/record/section";
import i18n, { type Translate, useTranslation } from "../../i18n";
import { Markdown } from "../../markdown";
import type { ServerView } from "../../meeting/view";
import { useTimesOf } from "../../shell/formatting";
import { useTitle } from "../../shell/title";
import { Button } from "../../ui/button";
import { copy } from "../../ui/copy";
import { lazily } from "../../ui/lazily";
import { Waiting } from "../../ui/surface";
import { Actions, Missing, rowsOf } from "./action-items";
import { Artifacts } from "./artifacts";
import { Citations, citedIn } from "./cited";
import { Failures } from "./failures";
import { Head } from "./header";
import { Best, Ideas } from "./ideas";
import { Dissent, Dissenters, Shifts } from "./positions";
import { Convergence, Costs, Marks } from "./statistics";
import { Verdict } from "./verdict";
import { Ballots } from "./votes";

const WhatIf = lazily(() => import("./whatif").then((room) => ({ default: room.WhatIf })));

/** The name of a part. */
type PartName =
  | "conclusion"
  | "best"
  | "failures"
  | "dissent"
  | "reservations"
  | "disagreements"
  | "actions"
  | "risks"
  | "missing"
  | "votes"
  | "shifts"
  | "whatif"
  | "minutes"
  | "artifacts"
  | "ideas"
  | "evidence"
  | "convergence"
  | "cost"
  | "marks";

interface Shown {
  name: PartName;
  count?: number;
  note?: string;
  actions?: ReactNode;
  body: ReactNode;
}

/** The whole result. */
export function ResultReport({ report, view }: { report: Report; view: ServerView | undefined }) {
  const { t } = useTranslation();
  useTitle(`${t("result.title")} · ${report.title}`);
  useTimesOf(view?.display);
  const parts = useParts(report, view);
  const headings = [
    { id: "verdict", title: t("result.part.verdict") },
    ...parts.map(({ name, count }) => ({ id: name, title: t(`result.part.${name}`), count })),
  ];
  return (
    <div className="mx-auto flex w-full max-w-5xl gap-12 px-4 py-6 sm:px-6 sm:py-8 print:max-w-none print:p-0">
      <Outline headings={headings} />
      <article className="min-w-0 flex-1">
        <div id="verdict" className="scroll-mt-6">
          <Head report={report} view={view} />
          <FoldedOutline headings={headings} />
          <Verdict report={report} view={view} />
        </div>
        {parts.map(({ name, note, actions, body }) => (
          <Part
            key={name}
            id={name}
            title={t(`result.part.${name}`)}
            note={note}
            actions={actions}
            className={name === "whatif" ? "print:hidden" : undefined}
          >
            {body}
          </Part>
        ))}
        <Files
          id={report.meeting_id}
          offRecord={view?.off_record}
          asPart
          className="border-t border-line pt-6"
        />
      </article>
    </div>
  );
}

/** Requested artifacts without contents, with the reason. */
function EmptyOnes({ rows }: { rows: Report["artifacts"] }) {
  const { t } = useTranslation();
  if (rows.length === 0) {
    return null;
  }
  const names = rows.map((one) => t(`table.artifact.kind.${one.type}`)).join(t("ui.comma"));
  return <p className="mt-3 text-dense text-ink-3">{t("result.artifacts_empty", { names })}</p>;
}

/** The parts that this meeting has, in order. Dissent is always one of them. */
function useParts(report: Report, view: ServerView | undefined): Shown[] {
  const { t } = useTranslation();
  const manage = usePermission("manage");
  const over = report.outcome != null;
  const tasks = rowsOf(report.artifacts, "TASKS");
  const risks = rowsOf(report.artifacts, "RISKS");
  const papers = report.artifacts.filter(
    (one) => one.type !== "TASKS" && one.type !== "RISKS" && hasContent(one),
  );
  const empty = report.artifacts.filter((one) => !hasContent(one));
  const counted = report.ballots.some((one) => one.verdict);
  const cited = citedIn(report);
  const writtenIn = (kind: "TASKS" | "RISKS") => {
    const written = report.artifacts.find((one) => one.type === kind);
    return written && { seq: written.seq, text: t("result.written_there") };
  };
  const picks = report.best.length > 0 || report.wildcard != null;
  const failures: Shown | false = report.failures.length > 0 && {
    name: "failures",
    count: report.failures.length,
    body: <Failures rows={report.failures} />,
  };
  const all: (Shown | false)[] = [
    report.incomplete != null && failures,
    picks && { name: "best", count: report.best.length, body: <Best report={report} /> },
    {
      name: "conclusion",
      note: over ? (report.not_passed ? t("result.not_passed_note") : undefined) : t("result.draft_note"),
      actions: report.conclusion ? (
        <>
          {report.conclusion_seq != null && (
            <span className="self-center text-meta">
              <EventLink seq={report.conclusion_seq}>{t("result.see_there")}</EventLink>
            </span>
          )}
          <CopyText text={report.conclusion} />
        </>
      ) : undefined,
      body: <Conclusion report={report} />,
    },
    // Ideas need no agreement, and nobody dissents from them.
    (!report.collects_ideas || report.dissent.length > 0) && {
      name: "dissent",
      count: report.dissent.length,
      note: t(counted || !over ? "result.dissent_note" : "result.dissent_unasked_note"),
      body: <Dissent report={report} over={over} asked={counted} />,
    },
    report.reservations.length > 0 && {
      name: "reservations",
      count: report.reservations.length,
      note: t("result.reservations_note"),
      body: <Dissenters rows={report.reservations} />,
    },
    report.incomplete == null && failures,
    report.disagreements.length > 0 && {
      name: "disagreements",
      count: report.disagreements.length,
      body: <Disagreements lines={report.disagreements} />,
    },
    (report.actions.length > 0 || tasks.length > 0) && {
      name: "actions",
      count: Math.max(report.actions.length, tasks.length),
      body: (
        <div className="flex flex-col gap-6">
          {report.actions.length > 0 && <Actions rows={report.actions} seq={report.conclusion_seq} />}
          {tasks.length > 0 && (
            <div>
              {report.actions.length > 0 && (
                <h3 className="mb-2 text-dense font-medium text-ink-2">{t("table.artifact.kind.TASKS")}</h3>
              )}
              <Tasks rows={tasks} or={writtenIn("TASKS")} />
            </div>
          )}
        </div>
      ),
    },
    risks.length > 0 && {
      name: "risks",
      count: risks.length,
      body: <Risks rows={risks} or={writtenIn("RISKS")} />,
    },
    report.missing.length > 0 && {
      name: "missing",
      count: report.missing.length,
      note: t("result.missing_note"),
      body: <Missing rows={report.missing} />,
    },
    report.ballots.length > 0 && {
      name: "votes",
      count: report.ballots.length,
      body: <Ballots report={report} view={view} />,
    },
    report.shifts.some((row) => row.first || row.last || row.failed) && {
      name: "shifts",
      note: shiftsNote(report, t),
      body: <Shifts report={report} />,
    },
    counted && {
      name: "whatif",
      note: t("result.whatif.note"),
      body: (
        <Suspense fallback={<Waiting />}>
          <WhatIf id={report.meeting_id} view={view} />
        </Suspense>
      ),
    },
    report.minutes != null && {
      name: "minutes",
      note: t("result.minutes_by", { version: report.minutes.version, author: report.minutes.author }),
      actions: (
        <span className="text-meta">
          <EventLink seq={report.minutes.seq}>{t("result.see_there")}</EventLink>
        </span>
      ),
      body: <MinutesText minutes={report.minutes} />,
    },
    (papers.length > 0 || empty.length > 0) && {
      name: "artifacts",
      count: papers.length,
      body: (
        <>
          <Artifacts rows={papers} />
          <EmptyOnes rows={empty} />
        </>
      ),
    },
    report.ideas.length > 0 && {
      name: "ideas",
      count: report.ideas.length,
      body: <Ideas rows={report.ideas} />,
    },
    cited.length > 0 && {
      name: "evidence",
      count: cited.length,
      note: t("result.evidence_note"),
      body: <Citations meeting={report.meeting_id} rows={cited} />,
    },
    report.convergence.length > 0 && {
      name: "convergence",
      note: t("result.convergence_note"),
      body: <Convergence rows={report.convergence} />,
    },
    report.total.calls > 0 && { name: "cost", body: <Costs report={report} /> },
    (report.evaluations.length > 0 || (manage && !over && view?.rules.roster.evaluate === true)) && {
      name: "marks",
      body: <Marks rows={report.evaluations} over={over} />,
    },
  ];
  return all.filter((one) => one !== false);
}

const listed = (names: string[]) => new Intl.ListFormat(i18n.language, { type: "conjunction" }).format(names);

/** From where the changes are counted: who was not in the blind round had heard the others before. */
function shiftsNote({ shifts }: Report, t: Translate): string {
  const stated = shifts.filter((row) => row.first !== "");
  const late = stated.filter((row) => !row.first_blind);
  if (late.length === stated.length) {
    return t("result.shifts_note_plain");
  }
  if (late.length === 0) {
    return t("result.shifts_note");
  }
  return t("result.shifts_note_late", { names: listed(late.map((row) => row.name)) });
}

function Conclusion({ report }: { report: Report }) {
  const { t } = useTranslation();
  return report.conclusion ? (
    <>
      <Markdown text={report.conclusion} lang={report.language} under={2} className="measure text-body" />
      {report.reasons && (
        <section className="mt-4 border-l-2 border-line pl-4">
          <p className="text-meta text-ink-3">{t("talk.reasons_note")}</p>
          <Markdown text={report.reasons} lang={report.language} under={2} className="measure text-dense" />
        </section>
      )}
    </>
  ) : (
    <p className="text-dense text-ink-3">{t(report.outcome ? "result.no_conclusion" : "result.no_draft")}</p>
  );
}

function CopyText({ text }: { text: string }) {
  const { t } = useTranslation();
  return (
    <Button look="quiet" size="small" onClick={() => void copy(text)}>
      <Copy size={14} aria-hidden />
      {t("ui.copy")}
    </Button>
  );
}
