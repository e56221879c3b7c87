// Consequences of a result: action items and risks.

import type { ActionItem, ReportArtifact, ReportMissingInformation } from "../../api/schema";
import { ballotNumber } from "../../components/outcome";
import { Owner } from "../../components/record/artifact";
import { listIn } from "../../components/record/artifact-fields";
import { EventLink, Sources, Speaker, usePlace } from "../../components/record/place";
import { useTranslation } from "../../i18n";
import { type Fields, isFields } from "../../ui/json";

/** The rows of a kind of artifact, `tasks` or `risks`; none when it was not written. */
export function rowsOf(artifacts: readonly ReportArtifact[], kind: "TASKS" | "RISKS"): Fields[] {
  const found = artifacts.find((one) => one.type === kind);
  return found && isFields(found.content) ? listIn(found.content, kind.toLowerCase()) : [];
}

/** The action items of the conclusion. */
export function Actions({ rows, seq }: { rows: readonly ActionItem[]; seq: number | null | undefined }) {
  const { t } = useTranslation();
  const { lang } = usePlace();
  return (
    <ol className="flex list-decimal flex-col gap-2 pl-6 text-body marker:text-ink-3">
      {rows.map((row) => (
        <li key={row.what}>
          <span lang={lang}>{row.what}</span>
          <span className="ml-2 inline-flex flex-wrap items-center gap-2">
            {row.who && <Owner name={row.who} />}
            <Sources
              of={row.sources}
              or={seq == null ? undefined : { seq, text: t("result.in_conclusion") }}
            />
          </span>
        </li>
      ))}
    </ol>
  );
}

/** Missing information by the voters: who asked for it, and in which ballot. */
export function Missing({ rows }: { rows: readonly ReportMissingInformation[] }) {
  const { t } = useTranslation();
  const { lang } = usePlace();
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
