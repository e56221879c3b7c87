// The models of the meeting, assigned in turn to participants without a model of their own.

import X from "lucide-react/icons/x";
import { ModelPicker } from "../../components/models/model-picker";
import { useTranslation } from "../../i18n";
import { IconButton } from "../../ui/button";
import { FieldError } from "../../ui/field";
import type { SectionProps } from "./section";

/** The list of models, and one more. */
export function Models({ form, set, wrong, first }: SectionProps & { first: string | undefined }) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-col gap-1.5">
      <span className="text-dense font-medium">{t("create.cast.models")}</span>
      {form.models.length > 0 && (
        <ul className="flex flex-wrap gap-1.5">
          {form.models.map((model, at) => (
            <li
              key={at}
              className="flex min-w-0 items-center gap-1 rounded-lg bg-sunken py-0.5 pr-0.5 pl-2.5 text-dense"
            >
              <span className="min-w-0">{model}</span>
              <IconButton
                size="small"
                label={t("create.cast.take_out", { name: model })}
                onClick={() => set({ ...form, models: form.models.filter((_, other) => other !== at) })}
              >
                <X size={13} aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <div className="max-w-sm">
        <ModelPicker
          // A new picker for each model, so that it is empty again.
          key={form.models.length}
          label={t("create.cast.models_add")}
          value=""
          placeholder={t("create.cast.models_add")}
          onChange={(model) => model && set({ ...form, models: [...form.models, model] })}
        />
      </div>
      <p className="text-meta text-ink-3">
        {form.models.length > 0 || !first ? t("create.cast.models_hint") : t("create.cast.models_none")}
      </p>
      <FieldError text={wrong.models} />
    </div>
  );
}
