// Rarely used settings: agenda, announcement, off the record, a seed, and the meeting file itself.

import ArrowDown from "lucide-react/icons/arrow-down";
import ArrowUp from "lucide-react/icons/arrow-up";
import X from "lucide-react/icons/x";
import { Suspense, useState } from "react";
import { TimeFields } from "../../components/times/fields";
import { useTranslation } from "../../i18n";
import { moved, type Point, rowKey } from "../../meeting-form/form";
import { Button, IconButton } from "../../ui/button";
import { Field, FieldError, NumberInput, TextArea, TextInput } from "../../ui/field";
import { lazily } from "../../ui/lazily";
import { Waiting } from "../../ui/surface";
import { Switch } from "../../ui/toggles";
import { sectionOf } from "./field-errors";
import { LIST_END_CLASS, MoreButton, moveFocusFromRow, Section, type SectionProps } from "./section";

const FileEditor = lazily(() => import("./file-editor"));

interface Props extends SectionProps {
  open: boolean;
  onToggle: () => void;
}

/** The section of other settings. */
export function AdvancedSection({ form, set, wrong, open, onToggle }: Props) {
  const { t } = useTranslation();
  const [file, setFile] = useState(false);
  const line =
    form.agenda.length > 0
      ? t("create.more.sum_agenda", { n: form.agenda.length })
      : t("create.more.sum_plain");
  return (
    <Section
      id="more"
      title={t("create.more.section")}
      line={form.off_record ? `${line} · ${t("table.off_record")}` : line}
      open={open}
      onToggle={onToggle}
      alarm={Object.keys(wrong).some((field) => sectionOf(field) === "more")}
    >
      <DetailsEditor form={form} set={set} wrong={wrong} />
      <AgendaEditor form={form} set={set} wrong={wrong} />
      <Field label={t("create.more.announce")} hint={t("create.more.announce_hint")} error={wrong.announce}>
        <TextArea
          rows={2}
          maxLength={2000}
          value={form.announce}
          onChange={(event) => set({ ...form, announce: event.target.value })}
          className="min-h-16!"
        />
      </Field>
      <Switch
        label={t("table.off_record")}
        hint={t("create.more.off_record_hint")}
        checked={form.off_record}
        onChange={(off_record) => set({ ...form, off_record })}
      />
      <div className="flex flex-col gap-1">
        <span className="text-dense font-medium">{t("create.more.seed")}</span>
        <NumberInput
          label={t("create.more.seed")}
          value={form.seed}
          onChange={(seed) => set({ ...form, seed })}
          min={0}
        />
        <p className="text-meta text-ink-3">{t("create.more.seed_hint")}</p>
        <FieldError text={wrong.seed} />
      </div>
      <MoreButton expanded={file} onClick={() => setFile(!file)}>
        {t("create.more.json_open")}
      </MoreButton>
      {file && (
        <Suspense fallback={<Waiting />}>
          <FileEditor form={form} set={set} />
        </Suspense>
      )}
    </Section>
  );
}

/** What the meeting is called, and how its times are shown. */
function DetailsEditor({ form, set, wrong }: SectionProps) {
  const { t } = useTranslation();
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label={t("times.details.name")} hint={t("times.details.name_hint")} error={wrong.title}>
        <TextInput
          maxLength={200}
          value={form.title}
          onChange={(event) => set({ ...form, title: event.target.value })}
        />
      </Field>
      <Field
        label={t("times.details.description")}
        hint={t("times.details.description_hint")}
        error={wrong.description}
      >
        <TextInput
          maxLength={200}
          value={form.description}
          onChange={(event) => set({ ...form, description: event.target.value })}
        />
      </Field>
      <TimeFields
        value={form.display}
        onChange={(change) => set({ ...form, display: { ...form.display, ...change } })}
        open={t("times.reader")}
        hint={t("times.zone_hint")}
        wrong={{
          time_zone: wrong["display.time_zone"],
          time_format: wrong["display.time_format"],
          date_format: wrong["display.date_format"],
        }}
      />
    </div>
  );
}

function AgendaEditor({ form, set, wrong }: SectionProps) {
  const { t } = useTranslation();
  const put = (agenda: Point[]) => set({ ...form, agenda });
  const change = (key: string, what: Partial<Point>) =>
    put(form.agenda.map((one) => (one.key === key ? { ...one, ...what } : one)));
  return (
    <div className="flex flex-col gap-2">
      <h3 className="text-dense font-medium">{t("create.more.agenda")}</h3>
      <ol className="flex flex-col gap-2">
        {form.agenda.map((point, at) => (
          <li key={point.key} className="flex flex-wrap items-start gap-2">
            <span className="w-5 pt-2 text-center text-meta text-ink-3">{at + 1}</span>
            <div className="grid min-w-52 flex-1 gap-2 sm:grid-cols-2">
              <TextInput
                aria-label={`${t("create.more.agenda_title")} ${at + 1}`}
                placeholder={t("create.more.agenda_title")}
                maxLength={200}
                value={point.title}
                onChange={(event) => change(point.key, { title: event.target.value })}
              />
              <TextInput
                aria-label={`${t("create.more.agenda_text")} ${at + 1}`}
                placeholder={t("create.more.agenda_text")}
                value={point.description}
                onChange={(event) => change(point.key, { description: event.target.value })}
              />
              <FieldError text={wrong[`agenda.${at}`]} />
            </div>
            <IconButton
              label={t("create.more.agenda_up", { n: at + 1 })}
              aria-disabled={at === 0}
              className={LIST_END_CLASS}
              onClick={() => put(moved(form.agenda, at, at - 1))}
            >
              <ArrowUp size={15} aria-hidden />
            </IconButton>
            <IconButton
              label={t("create.more.agenda_down", { n: at + 1 })}
              aria-disabled={at === form.agenda.length - 1}
              className={LIST_END_CLASS}
              onClick={() => put(moved(form.agenda, at, at + 1))}
            >
              <ArrowDown size={15} aria-hidden />
            </IconButton>
            <IconButton
              label={t("create.more.agenda_remove", { n: at + 1 })}
              onClick={(event) => {
                moveFocusFromRow(event.currentTarget);
                put(form.agenda.filter((other) => other.key !== point.key));
              }}
            >
              <X size={15} aria-hidden />
            </IconButton>
          </li>
        ))}
      </ol>
      <div>
        <Button
          size="small"
          onClick={() => put([...form.agenda, { key: rowKey(), title: "", description: "" }])}
        >
          {t("create.more.agenda_add")}
        </Button>
      </div>
    </div>
  );
}
