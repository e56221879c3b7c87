// The parts of an agent's form: who it is, and what answers for it.

import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { EFFORTS, TEMPERAMENTS } from "../../api/choices";
import { usePermission } from "../../api/permissions";
import { ModelPicker } from "../../components/models/model-picker";
import { ProcessPicker } from "../../components/models/process-picker";
import { useUsable } from "../../components/providers/usable-providers";
import { useTranslation } from "../../i18n";
import { Field, NumberInput, TextArea, TextInput } from "../../ui/field";
import { Select } from "../../ui/select";
import { Segments } from "../../ui/toggles";
import type { AgentForm } from "./form";

interface Props {
  form: AgentForm;
  /** Puts some of it. */
  put: (some: Partial<AgentForm>) => void;
  errors: Record<string, string | undefined>;
}

/** Name, role, and what it looks at. */
export function WhoFields({ form, put, errors }: Props) {
  const { t } = useTranslation();
  return (
    <section aria-labelledby="agent-who" className="flex flex-col gap-4">
      <h2 id="agent-who" className="text-h3 font-semibold">
        {t("agents.who")}
      </h2>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t("agents.name")} hint={t("agents.name_hint")} error={errors.name} required>
          <TextInput
            value={form.name}
            onChange={(e) => put({ name: e.currentTarget.value })}
            maxLength={50}
          />
        </Field>
        <Field label={t("agents.role")} hint={t("agents.role_hint")} error={errors.role} required>
          <TextInput
            value={form.role}
            onChange={(e) => put({ role: e.currentTarget.value })}
            maxLength={50}
          />
        </Field>
      </div>
      <Field
        label={t("agents.description")}
        hint={t("agents.description_hint")}
        error={errors.description}
        required
      >
        <TextArea
          value={form.description}
          onChange={(e) => put({ description: e.currentTarget.value })}
          maxLength={2000}
          rows={3}
        />
      </Field>
      <Field
        label={t("agents.system_prompt")}
        hint={t("agents.system_prompt_hint")}
        error={errors.system_prompt}
      >
        <TextArea
          value={form.system_prompt}
          onChange={(e) => put({ system_prompt: e.currentTarget.value })}
          maxLength={2000}
          rows={4}
        />
      </Field>
      <Field label={t("agents.skip_list")} hint={t("agents.skip_list_hint")} error={errors.skip_list}>
        <TextArea
          value={form.skip_list}
          onChange={(e) => put({ skip_list: e.currentTarget.value })}
          rows={3}
        />
      </Field>
    </section>
  );
}

/** A model with how it samples, a program of the server's configuration, or a simulation. */
export function AnswerFields({ form, put, errors }: Props) {
  const { t } = useTranslation();
  const choices: { value: AgentForm["answers"]; label: string }[] = [
    { value: "model", label: t("agents.by_model") },
    { value: "process", label: t("agents.by_process") },
    { value: "simulated", label: t("agents.by_simulation") },
  ];
  return (
    <section aria-labelledby="agent-answers" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="agent-answers" className="text-h3 font-semibold">
          {t("agents.answers")}
        </h2>
        <Segments
          label={t("agents.answers")}
          value={form.answers}
          onChange={(answers) => put({ answers })}
          choices={choices}
        />
      </div>
      {form.answers === "model" && <ModelFields form={form} put={put} errors={errors} />}
      {form.answers === "simulated" && (
        <Field
          label={t("agents.temperament_label")}
          hint={t("agents.simulated_hint")}
          error={errors.temperament}
        >
          <Select
            value={form.temperament}
            onChange={(temperament) => put({ temperament })}
            choices={TEMPERAMENTS.map((value) => ({
              value,
              label: t(`table.temperament.${value}`),
              note: t(`agents.temperament_note.${value}`),
            }))}
            className="sm:max-w-xs"
          />
        </Field>
      )}
      {form.answers === "process" && (
        <ProcessPicker
          value={form.program}
          onChange={(program) => put({ program })}
          error={errors.program ?? errors.model}
        />
      )}
    </section>
  );
}

function ModelFields({ form, put, errors }: Props) {
  const { t } = useTranslation();
  return (
    <>
      <Model
        label={t("agents.model")}
        value={form.model}
        onChange={(model) => put({ model })}
        error={errors.model}
      />
      <Model
        label={t("agents.fallback")}
        hint={t("agents.fallback_hint")}
        value={form.fallback}
        onChange={(fallback) => put({ fallback })}
        error={errors.fallback}
        optional
      />
      <NoProvider />
      <Sampling form={form} put={put} errors={errors} />
      <Access form={form} put={put} errors={errors} />
    </>
  );
}

