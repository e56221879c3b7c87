// The question, what one has to know to answer it, and the language in which it is talked about.

import FileText from "lucide-react/icons/file-text";
import X from "lucide-react/icons/x";
import { Suspense, useRef, useState } from "react";
import type { Language } from "../../api/schema";
import { LARGEST } from "../../components/files/requests";
import { useTranslation } from "../../i18n";
import { IconButton } from "../../ui/button";
import { cx } from "../../ui/classes";
import { Field, TextArea } from "../../ui/field";
import { lazily } from "../../ui/lazily";
import { notify } from "../../ui/toast";
import { Segments } from "../../ui/toggles";
import { MoreButton, Section, type SectionProps } from "./section";

const Markdown = lazily(() => import("../../markdown").then(({ Markdown }) => ({ default: Markdown })));

interface Props extends SectionProps {
  files: File[];
  setFiles: (files: File[]) => void;
}

/** Topic, background and language. */
export function TopicSection({ form, set, wrong, files, setFiles }: Props) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState(false);
  const left = 200 - [...form.topic.trim()].length;
  const more = asked || form.background !== "" || files.length > 0;
  return (
    <Section id="topic" title={t("create.topic.section")}>
      <Field
        label={t("create.topic.label")}
        error={wrong.topic}
        hint={
          left < 60 ? (
            <span className={cx(left < 0 && "text-bad")}>
              {left < 0 ? t("create.topic.over", { count: -left }) : t("create.topic.left", { count: left })}
            </span>
          ) : undefined
        }
      >
        <TextArea
          autoFocus
          rows={2}
          value={form.topic}
          placeholder={t("create.topic.placeholder")}
          onChange={(event) => set({ ...form, topic: event.target.value.replace(/\n/g, " ") })}
          className="max-h-44! min-h-16! text-h3"
        />
      </Field>
      {more ? (
        <Background form={form} set={set} wrong={wrong} files={files} setFiles={setFiles} />
      ) : (
        <MoreButton onClick={() => setAsked(true)}>{t("create.topic.background_add")}</MoreButton>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <span className="text-dense text-ink-2">{t("create.topic.lang")}</span>
        <Segments<Language | "topic">
          label={t("create.topic.lang")}
          value={form.lang || "topic"}
          onChange={(lang) => set({ ...form, lang: lang === "topic" ? "" : lang })}
          choices={[
            { value: "topic", label: t("create.topic.lang_auto") },
            { value: "zh", label: t("create.topic.lang_zh") },
            { value: "en", label: t("create.topic.lang_en") },
          ]}
        />
      </div>
    </Section>
  );
}

function Background({ form, set, wrong, files, setFiles }: Props) {
  const { t } = useTranslation();
  const [shown, setShown] = useState<"write" | "preview">("write");
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-end justify-between gap-2">
        <span className="text-dense font-medium">{t("create.topic.background")}</span>
        <Segments
          label={t("create.topic.background")}
          value={shown}
          onChange={setShown}
          choices={[
            { value: "write", label: t("create.topic.write") },
            { value: "preview", label: t("create.topic.preview") },
          ]}
        />
      </div>
      {shown === "write" ? (
        <Field
          bare
          label={t("create.topic.background")}
          hint={t("create.topic.background_hint")}
          error={wrong.background}
        >
          <TextArea
            rows={5}
            value={form.background}
            onChange={(event) => set({ ...form, background: event.target.value })}
          />
        </Field>
      ) : (
        <div className="min-h-32 rounded-lg border border-line bg-raised px-3 py-2 text-body">
          <Suspense>
            <Markdown text={form.background} />
          </Suspense>
        </div>
      )}
      <Files form={form} set={set} files={files} setFiles={setFiles} />
    </div>
  );
}

function Files({ form, set, files, setFiles }: Omit<Props, "wrong">) {
  const { t } = useTranslation();
  const picker = useRef<HTMLInputElement>(null);
  const take = (chosen: FileList | null) => {
    const all = [...(chosen ?? [])];
    const large = all.find((one) => one.size > LARGEST);
    if (large) {
      notify({ text: t("create.topic.files_large", { name: large.name }) });
    }
    setFiles([...files, ...all.filter((one) => one.size <= LARGEST)]);
  };
  const into = async (file: File) => {
    const text = await file.text();
    const background = [form.background.trimEnd(), `## ${file.name}\n\n${text.trim()}`].filter(Boolean);
    set({ ...form, background: background.join("\n\n") });
    notify({
      text: t("create.topic.files_into_done", { name: file.name }),
      action: {
        label: t("create.undo"),
        onSelect: () => set((now) => ({ ...now, background: form.background })),
      },
    });
  };
  if (form.off_record) {
    return <p className="text-meta text-ink-3">{t("files.off_record")}</p>;
  }
  return (
    <div className="flex flex-col gap-2">
      {files.length > 0 && (
        <ul className="flex flex-col gap-1" aria-label={t("create.topic.files")}>
          {files.map((file, at) => (
            <li key={at} className="flex items-center gap-2 rounded-lg bg-sunken px-2.5 py-1 text-dense">
              <FileText size={15} aria-hidden className="shrink-0 text-ink-3" />
              <span className="min-w-0 flex-1 truncate">{file.name}</span>
              {isText(file) && (
                <button
                  type="button"
                  onClick={() => void into(file)}
                  className="rounded text-meta text-accent hover:underline"
                >
                  {t("create.topic.files_into")}
                </button>
              )}
              <IconButton
                size="small"
                label={t("create.cast.take_out", { name: file.name })}
                onClick={() => setFiles(files.filter((_, other) => other !== at))}
              >
                <X size={14} aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <div>
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          onChange={(event) => {
            take(event.target.files);
            event.target.value = "";
          }}
        />
        <MoreButton onClick={() => picker.current?.click()}>{t("files.add")}</MoreButton>
        {files.length > 0 && <p className="mt-1 text-meta text-ink-3">{t("create.topic.files_hint")}</p>}
      </div>
    </div>
  );
}

function isText(file: File): boolean {
  const written =
    file.type.startsWith("text/") || /\.(md|txt|csv|json|ya?ml|toml|log|rs|ts|py)$/i.test(file.name);
  return written && file.size <= 60_000;
}
