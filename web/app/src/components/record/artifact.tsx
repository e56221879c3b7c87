// The written record: minutes and artifacts, each by what it is.

import Copy from "lucide-react/icons/copy";
import { useState } from "react";
import type { ReportArtifact, ReportMinutes } from "../../api/schema";
import { useTranslation } from "../../i18n";
import { Markdown } from "../../markdown";
import { IconButton } from "../../ui/button";
import { copy } from "../../ui/copy";
import { Badge } from "../../ui/surface";
import { Tabs } from "../../ui/tabs";
import { type Fields, isFields, listIn, textIn, textsIn } from "../meeting-page/artifact-fields";
import { Owner, Risks, Tasks } from "./action-items";
import { EventLink, Sources } from "./source-links";
import { useTable } from "./speaker";

/** Minutes with what they rest on. */
export function MinutesText({ minutes }: { minutes: ReportMinutes }) {
  const { t } = useTranslation();
  const { lang } = useTable();
  const lists = [
    ["decisions", minutes.decisions],
    ["actions", minutes.actions],
    ["risks", minutes.risks],
  ] as const;
  return (
    <div lang={lang} className="measure text-body">
      {minutes.summary && <Markdown text={minutes.summary} lang={lang} under={2} className="font-medium" />}
      {minutes.content && <Markdown text={minutes.content} lang={lang} under={2} className="mt-3" />}
      {lists.map(
        ([key, rows]) =>
          rows &&
          rows.length > 0 && (
            <Group key={key} title={t(`result.minutes_${key}`)}>
              {rows.map((row, at) => (
                <li key={at}>
                  {row.text}{" "}
                  <span className="inline-flex flex-wrap items-center gap-2">
                    {row.who && <Owner name={row.who} />}
                    <Sources of={row.sources} />
                  </span>
                  {row.quote && <Quote text={row.quote} />}
                </li>
              ))}
            </Group>
          ),
      )}
    </div>
  );
}

function Group({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div className="mt-4">
      <h3 className="text-dense font-medium text-ink-2">{title}</h3>
      <ul className="mt-1 flex list-disc flex-col gap-1.5 pl-5 marker:text-ink-3">{children}</ul>
    </div>
  );
}

function Quote({ text }: { text: string }) {
  return <q className="mt-0.5 block border-l-2 border-line pl-3 text-dense text-ink-2">{text}</q>;
}

/** The artifacts, one in sight. */
export function Artifacts({ rows }: { rows: readonly ReportArtifact[] }) {
  const { t } = useTranslation();
  const [shown, setShown] = useState<string>(rows[0]?.type ?? "ADR");
  const now = rows.find((one) => one.type === shown) ?? rows[0];
  if (!now) {
    return null;
  }
  return (
    <>
      <div className="print:hidden">
        <Tabs
          label={t("result.part.artifacts")}
          tabs={rows.map((one) => ({ value: String(one.type), label: t(`result.artifact.${one.type}`) }))}
          value={now.type}
          onChange={setShown}
        >
          <Artifact row={now} />
        </Tabs>
      </div>
      <div className="hidden print:block">
        {rows.map((one) => (
          <Artifact key={one.type} row={one} />
        ))}
      </div>
    </>
  );
}

function Artifact({ row }: { row: ReportArtifact }) {
  const { t } = useTranslation();
  const { lang } = useTable();
  return (
    <div className="pt-4">
      <p className="mb-3 flex items-center gap-2 text-meta text-ink-3">
        <span className="hidden font-medium text-ink print:inline">{t(`result.artifact.${row.type}`)}</span>
        {t("result.artifact_by", { version: row.version, author: row.author })}
        <span className="print:hidden">
          <EventLink seq={row.seq}>{t("result.see_there")}</EventLink>
        </span>
        <span className="print:hidden">
          <IconButton
            label={t("result.copy_json")}
            size="small"
            onClick={() => void copy(JSON.stringify(row.content, null, 2))}
          >
            <Copy size={14} aria-hidden />
          </IconButton>
        </span>
      </p>
      <div lang={lang}>{isFields(row.content) ? <Content row={row} content={row.content} /> : null}</div>
    </div>
  );
}

