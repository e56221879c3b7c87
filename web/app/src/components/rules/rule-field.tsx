// One rule as a sentence with its control, for any kind of value, as the server describes it. The form of a new meeting and
// the rules of a running one are edited with it.

import { useTranslation } from "../../i18n";
import { cx } from "../../ui/classes";
import { FieldError, NumberInput } from "../../ui/field";
import { Select } from "../../ui/select";
import { Segments, Slider, Switch } from "../../ui/toggles";
import { amountOf, rangeOf, useFormats, useRuleField } from "./catalogue";
import { asJson, type Json, partsOf, type RuleField } from "./rules";

interface Props {
  path: string;
  value: Json;
  put: (value: Json) => void;
  disabled?: boolean;
  /** Goes back to the default of the format, when the value is another. */
  onReset?: () => void;
  /** What is wrong with the value, as the server says. */
  error?: string;
  /** Where a rule is set that each participant has of its own. */
  where?: string;
}

/** A field, what it is for, and the way back to the default of the format. */
export function RuleFieldRow({ path, value, put, disabled, onReset, error, where }: Props) {
  const { t } = useTranslation();
  const ruleField = useRuleField(path);
  if (!ruleField) {
    return null;
  }
  return (
    <div className="flex flex-col gap-1">
      <Control ruleField={ruleField} value={value} put={put} disabled={disabled} where={where} />
      {ruleField.type !== "switch" && ruleField.type !== "group" && (
        <p className={cx("text-meta text-ink-3", isSwitched(ruleField) && "pl-12")}>{ruleField.help}</p>
      )}
      {onReset && (
        <p className="text-meta text-accent">
          {t("create.changed")} ·{" "}
          <button
            type="button"
            className="rounded underline underline-offset-2"
            onClick={onReset}
            aria-label={`${t("create.reset")} · ${ruleField.label}`}
          >
            {t("create.reset")}
          </button>
        </p>
      )}
      <FieldError text={error} />
    </div>
  );
}

/** Whether it is a value that is switched on first. */
const isSwitched = ({ type, optional }: RuleField) => (type === "number" || type === "share") && optional;

/** The range that is small enough to be slid through. */
const SLIDE_MAX = 100;

interface ControlProps {
  ruleField: RuleField;
  value: Json;
  put: (value: Json) => void;
  disabled: boolean | undefined;
}

function Control({ ruleField, value, put, disabled, where }: ControlProps & { where: string | undefined }) {
  const { t } = useTranslation();
  const { label, help } = ruleField;
  const choices = ruleField.choices;
  const control = { ruleField, value, put, disabled };
  switch (ruleField.type) {
    case "switch":
      return <Switch label={label} hint={help} checked={value === true} onChange={put} disabled={disabled} />;
    case "choice": {
      const none = { value: "", label: t("create.rules.none") };
      const all = ruleField.optional ? [none, ...choices] : choices;
      const now = typeof value === "string" ? value : "";
      const choose = (next: string) => put(next === "" ? null : next);
      return (
        <Line label={label}>
          {all.length <= 3 && widthOf(all.map((one) => one.label)) <= 32 ? (
            <Segments label={label} value={now} onChange={choose} choices={all} disabled={disabled} />
          ) : (
            <Select
              label={label}
              value={now}
              onChange={choose}
              choices={all}
              disabled={disabled}
              className="min-w-44"
            />
          )}
        </Line>
      );
    }
    case "number": {
      const inner = <NumberControl {...control} />;
      return <Switched {...control} inner={inner} />;
    }
    case "share": {
      const inner = (
        <Slider
          label={ruleField.optional ? t("create.rules.threshold") : label}
          value={Math.round(Number(value ?? ruleField.initial ?? 0) * 100)}
          onChange={(next) => put(next / 100)}
          min={0}
          max={100}
          step={1}
          say={(n) => `${n}%`}
          disabled={disabled}
        />
      );
      return <Switched {...control} inner={inner} />;
    }
    case "list":
      return <ListControl {...control} />;
    case "group":
      return <GroupControl {...control} />;
    case "per_participant":
      return (
        <Line label={label}>
          <span className="text-meta text-ink-3">{where}</span>
        </Line>
      );
  }
}

/** The width of texts in a row: a Han character is as wide as two others. */
function widthOf(texts: string[]): number {
  return [...texts.join("")].reduce((sum, sign) => sum + (/\p{Script=Han}/u.test(sign) ? 2 : 1), 0);
}

