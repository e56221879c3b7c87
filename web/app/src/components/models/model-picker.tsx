// Which model answers: one of those that can be asked, or one that is written by hand.

import { useState } from "react";
import { useTranslation } from "../../i18n";
import { Combobox } from "../../ui/combobox";
import { TextInput } from "../../ui/field";
import type { Choice } from "../../ui/select";
import { useUsable } from "../providers/usable-providers";

interface Props {
  label: string;
  /** `provider/name`; empty for the first of `also`, or for none. */
  value: string;
  onChange: (model: string) => void;
  /** Further choices besides the models. */
  also?: Choice<string>[];
  placeholder?: string;
  /** What is wrong with the value, as the server or the form says. */
  error?: string;
}

/** Whether a text names a model. */
function isModel(text: string): boolean {
  return /^[^\s/]+\/\S+$/.test(text);
}

/** Chooses a model. */
export function ModelPicker({ label, value, onChange, also = [], placeholder, error }: Props) {
  const { t } = useTranslation();
  const usable = useUsable();
  const [byHand, setByHand] = useState(false);
  const [typed, setTyped] = useState(value);
  const served = usable.models.map((one) => ({
    value: `${one.provider}/${one.model}`,
    label: `${one.provider}/${one.model}`,
    note: one.price
      ? t("create.cast.price", { in: one.price.input, out: one.price.output })
      : t("create.cast.price_unknown"),
  }));
  const known = [...also, ...served];
  const choices =
    known.some((one) => one.value === value) || value === "" ? known : [{ value, label: value }, ...known];
  const wrong = typed !== "" && !isModel(typed);
  return (
    <div className="flex min-w-0 flex-col gap-1">
      {byHand ? (
        <TextInput
          aria-label={label}
          aria-invalid={wrong || error !== undefined}
          spellCheck={false}
          placeholder={t("create.cast.model_placeholder")}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            if (isModel(event.target.value) || event.target.value === "") {
              onChange(event.target.value);
            }
          }}
        />
      ) : (
        <Combobox
          label={label}
          value={value === "" && !also.some((one) => one.value === "") ? null : value}
          onChange={(next) => onChange(next ?? "")}
          choices={choices}
          placeholder={placeholder}
        />
      )}
      {byHand && wrong && <p className="text-meta text-bad">{t("create.cast.model_wrong")}</p>}
      {error && (
        <p role="alert" className="text-meta text-bad">
          {error}
        </p>
      )}
      <button
        type="button"
        onClick={() => {
          setTyped(value);
          setByHand(!byHand);
        }}
        className="self-start rounded text-meta text-ink-3 underline underline-offset-2 hover:text-ink"
      >
        {byHand ? t("create.cast.model_from_list") : t("create.cast.model_by_hand")}
      </button>
    </div>
  );
}