function Content({ row, content }: { row: ReportArtifact; content: Fields }) {
  switch (row.type) {
    case "ADR":
      return <Adr content={content} />;
    case "TASKS":
      return <Tasks rows={listIn(content, "tasks")} />;
    case "RISKS":
      return <Risks rows={listIn(content, "risks")} />;
    case "SUMMARY":
      return <SummaryText content={content} />;
    case "MINUTES":
      return (
        <MinutesText
          minutes={{
            author: row.author,
            version: 1,
            seq: row.seq,
            covers: null,
            summary: textIn(content, "summary"),
            content: textIn(content, "content"),
            decisions: linesIn(content, "decisions"),
            actions: linesIn(content, "actions"),
            risks: linesIn(content, "risks"),
          }}
        />
      );
  }
}

const linesIn = (content: Fields, key: string) =>
  listIn(content, key).map((line) => ({
    text: textIn(line, "text"),
    sources: textsIn(line, "sources"),
    quote: textIn(line, "quote") || null,
    who: textIn(line, "who") || null,
  }));

function LinesOf({ content, of }: { content: Fields; of: string }) {
  return listIn(content, of).map((line, at) => (
    <li key={at}>
      {textIn(line, "text")} <Sources of={textsIn(line, "sources")} />
      {textIn(line, "quote") && <Quote text={textIn(line, "quote")} />}
    </li>
  ));
}

function Adr({ content }: { content: Fields }) {
  const { t } = useTranslation();
  const decision = isFields(content.decision) ? content.decision : {};
  const accepted = textIn(content, "status") === "accepted";
  return (
    <div className="measure text-body">
      <p className="flex flex-wrap items-center gap-2 text-h3 font-semibold">
        {textIn(content, "title")}
        <Badge tone={accepted ? "good" : "plain"}>
          {t(accepted ? "result.adr.accepted" : "result.adr.proposed")}
        </Badge>
      </p>
      <p className="mt-1 text-ink-2">{textIn(content, "context")}</p>
      <h3 className="mt-4 text-dense font-medium text-ink-2">{t("result.adr.decision")}</h3>
      <p className="mt-1">
        {textIn(decision, "text")} <Sources of={textsIn(decision, "sources")} />
      </p>
      {textIn(decision, "quote") && <Quote text={textIn(decision, "quote")} />}
      <h3 className="mt-4 text-dense font-medium text-ink-2">{t("result.adr.options")}</h3>
      <ul className="mt-1 flex flex-col gap-3">
        {listIn(content, "options").map((option, at) => (
          <li key={at}>
            <p className="font-medium">
              {textIn(option, "name")} <Sources of={textsIn(option, "sources")} />
            </p>
            <Points mark="+" label={t("result.adr.pro")} of={textsIn(option, "pros")} />
            <Points mark="−" label={t("result.adr.con")} of={textsIn(option, "cons")} />
          </li>
        ))}
      </ul>
      <Group title={t("result.adr.consequences")}>
        <LinesOf content={content} of="consequences" />
      </Group>
    </div>
  );
}

function Points({ mark, label, of }: { mark: string; label: string; of: string[] }) {
  return (
    of.length > 0 && (
      <ul className="text-dense text-ink-2">
        {of.map((text) => (
          <li key={text} className="flex gap-2">
            <span className="w-3 shrink-0 text-center text-ink-3" aria-hidden>
              {mark}
            </span>
            <span className="sr-only">{label}: </span>
            {text}
          </li>
        ))}
      </ul>
    )
  );
}

function SummaryText({ content }: { content: Fields }) {
  const { t } = useTranslation();
  const questions = textsIn(content, "open_questions");
  return (
    <div className="measure text-body">
      <Markdown text={textIn(content, "summary")} under={2} />
      <Group title={t("result.key_points")}>
        <LinesOf content={content} of="key_points" />
      </Group>
      {questions.length > 0 && (
        <Group title={t("result.open_questions")}>
          {questions.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </Group>
      )}
    </div>
  );
}
