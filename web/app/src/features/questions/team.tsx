// Proposed candidates and departures, and their approval.

import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useTable } from "../../components/meeting-page/context";
import { lastOfLog } from "../../components/meeting-page/log";
import { Named } from "../../components/speaker/avatar";
import { runnerLabel } from "../../components/speaker/runner-label";
import { useTranslation } from "../../i18n";
import { usePhrase } from "../../i18n/phrases";
import { Field, TextArea } from "../../ui/field";
import { ErrorNotice, Waiting } from "../../ui/surface";
import { Segments } from "../../ui/toggles";
import type { Answers } from "./answers";

/** The proposal; candidates that are not ticked do not join. */
export function TeamForm({ answers, onChange }: { answers: Answers; onChange: (answers: Answers) => void }) {
  const { t } = useTranslation();
  const phrase = usePhrase();
  const { view } = useTable();
  const name = useId();
  const proposed = useQuery(lastOfLog(view.id, ["team_proposed"], view.pause?.paused_at ?? 0));
  const proposal = proposed.data?.at(-1)?.payload;
  const left = new Set(names(answers.leave_out));
  const verdict = typeof answers.team === "string" ? answers.team : "accept";
  const tick = (who: string, comes: boolean) => {
    const next = comes ? [...left].filter((one) => one !== who) : [...left, who];
    onChange({ ...answers, leave_out: next.join(", ") });
  };
  if (proposed.isPending) {
    return <Waiting />;
  }
  if (!proposed.data) {
    return <ErrorNotice error={proposed.error} compact onRetry={() => void proposed.refetch()} />;
  }
  const candidates = proposal?.candidates ?? [];
  const departures = proposal?.departures ?? [];
  return (
    <div className="flex flex-col gap-4">
      {candidates.length > 0 && (
        <section>
          <h3 className="text-dense font-medium">{t("table.team.come")}</h3>
          <ul className="mt-1 flex flex-col divide-y divide-line">
            {candidates.map(({ newcomer, focus, reason }) => (
              <li key={newcomer.name} className="flex gap-3 py-2">
                <input
                  id={`${name}-${newcomer.name}`}
                  type="checkbox"
                  className="mt-1 size-4 accent-accent"
                  disabled={verdict !== "accept"}
                  checked={!left.has(newcomer.name)}
                  onChange={(event) => tick(newcomer.name, event.target.checked)}
                />
                <label htmlFor={`${name}-${newcomer.name}`} className="min-w-0 flex-1 text-dense">
                  <span className="font-medium">{newcomer.name}</span>
                  <span className="ml-2 text-ink-2">{newcomer.role.name}</span>
                  <span className="ml-2 text-meta text-ink-3">{runnerLabel(newcomer.runner)}</span>
                  {focus && <span className="block text-ink-2">{t("table.team.focus", { focus })}</span>}
                  {newcomer.role.description && !focus && (
                    <span className="block text-ink-2">{newcomer.role.description}</span>
                  )}
                  {phrase(reason) && (
                    <span className="block text-meta text-ink-3">
                      {t("table.team.why", { why: phrase(reason) })}
                    </span>
                  )}
                </label>
              </li>
            ))}
          </ul>
        </section>
      )}
      {departures.length > 0 && (
        <section>
          <h3 className="text-dense font-medium">{t("table.team.go")}</h3>
          <ul className="mt-1 flex flex-col gap-1.5">
            {departures.map((one) => (
              <li key={one.participant} className="text-dense">
                <Named view={view} id={one.participant} />
                {phrase(one.reason) && (
                  <span className="block text-meta text-ink-3">
                    {t("table.team.why", { why: phrase(one.reason) })}
                  </span>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      <Segments
        label={t("table.team.verdict")}
        className="flex-wrap self-start"
        value={verdict}
        onChange={(team) => onChange({ ...answers, team })}
        choices={(["accept", "again", "reject"] as const).map((value) => ({
          value,
          label: t(`table.choice.${value}`),
        }))}
      />
      {verdict === "again" && (
        <Field label={t("table.team.note")}>
          <TextArea
            value={typeof answers.note === "string" ? answers.note : ""}
            onChange={(event) => onChange({ ...answers, note: event.target.value })}
          />
        </Field>
      )}
    </div>
  );
}

function names(value: unknown): string[] {
  return typeof value === "string"
    ? value
        .split(",")
        .map((one) => one.trim())
        .filter((one) => one !== "")
    : [];
}
