// What is written about a meeting: minutes and artifacts, each by what it is. Fields that do not fit their schema are left out.

import type { ReactNode } from "react";
import type { ArtifactKind, MinutesItem, ReportMinutes } from "../../api/schema";
import { useTranslation } from "../../i18n";
import { Markdown } from "../../markdown";
import { type Fields, isFields } from "../../ui/json";
import { Badge } from "../../ui/surface";
import { type Level, levelIn, listIn, textIn, textsIn } from "./artifact-fields";
import { Sources, Speaker, usePlace } from "./place";

/** The event that a line stands in, when it names no message. */
type WrittenIn = { seq: number; text: string } | undefined;

type MinutesContent = Pick<ReportMinutes, "summary" | "content"> &
  Partial<Record<(typeof LISTS)[number], readonly MinutesItem[]>>;

const LISTS = ["decisions", "actions", "risks"] as const;

/** Minutes with what they rest on. */
export function MinutesText({ minutes }: { minutes: MinutesContent }) {
  const { t } = useTranslation();
  const { lang } = usePlace();
  return (
    <article lang={lang} className="measure flex flex-col gap-4">
      {minutes.summary && <Markdown text={minutes.summary} lang={lang} under={2} className="font-medium" />}
      {LISTS.map((name) => (
        <Items key={name} title={t(`panel.minutes.${name}`)} items={minutes[name] ?? []} />
      ))}
      {minutes.content && <Prose title={t("panel.minutes.content")} text={minutes.content} />}
    </article>
  );
}

/** Lines of a record, with who has to do with them and what they rest on. */
function Items({ title, items }: { title: string; items: readonly MinutesItem[] }) {
  return (
    items.length > 0 && (
      <Group title={title}>
        <ul className="flex list-disc flex-col gap-1.5 pl-5 marker:text-ink-3">
          {items.map((item, at) => (
            <li key={at}>
              {item.text}{" "}
              <span className="inline-flex flex-wrap items-center gap-2">
                {item.who && <Owner name={item.who} />}
                <Sources of={item.sources} />
              </span>
              {item.quote && (
                <q className="mt-0.5 block border-l-2 border-line pl-3 text-dense text-ink-2">{item.quote}</q>
              )}
            </li>
          ))}
        </ul>
      </Group>
    )
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-1 text-dense font-medium text-ink-2">{title}</h3>
      {children}
    </section>
  );
}

function Prose({ title, text }: { title: string; text: string }) {
  const { lang } = usePlace();
  return (
    text !== "" && (
      <Group title={title}>
        <Markdown text={text} lang={lang} under={2} />
      </Group>
    )
  );
}

/** An artifact as people read it. */
export function ArtifactContent({ kind, content }: { kind: ArtifactKind; content: unknown }) {
  const { lang } = usePlace();
  const { t } = useTranslation();
  const of = isFields(content) ? content : {};
  switch (kind) {
    case "ADR":
      return <Decision of={of} />;
    case "TASKS":
      return <Tasks rows={listIn(of, "tasks")} />;
    case "RISKS":
      return <Risks rows={listIn(of, "risks")} />;
    case "SUMMARY":
      return (
        <div lang={lang} className="measure flex flex-col gap-4">
          <Markdown text={textIn(of, "summary")} lang={lang} under={2} />
          <Items title={t("panel.artifact.key_points")} items={linesIn(of, "key_points")} />
          <Items title={t("panel.agenda.questions")} items={linesIn(of, "open_questions")} />
        </div>
      );
    case "MINUTES":
      return (
        <MinutesText
          minutes={{
            summary: textIn(of, "summary"),
            content: textIn(of, "content"),
            decisions: linesIn(of, "decisions"),
            actions: linesIn(of, "actions"),
            risks: linesIn(of, "risks"),
          }}
        />
      );
  }
}

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

function linesIn(of: Fields, key: string): MinutesItem[] {
  const value = of[key];
  return Array.isArray(value) ? value.map(lineOf) : [];
}

