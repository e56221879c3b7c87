// Which model answers: a provider that is configured, and one of its models, or a name that is typed.

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { problemOf } from "../../api/client";
import { models, providers } from "../../api/queries";
import type { ProviderModel } from "../../api/schema";
import { Button } from "../../ui/button";
import { Combobox } from "../../ui/combobox";
import { Field, TextInput } from "../../ui/field";

interface Props {
  label: string;
  hint?: string;
  error?: string;
  /** `provider/name`; empty for none. */
  value: string;
  onChange: (value: string) => void;
  /** Whether it can be left empty. */
  optional?: boolean;
}

/** A picker for `provider/name`. */
export function ModelPicker({ label, hint, error, value, onChange, optional }: Props) {
  const { t } = useTranslation();
  const slash = value.indexOf("/");
  const provider = slash < 0 ? value : value.slice(0, slash);
  const model = slash < 0 ? "" : value.slice(slash + 1);
  const known = useQuery(providers);
  const names = (known.data?.items ?? []).map((one) => one.provider);
  const choices = provider && !names.includes(provider) ? [provider, ...names] : names;
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-dense font-medium text-ink">
        {label}
        {optional && <span className="ml-1.5 text-meta font-normal text-ink-3">{t("ui.optional")}</span>}
      </legend>
      <div className="grid gap-2 sm:grid-cols-[12rem_1fr]">
        <Field bare label={t("agents.provider_of", { label })}>
          <Combobox
            value={provider || null}
            onChange={(next) => onChange(next ? `${next}/` : "")}
            choices={choices.map((name) => ({ value: name, label: name }))}
            placeholder={t("agents.provider")}
          />
        </Field>
        <ModelName
          key={provider}
          label={t("agents.model_of", { label })}
          provider={provider}
          model={model}
          onChange={(next) => onChange(`${provider}/${next}`)}
        />
      </div>
      {hint && <p className="mt-1 text-meta text-ink-3">{hint}</p>}
      {error && (
        <p role="alert" className="mt-1 text-meta text-bad">
          {error}
        </p>
      )}
      {optional && value && (
        <Button look="quiet" size="small" className="mt-1 -ml-2" onClick={() => onChange("")}>
          {t("agents.no_fallback")}
        </Button>
      )}
      {known.data && names.length === 0 && (
        <p className="mt-1 text-meta text-ink-2">
          {t("agents.no_provider")}{" "}
          <Link
            to="/settings/$part"
            params={{ part: "providers" }}
            className="text-accent underline underline-offset-2"
          >
            {t("agents.to_providers")}
          </Link>
        </p>
      )}
    </fieldset>
  );
}

interface NameProps {
  label: string;
  provider: string;
  model: string;
  onChange: (model: string) => void;
}

function ModelName({ label, provider, model, onChange }: NameProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(false);
  const listed = useQuery({ ...models(provider), enabled: provider !== "", retry: false });
  const found = listed.data?.items ?? [];
  const byHand = typed || listed.isError || (listed.isSuccess && found.length === 0);
  const price = usePrice();
  if (byHand) {
    return (
      <div>
        <Field
          bare
          label={label}
          hint={
            listed.error
              ? t("agents.list_failed", { why: problemOf(listed.error).detail })
              : t("agents.typed")
          }
        >
          <TextInput
            value={model}
            onChange={(event) => onChange(event.currentTarget.value)}
            placeholder={t("agents.model_name")}
            spellCheck={false}
            className="font-mono"
          />
        </Field>
        {!listed.isError && found.length > 0 && (
          <Button look="quiet" size="small" className="-ml-2" onClick={() => setTyped(false)}>
            {t("agents.from_list")}
          </Button>
        )}
      </div>
    );
  }
  const here = found.some((one) => one.model === model);
  const own = model && !here ? [{ value: model, label: model }] : [];
  const choices = [...own, ...found.map((one) => ({ value: one.model, label: one.model, note: price(one) }))];
  return (
    <div>
      <Field bare label={label}>
        <Combobox
          value={model || null}
          onChange={(next) => onChange(next ?? "")}
          choices={choices}
          disabled={provider === "" || listed.isPending}
          placeholder={provider !== "" && listed.isPending ? t("agents.listing") : t("agents.model_name")}
        />
      </Field>
      {provider !== "" && (
        <Button look="quiet" size="small" className="mt-0.5 -ml-2" onClick={() => setTyped(true)}>
          {t("agents.by_hand")}
        </Button>
      )}
    </div>
  );
}

function usePrice(): (model: ProviderModel) => string | undefined {
  const { t } = useTranslation();
  return ({ price }) =>
    price ? t("agents.price", { input: `$${price.input}`, output: `$${price.output}` }) : undefined;
}
