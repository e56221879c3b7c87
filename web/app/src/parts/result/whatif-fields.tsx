// The adjustable rules: a mode, and values that add a clause or change it.

import Plus from "lucide-react/icons/plus";
import X from "lucide-react/icons/x";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../../ui/button";
import { Select } from "../../ui/select";
import { Slider } from "../../ui/toggles";

const MODES = ["as_held", "average", "pass_ratio", "both", "unanimous"] as const;

/** Which clauses are asked for; `as_held` when that is left as it was. */
export type Mode = (typeof MODES)[number];

/** Chooses the mode. */
export function ModeChoice({ value, onChange }: { value: string; onChange: (mode: Mode) => void }) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-col gap-1">
      <span className="text-dense">{t("result.whatif.mode")}</span>
      <Select
        label={t("result.whatif.mode")}
        value={MODES.find((one) => one === value) ?? "as_held"}
        onChange={onChange}
        choices={MODES.map((mode) => ({
          value: mode,
          label: t(`result.whatif.modes.${mode}`),
          note: t(`result.whatif.mode_notes.${mode}`),
        }))}
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
  say: (value: number) => string;
  /** The mode does not ask for it. */
  idle?: boolean;
  onChange: (value: number | undefined) => void;
}

/** One value: a slider, or a button that adds a missing clause. */
export function RuleField({ label, held, value, first, say, idle, onChange }: RuleFieldProps) {
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
          <Slider label={label} value={now} min={0} max={100} say={say} onChange={onChange} />
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