function Decision({ of }: { of: Fields }) {
  const { t } = useTranslation();
  const { lang } = usePlace();
  const status = textIn(of, "status");
  return (
    <div lang={lang} className="measure flex flex-col gap-4">
      <p className="flex flex-wrap items-center gap-2 text-h3 font-semibold">
        {textIn(of, "title")}
        {(status === "accepted" || status === "proposed") && (
          <Badge tone={status === "accepted" ? "good" : "plain"}>{t(`panel.artifact.${status}`)}</Badge>
        )}
      </p>
      <Prose title={t("panel.artifact.context")} text={textIn(of, "context")} />
      <Items title={t("panel.artifact.decision")} items={[lineOf(of.decision)].filter((line) => line.text)} />
      <Group title={t("panel.artifact.options")}>
        <ul className="flex flex-col gap-3">
          {listIn(of, "options").map((option, at) => (
            <li key={at}>
              <p className="font-medium">
                {textIn(option, "name")} <Sources of={textsIn(option, "sources")} />
              </p>
              <Points mark="+" label={t("panel.artifact.pros")} of={textsIn(option, "pros")} />
              <Points mark="−" label={t("panel.artifact.cons")} of={textsIn(option, "cons")} />
            </li>
          ))}
        </ul>
      </Group>
      <Items title={t("panel.artifact.consequences")} items={linesIn(of, "consequences")} />
    </div>
  );
}

function Points({ mark, label, of }: { mark: string; label: string; of: string[] }) {
  const { t } = useTranslation();
  return (
    of.length > 0 && (
      <ul className="text-dense text-ink-2">
        {of.map((text) => (
          <li key={text} className="flex gap-2">
            <span className="w-3 shrink-0 text-center text-ink-3" aria-hidden>
              {mark}
            </span>
            <span className="sr-only">
              {label}
              {t("ui.colon")}
            </span>
            {text}
          </li>
        ))}
      </ul>
    )
  );
}

/** The owner. */
export function Owner({ name }: { name: string }) {
  const { t } = useTranslation();
  return (
    <>
      <span className="sr-only">
        {t("panel.artifact.owner")}
        {t("ui.colon")}
      </span>
      <Speaker name={name} small />
    </>
  );
}

const TONE: Record<Level, "bad" | "warn" | "plain"> = { high: "bad", medium: "warn", low: "plain" };

function LevelBadge({ label, level }: { label: string; level: Level }) {
  const { t } = useTranslation();
  return (
    <Badge tone={TONE[level]}>
      {label} {t(`panel.artifact.${level}`)}
    </Badge>
  );
}

/** Tasks: each with who does it, how urgent it is, and how one sees that it is done. */
export function Tasks({ rows, or }: { rows: readonly Fields[]; or?: WrittenIn }) {
  const { t } = useTranslation();
  const { lang } = usePlace();
  return (
    <ol className="flex flex-col gap-3.5">
      {rows.map((row, at) => (
        <li key={at}>
          <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
            <span lang={lang} className="font-medium">
              {textIn(row, "title")}
            </span>
            <LevelBadge label={t("panel.artifact.priority")} level={levelIn(row, "priority")} />
            {textIn(row, "owner") ? (
              <Owner name={textIn(row, "owner")} />
            ) : (
              <span className="text-meta text-ink-3">{t("panel.artifact.nobody")}</span>
            )}
            <Sources of={textsIn(row, "sources")} or={or} />
          </p>
          <div lang={lang} className="measure text-ink-2">
            <p>{textIn(row, "description")}</p>
            {textIn(row, "acceptance") && (
              <p>{t("panel.artifact.acceptance", { what: textIn(row, "acceptance") })}</p>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}

const WEIGHT: Record<Level, number> = { high: 3, medium: 2, low: 1 };
const weight = (row: Fields) => WEIGHT[levelIn(row, "impact")] * WEIGHT[levelIn(row, "likelihood")];

/** Risks, the heaviest first. */
export function Risks({ rows, or }: { rows: readonly Fields[]; or?: WrittenIn }) {
  const { t } = useTranslation();
  const { lang } = usePlace();
  return (
    <ul className="flex flex-col gap-3.5">
      {rows
        .toSorted((a, b) => weight(b) - weight(a))
        .map((row, at) => (
          <li key={at}>
            <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
              <span lang={lang} className="font-medium">
                {textIn(row, "risk")}
              </span>
              <LevelBadge label={t("panel.artifact.likelihood")} level={levelIn(row, "likelihood")} />
              <LevelBadge label={t("panel.artifact.impact")} level={levelIn(row, "impact")} />
            </p>
            <p className="measure text-ink-2">
              <span lang={lang}>{t("panel.artifact.mitigation", { what: textIn(row, "mitigation") })}</span>
              <span className="ml-2 inline-flex flex-wrap items-center gap-2">
                {textIn(row, "owner") && <Owner name={textIn(row, "owner")} />}
                <Sources of={textsIn(row, "sources")} or={or} />
              </span>
            </p>
          </li>
        ))}
    </ul>
  );
}
