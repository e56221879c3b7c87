// Consequences of a result: action items and risks.

import type { ActionItem, ReportArtifact, ReportMissingInformation } from "../../api/schema";
import { useTranslation } from "../../i18n";
import { Badge } from "../../ui/surface";
import {
  type Fields,
  isFields,
  type Level,
  levelIn,
  listIn,
  textIn,
  textsIn,
} from "../meeting-page/artifact-fields";
import { ballotNumber } from "./labels";
import { Lines } from "./section";
import { EventLink, Sources } from "./source-links";
import { Speaker, useTable } from "./speaker";

/** The rows of a kind of artifact, `tasks` or `risks`; none when it was not written. */
export function rowsOf(artifacts: readonly ReportArtifact[], kind: "TASKS" | "RISKS"): Fields[] {
  const found = artifacts.find((one) => one.type === kind);
  return found && isFields(found.content) ? listIn(found.content, kind.toLowerCase()) : [];
}

/** The action items of the conclusion. */
export function Actions({ rows, seq }: { rows: readonly ActionItem[]; seq: number | null | undefined }) {
  const { lang } = useTable();
  return (
    <ol className="flex list-decimal flex-col gap-2 pl-6 text-body marker:text-ink-3">
      {rows.map((row) => (
        <li key={row.what}>
          <span lang={lang}>{row.what}</span>
          <span className="ml-2 inline-flex flex-wrap items-center gap-2">
            {row.who && <Owner name={row.who} />}
            <Sources of={row.sources} or={seq} said="result.in_conclusion" />
          </span>
        </li>
      ))}
    </ol>
  );
}

/** The event that a kind of artifact is. */
export function seqOf(artifacts: readonly ReportArtifact[], kind: "TASKS" | "RISKS"): number | undefined {
  return artifacts.find((one) => one.type === kind)?.seq;
}

/** Missing information by the voters: who asked for it, and in which ballot. */
export function Missing({ rows }: { rows: readonly ReportMissingInformation[] }) {
  const { t } = useTranslation();
  const { lang } = useTable();
  return (
    <ul className="flex list-disc flex-col gap-1.5 pl-5 text-body marker:text-ink-3">
      {rows.map((row) => (
        <li key={row.text}>
          <span lang={lang}>{row.text}</span>
          <span className="ml-2 inline-flex flex-wrap items-center gap-2 text-dense">
            {row.by.map((name) => (
              <Speaker key={name} name={name} small />
            ))}
            {row.seq != null && (
              <EventLink seq={row.seq}>{t("result.ballot_n", { n: ballotNumber(row.ballot) })}</EventLink>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The owner. */
export function Owner({ name }: { name: string }) {
  const { t } = useTranslation();
  return (
    <>
      <span className="sr-only">{t("result.owner")}: </span>
      <Speaker name={name} small />
    </>
  );
}

const TONE: Record<Level, "bad" | "warn" | "plain"> = { high: "bad", medium: "warn", low: "plain" };

function LevelBadge({ label, level }: { label: string; level: Level }) {
  const { t } = useTranslation();
  return (
    <Badge tone={TONE[level]}>
      {label} {t(`result.level.${level}`)}
    </Badge>
  );
}

/** Tasks: each with who does it, how urgent it is, and how one sees that it is done. */
export function Tasks({ rows, seq }: { rows: readonly Fields[]; seq?: number | undefined }) {
  const { t } = useTranslation();
  const { lang } = useTable();
  return (
    <Lines ordered>
      {rows.map((row, at) => (
        <li key={at} className="text-body">
          <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
            <span lang={lang} className="font-medium">
              {textIn(row, "title")}
            </span>
            <LevelBadge label={t("result.priority")} level={levelIn(row, "priority")} />
            {textIn(row, "owner") ? (
              <Owner name={textIn(row, "owner")} />
            ) : (
              <span className="text-meta text-ink-3">{t("result.no_owner")}</span>
            )}
            <Sources of={textsIn(row, "sources")} or={seq} />
          </p>
          <div lang={lang} className="measure text-dense text-ink-2">
            <p>{textIn(row, "description")}</p>
            {textIn(row, "acceptance") && <p>{t("result.done_when", { what: textIn(row, "acceptance") })}</p>}
          </div>
        </li>
      ))}
    </Lines>
  );
}

const WEIGHT: Record<Level, number> = { high: 3, medium: 2, low: 1 };
const weight = (row: Fields) => WEIGHT[levelIn(row, "impact")] * WEIGHT[levelIn(row, "likelihood")];

/** Risks, the heaviest first. */
export function Risks({ rows, seq }: { rows: readonly Fields[]; seq?: number | undefined }) {
  const { t } = useTranslation();
  const { lang } = useTable();
  return (
    <Lines>
      {rows
        .toSorted((a, b) => weight(b) - weight(a))
        .map((row, at) => (
          <li key={at} className="text-body">
            <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
              <span lang={lang} className="font-medium">
                {textIn(row, "risk")}
              </span>
              <LevelBadge label={t("result.likelihood")} level={levelIn(row, "likelihood")} />
              <LevelBadge label={t("result.impact")} level={levelIn(row, "impact")} />
            </p>
            <p className="measure text-dense text-ink-2">
              <span lang={lang}>{t("result.mitigation", { what: textIn(row, "mitigation") })}</span>
              <span className="ml-2 inline-flex flex-wrap items-center gap-2">
                {textIn(row, "owner") && <Owner name={textIn(row, "owner")} />}
                <Sources of={textsIn(row, "sources")} or={seq} />
              </span>
            </p>
          </li>
        ))}
    </Lines>
  );
}
