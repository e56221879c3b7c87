// Sampling parameters of a model: temperature, lengths, thinking.

import { EFFORTS } from "../../api/choices";
import { useTranslation } from "../../i18n";
import type { Sampling } from "../../meeting-form/form";
import { NumberInput } from "../../ui/field";
import { Select } from "../../ui/select";

interface Props {
  value: Sampling;
  onChange: (value: Sampling) => void;
}

/** The parameters of a model; what is left empty is the vendor's. */
export function SamplingFields({ value, onChange }: Props) {
  const { t } = useTranslation();
  const put = (change: Sampling) => {
    const all = Object.entries({ ...value, ...change });
    onChange(Object.fromEntries(all.filter(([, one]) => one !== undefined)));
  };
  const number = (
    name: "temperature" | "top_p" | "max_tokens" | "thinking_tokens" | "context_tokens",
    max: number,
    step: number,
  ) => (
    // biome-ignore lint/a11y/noLabelWithoutControl: the number within is its control, and bears the name
    <label className="flex flex-col gap-1 text-meta text-ink-2">
      {t(`create.cast.${name}`)}
      <NumberInput
        label={t(`create.cast.${name}`)}
        value={value[name] ?? null}
        onChange={(next) => put({ [name]: next ?? undefined })}
        min={0}
        max={max}
        step={step}
      />
    </label>
  );
  return (
    <div className="flex flex-wrap gap-x-5 gap-y-3">
      <div className="flex flex-col gap-1 text-meta text-ink-2">
        {t("create.cast.effort")}
        <Select
          label={t("create.cast.effort")}
          value={value.effort ?? ""}
          onChange={(next) => put({ effort: next === "" ? undefined : next })}
          className="w-40"
          choices={[
            { value: "", label: t("create.cast.by_vendor") },
            ...EFFORTS.map((one) => ({ value: one, label: t(`create.cast.effort_${one}`) })),
          ]}
        />
      </div>
      {number("temperature", 2, 0.1)}
      {number("top_p", 1, 0.05)}
      {number("max_tokens", 1_000_000, 100)}
      {number("thinking_tokens", 1_000_000, 100)}
      {number("context_tokens", 10_000_000, 1024)}
    </div>
  );
}
