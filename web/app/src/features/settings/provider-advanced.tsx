// Rarely used settings of a provider: headers, proxy, timeouts, structured answers.

import type { Provider } from "../../api/schema";
import {
  type ProviderForm,
  STREAMING,
  STRUCTURED,
  TIMEOUTS,
  type Wait,
} from "../../components/providers/provider-form";
import { useTranslation } from "../../i18n";
import { Button } from "../../ui/button";
import { Field, NumberInput, TextInput } from "../../ui/field";
import { Select } from "../../ui/select";
import { Switch } from "../../ui/toggles";

interface Props {
  provider: Provider;
  form: ProviderForm;
  put: (some: Partial<ProviderForm>) => void;
  errors: Record<string, string | undefined>;
}

/** The rest of the form, folded up. */
export function More({ provider, form, put, errors }: Props) {
  const { t } = useTranslation();
  return (
    <details>
      <summary className="w-fit rounded text-dense text-ink-2 hover:text-ink">
        {t("settings.providers.more")}
      </summary>
      <p className="mt-1 mb-3 text-meta text-ink-3">{t("settings.providers.more_hint")}</p>
      <div className="flex flex-col gap-5">
        <Headers provider={provider} form={form} put={put} errors={errors} />
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label={t("settings.providers.proxy")}
            hint={provider.proxy ? t("settings.providers.proxy_there") : t("settings.providers.proxy_hint")}
            error={errors.proxy}
          >
            <div className="flex gap-2">
              <TextInput
                value={form.proxyBack ? "" : form.proxy}
                onChange={(event) => put({ proxy: event.currentTarget.value, proxyBack: false })}
                placeholder={
                  form.proxyBack ? t("settings.providers.will_default") : t("settings.providers.stays")
                }
                spellCheck={false}
                className="font-mono"
              />
              <Button onClick={() => put({ proxy: "", proxyBack: !form.proxyBack })}>
                {form.proxyBack ? t("settings.providers.keep") : t("settings.providers.default")}
              </Button>
            </div>
          </Field>
          <Field label={t("settings.providers.structured")} error={errors.structured}>
            <Select
              value={form.structured}
              onChange={(structured) => put({ structured })}
              choices={[
                { value: "", label: t("settings.providers.stays") },
                { value: "back", label: t("settings.providers.default") },
                ...STRUCTURED.map((value) => ({ value, label: t(`settings.providers.structures.${value}`) })),
              ]}
            />
          </Field>
          <Field
            label={t("settings.providers.streaming")}
            hint={t("settings.providers.streaming_hint")}
            error={errors.streaming}
          >
            <Select
              value={form.streaming}
              onChange={(streaming) => put({ streaming })}
              choices={[
                { value: "", label: t("settings.providers.stays") },
                { value: "back", label: t("settings.providers.default") },
                ...STREAMING.map((value) => ({ value, label: t(`settings.providers.streams.${value}`) })),
              ]}
            />
          </Field>
          <Field
            label={t("settings.providers.retries")}
            hint={t("settings.providers.retries_hint")}
            error={errors.retries}
          >
            <div className="flex flex-wrap items-center gap-2">
              <NumberInput
                value={form.retries === "back" ? null : form.retries}
                onChange={(retries) => put({ retries })}
                min={0}
                max={10}
              />
              <Button onClick={() => put({ retries: form.retries === "back" ? null : "back" })}>
                {form.retries === "back" ? t("settings.providers.keep") : t("settings.providers.default")}
              </Button>
            </div>
          </Field>
        </div>
        <Waits form={form} put={put} error={errors.timeouts} />
        <Switch
          label={t("settings.providers.public_only")}
          hint={errors.public_only ?? t("settings.providers.public_only_hint")}
          checked={form.public_only}
          onChange={(public_only) => put({ public_only })}
        />
      </div>
    </details>
  );
}

function Waits({ form, put, error }: { form: ProviderForm; put: Props["put"]; error?: string }) {
  const { t } = useTranslation();
  const now = form.timeouts;
  const names: Wait[] = ["connect_ms", "first_byte_ms", "idle_ms", "total_ms"];
  return (
    <fieldset>
      <legend className="text-dense font-medium">{t("settings.providers.timeouts")}</legend>
      {now === "back" ? (
        <p className="text-dense text-ink-2">{t("settings.providers.will_default")}</p>
      ) : (
        <div className="mt-1 grid gap-3 xs:grid-cols-2 lg:grid-cols-4">
          {names.map((name) => (
            <Field
              key={name}
              label={t(`settings.providers.waits.${name}`)}
              hint={t("settings.providers.waits_default", { seconds: TIMEOUTS[name] })}
            >
              <NumberInput
                value={now[name] ?? null}
                onChange={(value) => put({ timeouts: { ...now, [name]: value } })}
                min={1}
              />
            </Field>
          ))}
        </div>
      )}
      {error && (
        <p role="alert" className="text-meta text-bad">
          {error}
        </p>
      )}
      <Button size="small" className="mt-2" onClick={() => put({ timeouts: now === "back" ? {} : "back" })}>
        {now === "back" ? t("settings.providers.keep") : t("settings.providers.default")}
      </Button>
    </fieldset>
  );
}

function Headers({ provider, form, put, errors }: Props) {
  const { t } = useTranslation();
  const there = provider.headers ?? [];
  const set = (at: number, some: Partial<ProviderForm["headers"][number]>) =>
    put({ headers: form.headers.map((one, place) => (place === at ? { ...one, ...some } : one)) });
  const toggle = (name: string) =>
    put({
      without: form.without.includes(name)
        ? form.without.filter((one) => one !== name)
        : [...form.without, name],
    });
  return (
    <fieldset>
      <legend className="text-dense font-medium">{t("settings.providers.headers")}</legend>
      <p className="text-meta text-ink-3">{t("settings.providers.headers_hint")}</p>
      <ul className="mt-2 flex flex-col gap-2">
        {there.map((name) => {
          const gone = form.without.includes(name);
          return (
            <li key={name} className="flex items-center gap-2 text-dense">
              <code className={gone ? "flex-1 text-ink-3 line-through" : "flex-1"}>{name}</code>
              <Button size="small" look={gone ? "plain" : "danger"} onClick={() => toggle(name)}>
                {gone ? t("settings.providers.keep") : t("settings.providers.take_away")}
              </Button>
            </li>
          );
        })}
        {form.headers.map((one, at) => (
          <li key={at} className="flex gap-2">
            <TextInput
              aria-label={t("settings.providers.header_name", { at: at + 1 })}
              placeholder="X-Team"
              value={one.name}
              onChange={(event) => set(at, { name: event.currentTarget.value })}
              className="font-mono"
            />
            <TextInput
              aria-label={t("settings.providers.header_value", { at: at + 1 })}
              type="password"
              autoComplete="off"
              placeholder={t("settings.providers.value")}
              value={one.value}
              onChange={(event) => set(at, { value: event.currentTarget.value })}
              className="font-mono"
            />
            <Button onClick={() => put({ headers: form.headers.filter((_, place) => place !== at) })}>
              {t("settings.providers.take_away")}
            </Button>
          </li>
        ))}
      </ul>
      {errors.extra_headers && (
        <p role="alert" className="text-meta text-bad">
          {errors.extra_headers}
        </p>
      )}
      <Button
        size="small"
        className="mt-2"
        onClick={() => put({ headers: [...form.headers, { name: "", value: "" }] })}
      >
        {t("settings.providers.add_header")}
      </Button>
    </fieldset>
  );
}
