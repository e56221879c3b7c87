// A person edits the minutes: every part, with what it will look like.

import Plus from "lucide-react/icons/plus";
import Trash2 from "lucide-react/icons/trash-2";
import { useState } from "react";
import { api, done, ProblemError } from "../../api/client";
import type { Minutes, MinutesItem } from "../../api/schema";
import { useTable } from "../../components/meeting-page/context";
import { MinutesText } from "../../components/record/artifact";
import { useTranslation } from "../../i18n";
import { Button, IconButton } from "../../ui/button";
import { Confirm } from "../../ui/dialog";
import { Field, TextArea, TextInput } from "../../ui/field";
import { ErrorNotice } from "../../ui/surface";
import { notify } from "../../ui/toast";
import { Segments } from "../../ui/toggles";
import type { Edit } from "./unsaved-minutes";

const LISTS = ["decisions", "actions", "risks"] as const;

interface Props {
  edit: Edit;
  /** Reports the edited text; `null` when it is saved or discarded. */
  onEdit: (edit: Edit | null) => void;
}

/** The form of the minutes. */
export default function MinutesEditor({ edit: { from, minutes: begun }, onEdit }: Props) {
  const { t } = useTranslation();
  const { view } = useTable();
  const [minutes, setMinutes] = useState(begun);
  const [as, setAs] = useState<"edit" | "preview">("edit");
  const [problem, setProblem] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const set = (change: Partial<Minutes>) => {
    const now = { ...minutes, ...change };
    setMinutes(now);
    onEdit({ from, minutes: now });
  };
  const drop = () => onEdit(null);
  const changed = JSON.stringify(minutes) !== JSON.stringify(from.minutes);
  const newer = (view.minutes?.version ?? 0) > from.version;

  const save = async () => {
    setBusy(true);
    setProblem(null);
    try {
      await done(
        api.PUT("/api/v1/meetings/{id}/minutes", {
          params: { path: { id: view.id }, header: { "If-Match": `"${from.version}"` } },
          body: minutes,
        }),
      );
      notify({ text: t("panel.minutes.saved") });
      drop();
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
    }
  };
  const outdated = newer || (problem instanceof ProblemError && problem.status === 412);
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Segments
        label={t("panel.minutes.mode")}
        className="self-start"
        value={as}
        onChange={setAs}
        choices={[
          { value: "edit", label: t("ui.edit") },
          { value: "preview", label: t("panel.minutes.preview") },
        ]}
      />
      {as === "preview" ? (
        <MinutesText minutes={minutes} />
      ) : (
        <>
          <Field label={t("panel.minutes.summary")}>
            <TextArea value={minutes.summary} onChange={(event) => set({ summary: event.target.value })} />
          </Field>
          {LISTS.map((name) => (
            <ListEditor
              key={name}
              title={t(`panel.minutes.${name}`)}
              items={minutes[name]}
              onChange={(items) => set({ [name]: items })}
            />
          ))}
          <Field label={t("panel.minutes.content")} hint={t("panel.minutes.markdown")}>
            <TextArea
              className="min-h-40"
              value={minutes.content}
              onChange={(event) => set({ content: event.target.value })}
            />
          </Field>
        </>
      )}
      {problem !== null && <ErrorNotice error={problem} compact />}
      {outdated && <p className="text-dense text-warn">{t("panel.minutes.outdated")}</p>}
      <div className="flex justify-end gap-2">
        <Button look="quiet" onClick={() => (changed ? setLeaving(true) : drop())}>
          {t("ui.cancel")}
        </Button>
        <Button type="submit" look="primary" busy={busy}>
          {t("ui.save")}
        </Button>
      </div>
      {leaving && (
        <Confirm
          open
          onOpenChange={setLeaving}
          title={t("panel.minutes.discard")}
          text={t("panel.minutes.discard_text")}
          action={t("panel.minutes.discard")}
          danger
          onConfirm={drop}
        />
      )}
    </form>
  );
}

function ListEditor(props: {
  title: string;
  items: MinutesItem[];
  onChange: (items: MinutesItem[]) => void;
}) {
  const { t } = useTranslation();
  const { title, items, onChange } = props;
  const put = (at: number, change: Partial<MinutesItem>) =>
    onChange(items.map((item, place) => (place === at ? { ...item, ...change } : item)));
  return (
    <fieldset className="m-0 flex flex-col gap-2 border-0 p-0">
      <legend className="p-0 pb-1 text-dense font-medium">{title}</legend>
      {items.map((item, at) => (
        <div key={at} className="flex items-start gap-1.5">
          <div className="flex min-w-0 flex-1 flex-col gap-1">
            <Field label={t("panel.minutes.line", { n: at + 1 })} bare>
              <TextArea
                className="min-h-11"
                value={item.text}
                onChange={(event) => put(at, { text: event.target.value })}
              />
            </Field>
            <Field label={t("panel.minutes.who")} bare>
              <TextInput
                placeholder={t("panel.minutes.who")}
                value={item.who ?? ""}
                onChange={(event) => put(at, { who: event.target.value || null })}
              />
            </Field>
          </div>
          <IconButton
            size="small"
            label={t("panel.minutes.drop", { n: at + 1 })}
            onClick={() => onChange(items.filter((_, place) => place !== at))}
          >
            <Trash2 size={14} aria-hidden />
          </IconButton>
        </div>
      ))}
      <Button
        look="quiet"
        size="small"
        className="self-start"
        onClick={() => onChange([...items, { text: "", who: null, quote: null, sources: [] }])}
      >
        <Plus size={14} aria-hidden />
        {t("panel.minutes.add")}
      </Button>
    </fieldset>
  );
}
