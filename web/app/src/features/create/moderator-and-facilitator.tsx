// Moderator, facilitator, and the fallback model.

import { useState } from "react";
import { ModelPicker } from "../../components/models/model-picker";
import { useTranslation } from "../../i18n";
import type { Form } from "../../meeting-form/form";
import { Field, FieldError, TextArea } from "../../ui/field";
import { Select } from "../../ui/select";
import { Switch } from "../../ui/toggles";
import { SamplingFields } from "./sampling";
import { MoreButton, type SectionProps } from "./section";

/** Moderator, facilitator and fallback; folded, as most meetings need nothing of it. */
export function ModeratorAndFacilitator({ form, set, wrong }: SectionProps) {
  const { t } = useTranslation();
  const { facilitator } = form;
  const touched =
    !facilitator.enabled ||
    facilitator.model !== "" ||
    form.moderator !== "" ||
    form.fallback !== "" ||
    facilitator.system_prompt !== "";
  const [open, setOpen] = useState(false);
  // What a template or an undo brings is shown, and stays so while it is changed.
  if (touched && !open) {
    setOpen(true);
  }
  const fault = wrong.moderator ?? wrong.facilitator ?? wrong.fallback;
  if (!open && !fault) {
    return (
      <MoreButton expanded={false} onClick={() => setOpen(true)}>
        {t("create.cast.moderator")} · {t("create.cast.facilitator")} · {t("create.cast.fallback")}
      </MoreButton>
    );
  }
  const put = (change: Partial<Form["facilitator"]>) =>
    set({ ...form, facilitator: { ...form.facilitator, ...change } });
  const names = form.named ? form.seats.map((one) => one.name).filter(Boolean) : [];
  const leaders = [...new Set([...names, ...(form.moderator ? [form.moderator] : [])])];
  return (
    <div className="grid gap-4 rounded-xl bg-sunken/60 p-4 sm:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-1">
        <span className="text-dense font-medium">{t("create.cast.moderator")}</span>
        <Select
          label={t("create.cast.moderator")}
          value={form.moderator}
          onChange={(moderator) => set({ ...form, moderator })}
          choices={[
            { value: "", label: t("create.cast.moderator_me") },
            ...leaders.map((name) => ({ value: name, label: name })),
          ]}
        />
        <p className="text-meta text-ink-3">{t("create.cast.moderator_hint")}</p>
        <FieldError text={wrong.moderator} />
      </div>
      <div className="flex min-w-0 flex-col gap-1">
        <span className="text-dense font-medium">{t("create.more.fallback")}</span>
        <ModelPicker
          label={t("create.more.fallback")}
          value={form.fallback}
          onChange={(fallback) => set({ ...form, fallback })}
          also={[{ value: "", label: t("create.cast.fallback_none") }]}
        />
        <FieldError text={wrong.fallback} />
      </div>
      <div className="flex flex-col gap-3 sm:col-span-2">
        <Switch
          label={t("create.cast.facilitator")}
          hint={t("create.cast.facilitator_hint")}
          checked={form.facilitator.enabled}
          onChange={(enabled) => put({ enabled })}
        />
        <FieldError text={wrong.facilitator} />
        {form.facilitator.enabled && (
          <div className="grid gap-3 sm:grid-cols-2">
            <div className="flex min-w-0 flex-col gap-1">
              <span className="text-dense">{t("create.cast.facilitator_model")}</span>
              <ModelPicker
                label={t("create.cast.facilitator_model")}
                value={form.facilitator.model}
                onChange={(model) => put({ model })}
                also={[{ value: "", label: t("create.cast.facilitator_auto") }]}
              />
            </div>
            <div className="flex min-w-0 flex-col gap-1">
              <span className="text-dense">{t("create.cast.fallback")}</span>
              <ModelPicker
                label={`${t("create.cast.facilitator")} · ${t("create.cast.fallback")}`}
                value={form.facilitator.fallback}
                onChange={(fallback) => put({ fallback })}
                also={[
                  { value: "", label: t("create.cast.fallback_default") },
                  { value: "none", label: t("create.cast.fallback_none") },
                ]}
              />
            </div>
            <Field label={t("create.cast.role_prompt")} className="sm:col-span-2">
              <TextArea
                rows={2}
                value={form.facilitator.system_prompt}
                onChange={(event) => put({ system_prompt: event.target.value })}
                className="min-h-16!"
              />
            </Field>
            <div className="sm:col-span-2">
              <SamplingFields value={form.facilitator.sampling} onChange={(sampling) => put({ sampling })} />
            </div>
          </div>
        )}
      </div>
    </div>
  );
}
