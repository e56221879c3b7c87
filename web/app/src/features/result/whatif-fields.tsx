// The adjustable rules: a mode, and values that add a clause or change it.

import Plus from "lucide-react/icons/plus";
import X from "lucide-react/icons/x";
import type { DecisionMode } from "../../api/schema";
import { useFormats } from "../../components/rules/catalogue";
import { useTranslation } from "../../i18n";
import { Button, IconButton } from "../../ui/button";
import { Select } from "../../ui/select";
import { Slider } from "../../ui/toggles";

/** The mode; `as_held` when that is left as it was. */
type Mode = DecisionMode | "as_held";

/** Chooses the mode. */
export function ModeChoice({ value, onChange }: { value: Mode; onChange: (mode: Mode) => void }) {
  const { t } = useTranslation();
  const { modes } = useFormats();
  const held = {
    value: "as_held" as const,
    label: t("result.whatif.modes.as_held"),
    note: t("result.whatif.mode_notes.as_held"),
  };
  return (
    <div className="flex flex-col gap-1">
      <span className="text-dense">{t("result.whatif.mode")}</span>
      <Select<Mode>
        label={t("result.whatif.mode")}
        value={value}
        onChange={onChange}
        choices={[held, ...modes.map(({ name, label, help }) => ({ value: name, label, note: help }))]}
      />
    </div>
  );
}

interface RuleFieldProps {
  label: string;
  /** The value in the rules; undefined when they have no such clause. */
  held: number | undefined;
  /** The assumed value; undefined when unchanged. */
  value: number | undefined;
  /** The initial value when the clause is added. */
  first: number;
  /** The most that it can need. */
  max: number;
  say: (value: number) => string;
  /** The mode does not ask for it. */
  idle?: boolean;
  onChange: (value: number | undefined) => void;
}

/** One value: a slider, or a button that adds a missing clause. */
export function RuleField({ label, held, value, first, max, say, idle, onChange }: RuleFieldProps) {
  const { t } = useTranslation();
  if (held === undefined && value === undefined) {
    return (
      <Button look="quiet" size="small" className="-ml-2 self-start" onClick={() => onChange(first)}>
        <Plus size={14} aria-hidden />
        {t("result.whatif.add", { what: label })}
      </Button>
    );
  }
  const now = value ?? held ?? first;
  const note = idle
    ? t("result.whatif.idle")
    : held !== undefined && now !== held
      ? t("result.whatif.was", { value: say(held) })
      : held === undefined
        ? t("result.whatif.was_none")
        : "";
  return (
    <div>
      <div className="flex items-end gap-1">
        <div className="min-w-0 flex-1">
          <Slider label={label} value={now} min={0} max={max} say={say} onChange={onChange} />
        </div>
        {held === undefined && (
          <IconButton
            label={t("result.whatif.remove", { what: label })}
            size="small"
            onClick={() => onChange(undefined)}
          >
            <X size={14} aria-hidden />
          </IconButton>
        )}
      </div>
      {note && <p className="text-meta text-ink-3">{note}</p>}
    </div>
  );
}
