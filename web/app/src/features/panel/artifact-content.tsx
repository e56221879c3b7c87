// The contents of an artifact, by its kind. Fields that do not fit the schema are left out.

import type { ReactNode } from "react";
import type { ArtifactKind, MinutesItem } from "../../api/schema";
import { useTranslation } from "../../i18n";
import { Markdown } from "../../markdown";
import { Badge, type Tone } from "../../ui/surface";
import { type Fields, isFields, listIn, textIn, textsIn } from "../meeting-page/artifact-fields";
import { useTable } from "../meeting-page/context";
import { Items } from "./minutes";
import { Part } from "./section";
import { Sources } from "./sources";

/** A line of an artifact, in the shape of a line of the minutes. */
function lineOf(value: unknown): MinutesItem {
  const line = isFields(value) ? value : {};
  return {
    text: typeof value === "string" ? value : textIn(line, "text"),
    sources: textsIn(line, "sources"),
    quote: textIn(line, "quote") || null,
    who: textIn(line, "who") || null,
  };
}

/** The lines in a field. */
function linesIn(of: Fields, key: string): MinutesItem[] {
  const value = of[key];
  return Array.isArray(value) ? value.map(lineOf) : [];
}

/** An artifact as people read it. */
export function ArtifactContent({ kind, content }: { kind: ArtifactKind; content: unknown }) {
  const of = isFields(content) ? content : {};
  switch (kind) {
    case "ADR":
      return <Decision of={of} />;
    case "TASKS":
      return <Tasks of={of} />;
    case "RISKS":
      return <Risks of={of} />;
    case "SUMMARY":
      return <SummaryText of={of} />;
    case "MINUTES":
      return <MinutesText of={of} />;
  }
}

function Decision({ of }: { of: Fields }) {
  const { t } = useTranslation();
  const status = textIn(of, "status");
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-2">
        <h4 className="text-h3 font-semibold">{textIn(of, "title")}</h4>
        {(status === "accepted" || status === "proposed") && (
          <Badge tone={status === "accepted" ? "good" : "warn"}>{t(`panel.artifact.${status}`)}</Badge>
        )}
      </div>
      <Items title={t("panel.artifact.decision")} items={[lineOf(of.decision)].filter((line) => line.text)} />
      <Prose title={t("panel.artifact.context")} text={textIn(of, "context")} />
      <Part title={t("panel.artifact.options")}>
        {listIn(of, "options").map((option) => (
          <details
            key={textIn(option, "name")}
            className="rounded-xl border border-line px-3 py-2 text-dense"
          >
            <summary className="font-medium">{textIn(option, "name")}</summary>
            <Points title={t("panel.artifact.pros")} points={textsIn(option, "pros")} />
            <Points title={t("panel.artifact.cons")} points={textsIn(option, "cons")} />
            <Sources ids={textsIn(option, "sources")} />
          </details>
        ))}
      </Part>
      <Items title={t("panel.artifact.consequences")} items={linesIn(of, "consequences")} />
    </div>
  );
}

function Points({ title, points }: { title: string; points: string[] }) {
  return (
    points.length > 0 && (
      <>
        <div className="mt-1 text-meta text-ink-3">{title}</div>
        <ul className="list-disc pl-4">
          {points.map((point) => (
            <li key={point}>{point}</li>
          ))}
        </ul>
      </>
    )
  );
}

function Prose({ title, text: words }: { title: string; text: string }) {
  const { view } = useTable();
  return (
    words !== "" && (
      <Part title={title}>
        <Markdown text={words} lang={view.language} />
      </Part>
    )
  );
}

const WEIGHT: Record<string, Tone> = { high: "bad", medium: "warn", low: "plain" };

function Weight({ name, value }: { name: string; value: string }): ReactNode {
  const { t } = useTranslation();
  if (value !== "high" && value !== "medium" && value !== "low") {
    return null;
  }
  return (
    <Badge tone={WEIGHT[value]}>
      {name} {t(`panel.artifact.${value}`)}
    </Badge>
  );
}

function Tasks({ of }: { of: Fields }) {
  const { t } = useTranslation();
  return (
    <ol className="flex flex-col divide-y divide-line">
      {listIn(of, "tasks").map((task) => (
        <li key={textIn(task, "title")} className="flex flex-col gap-1 py-2.5 text-dense">
          <div className="flex flex-wrap items-center gap-1.5">
            <span className="font-medium">{textIn(task, "title")}</span>
            <Weight name={t("panel.artifact.priority")} value={textIn(task, "priority")} />
          </div>
          <p className="text-ink-2">{textIn(task, "description")}</p>
          <p className="text-meta text-ink-3">
            {t("panel.artifact.owner", { who: textIn(task, "owner") || t("panel.artifact.nobody") })}
            {textIn(task, "acceptance") &&
              ` · ${t("panel.artifact.acceptance", { what: textIn(task, "acceptance") })}`}{" "}
            <Sources ids={textsIn(task, "sources")} />
          </p>
        </li>
      ))}
    </ol>
  );
}

function Risks({ of }: { of: Fields }) {
  const { t } = useTranslation();
  const risks = listIn(of, "risks");
  if (risks.length === 0) {
    return <p className="text-dense text-ink-3">{t("panel.artifact.no_risks")}</p>;
  }
  return (
    <ul className="flex flex-col divide-y divide-line">
      {risks.map((risk) => (
        <li key={textIn(risk, "risk")} className="flex flex-col gap-1 py-2.5 text-dense">
          <span className="font-medium">{textIn(risk, "risk")}</span>
          <span className="flex flex-wrap gap-1.5">
            <Weight name={t("panel.artifact.likelihood")} value={textIn(risk, "likelihood")} />
            <Weight name={t("panel.artifact.impact")} value={textIn(risk, "impact")} />
          </span>
          <p className="text-ink-2">{textIn(risk, "mitigation")}</p>
          <p className="text-meta text-ink-3">
            {t("panel.artifact.owner", { who: textIn(risk, "owner") || t("panel.artifact.nobody") })}{" "}
            <Sources ids={textsIn(risk, "sources")} />
          </p>
        </li>
      ))}
    </ul>
  );
}

function SummaryText({ of }: { of: Fields }) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-col gap-4">
      <Prose title={t("panel.minutes.summary")} text={textIn(of, "summary")} />
      <Items title={t("panel.artifact.key_points")} items={linesIn(of, "key_points")} />
      <Items title={t("panel.agenda.questions")} items={linesIn(of, "open_questions")} />
    </div>
  );
}

function MinutesText({ of }: { of: Fields }) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-col gap-4">
      <Prose title={t("panel.minutes.summary")} text={textIn(of, "summary")} />
      <Items title={t("panel.minutes.decisions")} items={linesIn(of, "decisions")} />
      <Items title={t("panel.minutes.actions")} items={linesIn(of, "actions")} />
      <Items title={t("panel.minutes.risks")} items={linesIn(of, "risks")} />
      <Prose title={t("panel.minutes.content")} text={textIn(of, "content")} />
    </div>
  );
}
