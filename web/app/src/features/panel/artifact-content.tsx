// The contents of an artifact, by its kind. Fields that do not fit the schema are left out.

import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { ArtifactKind, MinutesItem } from "../../api/schema";
import { Markdown } from "../../markdown";
import { Badge, type Tone } from "../../ui/surface";
import { useTable } from "../meeting-page/context";
import { Items } from "./minutes";
import { Part } from "./section";
import { Sources } from "./sources";

type Plain = Record<string, unknown>;

function plain(value: unknown): Plain {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function text(of: Plain, key: string): string {
  const value = of[key];
  return typeof value === "string" ? value : "";
}

function list(of: Plain, key: string): unknown[] {
  const value = of[key];
  return Array.isArray(value) ? value : [];
}

function texts(of: Plain, key: string): string[] {
  return list(of, key).filter((one) => typeof one === "string");
}

/** A line of an artifact, in the shape of a line of the minutes. */
function lineOf(value: unknown): MinutesItem {
  const line = plain(value);
  return {
    text: typeof value === "string" ? value : text(line, "text"),
    sources: texts(line, "sources"),
    quote: text(line, "quote") || null,
    who: text(line, "who") || null,
  };
}

/** An artifact as people read it. */
export function ArtifactContent({ kind, content }: { kind: ArtifactKind; content: unknown }) {
  const of = plain(content);
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

function Decision({ of }: { of: Plain }) {
  const { t } = useTranslation();
  const status = text(of, "status");
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-2">
        <h4 className="text-h3 font-semibold">{text(of, "title")}</h4>
        {(status === "accepted" || status === "proposed") && (
          <Badge tone={status === "accepted" ? "good" : "warn"}>{t(`panel.artifact.${status}`)}</Badge>
        )}
      </div>
      <Items title={t("panel.artifact.decision")} items={[lineOf(of.decision)].filter((line) => line.text)} />
      <Prose title={t("panel.artifact.context")} text={text(of, "context")} />
      <Part title={t("panel.artifact.options")}>
        {list(of, "options")
          .map(plain)
          .map((option) => (
            <details
              key={text(option, "name")}
              className="rounded-xl border border-line px-3 py-2 text-dense"
            >
              <summary className="font-medium">{text(option, "name")}</summary>
              <Points title={t("panel.artifact.pros")} points={texts(option, "pros")} />
              <Points title={t("panel.artifact.cons")} points={texts(option, "cons")} />
              <Sources ids={texts(option, "sources")} />
            </details>
          ))}
      </Part>
      <Items title={t("panel.artifact.consequences")} items={list(of, "consequences").map(lineOf)} />
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

function Tasks({ of }: { of: Plain }) {
  const { t } = useTranslation();
  return (
    <ol className="flex flex-col divide-y divide-line">
      {list(of, "tasks")
        .map(plain)
        .map((task) => (
          <li key={text(task, "title")} className="flex flex-col gap-1 py-2.5 text-dense">
            <div className="flex flex-wrap items-center gap-1.5">
              <span className="font-medium">{text(task, "title")}</span>
              <Weight name={t("panel.artifact.priority")} value={text(task, "priority")} />
            </div>
            <p className="text-ink-2">{text(task, "description")}</p>
            <p className="text-meta text-ink-3">
              {t("panel.artifact.owner", { who: text(task, "owner") || t("panel.artifact.nobody") })}
              {text(task, "acceptance") &&
                ` · ${t("panel.artifact.acceptance", { what: text(task, "acceptance") })}`}{" "}
              <Sources ids={texts(task, "sources")} />
            </p>
          </li>
        ))}
    </ol>
  );
}

function Risks({ of }: { of: Plain }) {
  const { t } = useTranslation();
  const risks = list(of, "risks").map(plain);
  if (risks.length === 0) {
    return <p className="text-dense text-ink-3">{t("panel.artifact.no_risks")}</p>;
  }
  return (
    <ul className="flex flex-col divide-y divide-line">
      {risks.map((risk) => (
        <li key={text(risk, "risk")} className="flex flex-col gap-1 py-2.5 text-dense">
          <span className="font-medium">{text(risk, "risk")}</span>
          <span className="flex flex-wrap gap-1.5">
            <Weight name={t("panel.artifact.likelihood")} value={text(risk, "likelihood")} />
            <Weight name={t("panel.artifact.impact")} value={text(risk, "impact")} />
          </span>
          <p className="text-ink-2">{text(risk, "mitigation")}</p>
          <p className="text-meta text-ink-3">
            {t("panel.artifact.owner", { who: text(risk, "owner") || t("panel.artifact.nobody") })}{" "}
            <Sources ids={texts(risk, "sources")} />
          </p>
        </li>
      ))}
    </ul>
  );
}

function SummaryText({ of }: { of: Plain }) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-col gap-4">
      <Prose title={t("panel.minutes.summary")} text={text(of, "summary")} />
      <Items title={t("panel.artifact.key_points")} items={list(of, "key_points").map(lineOf)} />
      <Items title={t("panel.agenda.questions")} items={list(of, "open_questions").map(lineOf)} />
    </div>
  );
}

function MinutesText({ of }: { of: Plain }) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-col gap-4">
      <Prose title={t("panel.minutes.summary")} text={text(of, "summary")} />
      <Items title={t("panel.minutes.decisions")} items={list(of, "decisions").map(lineOf)} />
      <Items title={t("panel.minutes.actions")} items={list(of, "actions").map(lineOf)} />
      <Items title={t("panel.minutes.risks")} items={list(of, "risks").map(lineOf)} />
      <Prose title={t("panel.minutes.content")} text={text(of, "content")} />
    </div>
  );
}
