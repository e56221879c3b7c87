// A filled-in form is kept as a template.

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, done, onceKey } from "../../api/client";
import { queries } from "../../api/queries";
import { useTranslation } from "../../i18n";
import type { Form } from "../../meeting-form/form";
import { toMeetingFile } from "../../meeting-form/write-meeting-file";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Field, TextInput } from "../../ui/field";
import { ErrorNotice } from "../../ui/surface";
import { notify } from "../../ui/toast";
import { Switch } from "../../ui/toggles";
import { Unsaved } from "../../ui/unsaved";

/** Keeps a meeting file under a name. */
export async function saveTemplate(name: string, file: unknown): Promise<void> {
  await done(
    api.POST("/api/v1/templates", {
      params: { header: onceKey() },
      body: { name, body: {} },
      bodySerializer: () => JSON.stringify({ name, body: file }),
    }),
  );
  await queries.invalidateQueries({ queryKey: ["templates"] });
}

/** Asks for a name, and keeps the form under it. */
export default function SaveTemplate({ form, onClose }: { form: Form; onClose: () => void }) {
  const { t } = useTranslation();
  const [name, setName] = useState("");
  const [whole, setWhole] = useState(false);
  const [asked, setAsked] = useState(false);
  const fits = name.trim() !== "" && [...name.trim()].length <= 100;
  const save = useMutation({
    mutationFn: () => {
      const { topic, background, ...rest } = toMeetingFile(form);
      return saveTemplate(name.trim(), whole ? { topic, background, ...rest } : rest);
    },
    onSuccess: () => {
      notify({ text: t("create.tpl.saved", { name: name.trim() }) });
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (fits) {
      save.mutate();
    }
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={t("create.tpl.save")}>
      <Unsaved when={name.trim() !== ""} />
      <form onSubmit={submit} className="flex flex-col gap-4 pb-2" noValidate>
        <Field label={t("create.tpl.name")} error={asked && !fits ? t("create.tpl.name_wrong") : undefined}>
          <TextInput autoFocus value={name} onChange={(event) => setName(event.target.value)} />
        </Field>
        <Switch label={t("create.tpl.with_topic")} checked={whole} onChange={setWhole} />
        {form.described.length > 0 && (
          <p className="text-meta text-ink-3">
            {t("create.tpl.without", { who: form.described.join(t("ui.comma")) })}
          </p>
        )}
        {save.error && <ErrorNotice error={save.error} compact />}
        <div className="flex justify-end">
          <Button type="submit" look="primary" busy={save.isPending}>
            {t("ui.save")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