function Line({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
      <span className="text-dense text-ink">{label}</span>
      {children}
    </div>
  );
}

/** A value that can be off: a switch, and the control below it while it is on. */
function Switched({ ruleField, value, put, disabled, inner }: ControlProps & { inner: React.ReactNode }) {
  const on = value !== null;
  return ruleField.optional ? (
    <div className="flex flex-col gap-1">
      <Switch
        label={ruleField.label}
        checked={on}
        disabled={disabled}
        onChange={(next) => put(next ? asJson(ruleField.initial) : null)}
      />
      {on && <div className="pl-12">{inner}</div>}
    </div>
  ) : (
    inner
  );
}

function NumberControl({ ruleField, value, put, disabled }: ControlProps) {
  const { t } = useTranslation();
  const { unit } = ruleField;
  const [min, max] = [ruleField.minimum ?? 0, ruleField.maximum ?? 0];
  const inner = ruleField.optional ? t("create.rules.threshold") : ruleField.label;
  const now = Number(value ?? ruleField.initial ?? min);
  if (max - min <= SLIDE_MAX) {
    return (
      <Slider
        label={inner}
        value={now}
        onChange={put}
        min={min}
        max={max}
        say={(n) => amountOf(n, unit)}
        disabled={disabled}
      />
    );
  }
  const scale = unit?.scale ?? 1;
  return (
    <Line label={inner}>
      <span className="flex items-center gap-2">
        <NumberInput
          label={ruleField.label}
          value={now / scale}
          onChange={(next) => next !== null && put(Math.round(next * scale))}
          {...rangeOf(ruleField)}
          step={stepOf(ruleField)}
          disabled={disabled}
        />
        <span className="text-meta text-ink-3">{now / scale === 1 ? unit?.one : unit?.other}</span>
      </span>
    </Line>
  );
}

/** How far one press goes: a tenth of the size that the value has by default, and whole seconds and minutes. */
function stepOf({ unit, initial, defaults }: RuleField): number {
  if (unit?.name === "seconds" || unit?.name === "minutes") {
    return 1;
  }
  const usual = Number(initial ?? defaults.consensus) / (unit?.scale ?? 1);
  const step = 10 ** (Math.floor(Math.log10(Math.max(usual, 1))) - 1);
  return unit?.name === "money" ? step : Math.max(1, step);
}

function ListControl({ ruleField, value, put, disabled }: ControlProps) {
  const now = Array.isArray(value) ? value : [];
  return (
    <fieldset disabled={disabled} className="flex flex-col gap-1.5">
      <legend className="mb-1 text-dense text-ink">{ruleField.label}</legend>
      <div className="flex flex-wrap gap-x-5 gap-y-1.5">
        {ruleField.choices.map((choice) => (
          <label key={choice.value} className="flex items-center gap-2 text-dense coarse:min-h-10">
            <input
              type="checkbox"
              className="size-4 accent-accent"
              checked={now.includes(choice.value)}
              onChange={(event) =>
                put(
                  event.target.checked
                    ? [...now, choice.value]
                    : now.filter((other) => other !== choice.value),
                )
              }
            />
            {choice.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function GroupControl({ ruleField, value, put, disabled }: ControlProps) {
  const { fields } = useFormats();
  const on = typeof value === "object" && value !== null && !Array.isArray(value);
  const initial = asJson(ruleField.initial);
  const begins = typeof initial === "object" && initial !== null && !Array.isArray(initial) ? initial : {};
  const now = { ...begins, ...(on ? value : {}) };
  return (
    <div className="flex flex-col gap-2">
      <Switch
        label={ruleField.label}
        hint={ruleField.help}
        checked={on}
        disabled={disabled}
        onChange={(next) => put(next ? begins : null)}
      />
      {on && (
        <div className="flex flex-col gap-2 pl-12">
          {partsOf(ruleField, fields).map(([name, part]) => (
            <Line key={name} label={part.label}>
              <NumberInput
                label={part.label}
                value={Number(now[name] ?? part.minimum)}
                onChange={(next) => put({ ...now, [name]: next ?? begins[name] ?? null })}
                {...rangeOf(part)}
                disabled={disabled}
              />
            </Line>
          ))}
        </div>
      )}
    </div>
  );
}
