// A provider's key, address, and how it is asked.

import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { formErrors } from "../../api/form-errors";
import { presets } from "../../api/queries";
import type { Provider } from "../../api/schema";
import {
  fromProvider,
  PROVIDER_FIELDS,
  type ProviderForm,
  toChange,
  WIRES,
} from "../../components/providers/provider-form";
import { updateProvider } from "../../components/providers/requests";
import { useTranslation } from "../../i18n";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Field, NumberInput, TextInput } from "../../ui/field";
import { Select } from "../../ui/select";
import { ErrorNotice } from "../../ui/surface";
import { notify } from "../../ui/toast";
import { Unsaved } from "../../ui/unsaved";
import { More } from "./provider-advanced";

interface Props {
  provider: Provider;
  onOver: () => void;
}

/** Changes what is stored about a provider. */
export function EditProvider({ provider, onOver }: Props) {
  const { t } = useTranslation();
  const known = useQuery(presets);
  const before = fromProvider(provider);
  const [form, setForm] = useState(before);
  const put = (some: Partial<ProviderForm>) => setForm((now) => ({ ...now, ...some }));
  const change = toChange(form, before);
  const saving = useMutation({
    mutationFn: () => updateProvider(provider.provider, change),
    onSuccess: () => {
      notify({ text: t("settings.providers.saved", { name: provider.provider }) });
      onOver();
    },
  });
  const { at, rest } = formErrors(saving.error, PROVIDER_FIELDS);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  const vendors = (known.data?.items ?? []).map((one) => ({ value: one.name, label: one.name }));
  const number = (name: "concurrency" | "requests_per_minute" | "tokens_per_minute", max?: number) => (
    <Field label={t(`settings.providers.${name}`)} error={at[name]}>
      <NumberInput value={form[name]} onChange={(value) => put({ [name]: value })} min={1} max={max} />
    </Field>
  );
  return (
    <Dialog
      wide
      open
      onOpenChange={onOver}
      title={t("settings.providers.edit", { name: provider.provider })}
      description={t("settings.providers.edit_lead")}
      footer={
        <>
          <Button look="quiet" onClick={onOver}>
            {t("ui.cancel")}
          </Button>
          <Button
            type="submit"
            form="provider-form"
            look="primary"
            busy={saving.isPending}
            disabled={Object.keys(change).length === 0}
          >
            {t("ui.save")}
          </Button>
        </>
      }
    >
      <form id="provider-form" onSubmit={submit} className="flex flex-col gap-4">
        <Unsaved when={Object.keys(change).length > 0} />
        {rest != null && <ErrorNotice error={rest} compact />}
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label={t("settings.providers.key")}
            hint={t("settings.providers.key_hint")}
            error={at.api_key}
          >
            <TextInput
              type="password"
              autoComplete="off"
              value={form.api_key}
              onChange={(event) => put({ api_key: event.currentTarget.value })}
              className="font-mono"
            />
          </Field>
          <Field
            label={t("settings.providers.address")}
            hint={t("settings.providers.address_hint")}
            error={at.base_url}
          >
            <TextInput
              type="url"
              spellCheck={false}
              value={form.base_url}
              onChange={(event) => put({ base_url: event.currentTarget.value })}
              className="font-mono"
            />
          </Field>
          <Field label={t("settings.providers.vendor")} error={at.vendor}>
            <Select
              value={form.vendor}
              onChange={(vendor) => put({ vendor })}
              choices={[{ value: "", label: t("settings.providers.no_vendor") }, ...vendors]}
            />
          </Field>
          <Field label={t("settings.providers.wire")} error={at.wire}>
            <Select
              value={form.wire}
              onChange={(wire) => put({ wire })}
              choices={[
                { value: "", label: t("settings.providers.wire_own") },
                ...WIRES.map((value) => ({ value, label: t(`settings.providers.wires.${value}`) })),
              ]}
            />
          </Field>
        </div>
        <fieldset>
          <legend className="text-dense font-medium">{t("settings.providers.limits")}</legend>
          <p className="mb-2 text-meta text-ink-3">{t("settings.providers.limits_hint")}</p>
          <div className="grid gap-4 sm:grid-cols-3">
            {number("concurrency", 1024)}
            {number("requests_per_minute")}
            {number("tokens_per_minute")}
          </div>
        </fieldset>
        <More provider={provider} form={form} put={put} errors={at} />
      </form>
    </Dialog>
  );
}
