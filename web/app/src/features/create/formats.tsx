// The five formats as cards: when to use each, and what it yields.

import { useFormats } from "../../components/rules/catalogue";
import { useTranslation } from "../../i18n";
import { withFormat } from "../../meeting-form/form";
import { Section, type SectionProps } from "./section";

/** Chooses the format. */
export function FormatSection({ form, set }: SectionProps) {
  const { t } = useTranslation();
  const { formats } = useFormats();
  return (
    <Section id="format" title={t("create.format.section")}>
      <fieldset className="grid gap-2 sm:grid-cols-2">
        <legend className="sr-only">{t("create.format.section")}</legend>
        {formats.map(({ name, label, description, yields }) => (
          <label
            key={name}
            className="relative flex cursor-pointer sm:last:col-span-2 flex-col gap-0.5 rounded-xl border border-line bg-raised px-4 py-3 hover:border-line-strong has-checked:border-accent has-checked:bg-accent-soft/50 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-(--focus)"
          >
            <span className="flex items-center gap-2 font-semibold">
              <input
                type="radio"
                name="format"
                value={name}
                checked={form.format === name}
                onChange={() => set(withFormat(form, name))}
                className="size-3.5 accent-accent outline-none"
              />
              {label}
            </span>
            <span className="text-dense text-ink">{description}</span>
            <span className="text-meta text-ink-2">
              {t("create.format.yields")}
              {yields}
            </span>
          </label>
        ))}
      </fieldset>
    </Section>
  );
}
