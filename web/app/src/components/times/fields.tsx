// How times are shown: zone, clock, and the pattern of dates. Each can be left open.

import { useMemo } from "react";
import { useTranslation } from "../../i18n";
import { dated } from "../../shell/formatting";
import { Combobox } from "../../ui/combobox";
import { Field } from "../../ui/field";
import { Select } from "../../ui/select";
import { zonesIn } from "./zones";

/** The choices; null is none. */
export interface Times {
  time_zone: string | null;
  time_format: "12h" | "24h" | null;
  date_format: string | null;
}

/** Patterns that are offered; any other that was chosen elsewhere is offered, too. */
const PATTERNS = ["yyyy-MM-dd", "yyyy/MM/dd", "yyyy年M月d日", "dd.MM.yyyy", "dd/MM/yyyy", "MM/dd/yyyy"];

/** A value for what is left open: a list has no null. */
const OPEN = "-";

interface Props {
  value: Times;
  onChange: (change: Partial<Times>) => void;
  /** What holds where nothing is chosen. */
  open: string;
  hint?: string;
  /** What is wrong with them, by name. */
  wrong?: Partial<Record<keyof Times, string>>;
}

/** Fields for the three of them. */
export function TimeFields({ value, onChange, open, hint, wrong = {} }: Props) {
  const { t, i18n } = useTranslation();
  const zone = value.time_zone ?? "";
  // The list keeps what is typed as long as its choices are the same.
  const zones = useMemo(
    () => [{ value: OPEN, label: open }, ...zonesIn(i18n.language, zone)],
    [i18n.language, zone, open],
  );
  const patterns = new Set([...(value.date_format ? [value.date_format] : []), ...PATTERNS]);
  const now = Date.now();
  return (
    <>
      <Field label={t("times.zone")} hint={hint} error={wrong.time_zone}>
        <Combobox
          value={value.time_zone ?? OPEN}
          onChange={(next) => next && onChange({ time_zone: next === OPEN ? null : next })}
          choices={zones}
        />
      </Field>
      <Field label={t("times.clock")} error={wrong.time_format}>
        <Select<"12h" | "24h" | typeof OPEN>
          value={value.time_format ?? OPEN}
          onChange={(next) => onChange({ time_format: next === OPEN ? null : next })}
          choices={[
            { value: OPEN, label: open },
            { value: "24h", label: t("times.clock_24") },
            { value: "12h", label: t("times.clock_12") },
          ]}
        />
      </Field>
      <Field label={t("times.date")} error={wrong.date_format}>
        <Select
          value={value.date_format ?? OPEN}
          onChange={(next) => onChange({ date_format: next === OPEN ? null : next })}
          choices={[
            { value: OPEN, label: open },
            ...[...patterns].map((pattern) => ({
              value: pattern,
              label: dated(pattern, now),
              note: pattern,
            })),
          ]}
        />
      </Field>
    </>
  );
}