interface ModelProps {
  label: string;
  hint?: string;
  error?: string;
  value: string;
  onChange: (model: string) => void;
  optional?: boolean;
}

function Model({ label, hint, error, value, onChange, optional }: ModelProps) {
  const { t } = useTranslation();
  return (
    <fieldset className="min-w-0 sm:max-w-md">
      <legend className="mb-1 text-dense font-medium text-ink">
        {label}
        {optional && <span className="ml-1.5 text-meta font-normal text-ink-3">{t("ui.optional")}</span>}
      </legend>
      <ModelPicker
        label={label}
        value={value}
        onChange={onChange}
        error={error}
        placeholder={t("ui.choose")}
        also={optional ? [{ value: "", label: t("agents.no_fallback") }] : []}
      />
      {hint && <p className="mt-1 text-meta text-ink-3">{hint}</p>}
    </fieldset>
  );
}

/** The way to a provider while there is none that can be asked. */
function NoProvider() {
  const { t } = useTranslation();
  const usable = useUsable();
  if (usable.pending || usable.providers.length > 0) {
    return null;
  }
  return (
    <p className="text-meta text-ink-2">
      {t("agents.no_provider")}{" "}
      <Link
        to="/settings/$part"
        params={{ part: "providers" }}
        className="text-accent underline underline-offset-2"
      >
        {t("agents.to_providers")}
      </Link>
    </p>
  );
}

function Sampling({ form, put, errors }: Props) {
  const { t } = useTranslation();
  return (
    <fieldset>
      <legend className="text-dense font-medium text-ink">{t("agents.sampling")}</legend>
      <p className="mb-3 text-meta text-ink-3">{t("agents.sampling_hint")}</p>
      <div className="grid grid-cols-1 gap-4 xs:grid-cols-2 lg:grid-cols-4">
        <Field label={t("agents.temperature")} hint={t("agents.temperature_hint")} error={errors.temperature}>
          <NumberInput
            value={form.temperature}
            onChange={(temperature) => put({ temperature })}
            min={0}
            max={2}
            step={0.1}
          />
        </Field>
        <Field label={t("agents.top_p")} hint={t("agents.top_p_hint")} error={errors.top_p}>
          <NumberInput value={form.top_p} onChange={(top_p) => put({ top_p })} min={0} max={1} step={0.05} />
        </Field>
        <Field label={t("agents.max_tokens")} hint={t("agents.max_tokens_hint")} error={errors.max_tokens}>
          <NumberInput
            value={form.max_tokens}
            onChange={(max_tokens) => put({ max_tokens })}
            min={1}
            step={100}
          />
        </Field>
        <Field label={t("agents.effort")} hint={t("agents.effort_hint")} error={errors.effort}>
          <Select
            value={form.effort ?? "own"}
            onChange={(effort) => put({ effort: effort === "own" ? null : effort })}
            choices={[
              { value: "own" as const, label: t("agents.own") },
              ...EFFORTS.map((value) => ({ value, label: t(`agents.efforts.${value}`) })),
            ]}
          />
        </Field>
      </div>
    </fieldset>
  );
}

/**
 * The key and the address of the agent's provider. All agents of the provider share them, so only the owner may
 * change them.
 */
function Access({ form, put, errors }: Props) {
  const { t } = useTranslation();
  const owner = usePermission("owner");
  const [open, setOpen] = useState(false);
  if (!owner) {
    return <p className="text-meta text-ink-3">{t("agents.key_owner")}</p>;
  }
  const shown = open || Boolean(errors.api_key ?? errors.base_url);
  return (
    <details open={shown} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-fit rounded text-dense text-ink-2 hover:text-ink">{t("agents.key_more")}</summary>
      <p className="mt-1 mb-3 text-meta text-ink-3">{t("agents.key_lead")}</p>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t("agents.api_key")} hint={t("agents.api_key_hint")} error={errors.api_key}>
          <TextInput
            type="password"
            value={form.api_key}
            onChange={(e) => put({ api_key: e.currentTarget.value })}
            autoComplete="off"
            className="font-mono"
          />
        </Field>
        <Field label={t("agents.base_url")} hint={t("agents.base_url_hint")} error={errors.base_url}>
          <TextInput
            type="url"
            value={form.base_url}
            onChange={(e) => put({ base_url: e.currentTarget.value })}
            spellCheck={false}
            className="font-mono"
          />
        </Field>
      </div>
    </details>
  );
}
