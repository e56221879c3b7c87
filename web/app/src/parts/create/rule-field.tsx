// One rule as a sentence with its control, for any kind of value.

import { useTranslation } from "react-i18next";
import { cx } from "../../ui/classes";
import { NumberInput } from "../../ui/field";
import { Select } from "../../ui/select";
import { Segments, Slider, Switch } from "../../ui/toggles";
import { artifacts, type Form, ruleField as standingAt, withRuleField } from "./form";
import { Fault, type SectionProps, useAmount, useWords } from "./parts";
import { ARTIFACTS, type RuleField, ruleFieldAt } from "./rule-fields";
import { type Json, PRESETS } from "./rules";

interface Props extends SectionProps {
  path: string;
}

/** A field, what it is for, and the way back to the default of the format. */
export function RuleFieldRow({ path, form, set, wrong }: Props) {
  const { t } = useTranslation();
  const words = useWords();
  const ruleField = ruleFieldAt(path);
  if (!ruleField) {
    return null;
  }
  const value = standingAt(form, path);
  const put = (next: Json) => set(withRuleField(form, path, next));
  const changed = path in form.rules;
  return (
    <div className="flex flex-col gap-1">
      <Control ruleField={ruleField} value={value} put={put} form={form} />
      {ruleField.kind !== "switch" && ruleField.kind !== "convergence" && words(`hint.${path}`) && (
        <p className={cx("text-meta text-ink-3", optional(ruleField) && "pl-12")}>{words(`hint.${path}`)}</p>
      )}
      {changed && (
        <p className="text-meta text-accent">
          {t("create.changed")} ·{" "}
          <button
            type="button"
            className="rounded underline underline-offset-2"
            onClick={() => put(PRESETS[form.format][path] ?? null)}
            aria-label={`${t("create.reset")} · ${words(`rule_field.${path}`)}`}
          >
            {t("create.reset")}
          </button>
        </p>
      )}
      <Fault text={wrong[path]} />
    </div>
  );
}

const optional = (ruleField: RuleField) =>
  (ruleField.kind === "number" || ruleField.kind === "share") && ruleField.off !== undefined;

interface ControlProps {
  ruleField: RuleField;
  value: Json;
  put: (value: Json) => void;
  form: Form;
}

function Control({ ruleField, value, put, form }: ControlProps) {
  const { t } = useTranslation();
  const words = useWords();
  const label = words(`rule_field.${ruleField.path}`);
  const hint = words(`hint.${ruleField.path}`) || undefined;
  switch (ruleField.kind) {
    case "switch":
      return <Switch label={label} hint={hint} checked={value === true} onChange={put} />;
    case "choice": {
      const none = { value: "", label: t("create.rules.none") };
      const choices = ruleField.choices.map((one) => ({
        value: one,
        label: words(`choice.${ruleField.path}.${one}`),
      }));
      const all = ruleField.off ? [none, ...choices] : choices;
      const now = typeof value === "string" ? value : "";
      const choose = (next: string) => put(next === "" ? null : next);
      return (
        <Line label={label}>
          {all.length <= 3 && widthOf(all.map((one) => one.label)) <= 32 ? (
            <Segments label={label} value={now} onChange={choose} choices={all} />
          ) : (
            <Select label={label} value={now} onChange={choose} choices={all} className="min-w-44" />
          )}
        </Line>
      );
    }
    case "number":
      return <NumberControl ruleField={ruleField} value={value} put={put} label={label} />;
    case "share": {
      const share = typeof value === "number" ? value : (ruleField.off ?? 0);
      const slider = (
        <Slider
          label={ruleField.off === undefined ? label : t("create.rules.threshold")}
          value={Math.round(share * 100)}
          onChange={(next) => put(next / 100)}
          min={0}
          max={100}
          step={1}
          say={(n) => `${n}%`}
        />
      );
      return ruleField.off === undefined ? (
        slider
      ) : (
        <Optional label={label} value={value} first={ruleField.off} put={put}>
          {slider}
        </Optional>
      );
    }
    case "artifacts":
      return <ArtifactChoice label={label} form={form} put={put} />;
    case "convergence":
      return <ConvergenceControl label={label} hint={hint} value={value} put={put} />;
    case "lengths":
      return (
        <Line label={label}>
          <span className="text-meta text-ink-3">
            {form.named ? t("create.rules.lengths_where") : t("create.rules.lengths_empty")}
          </span>
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

/** Something that can be set, or not. */
function Optional({
  label,
  value,
  first,
  put,
  children,
}: {
  label: string;
  value: Json;
  first: number;
  put: (value: Json) => void;
  children: React.ReactNode;
}) {
  const on = value !== null;
  return (
    <div className="flex flex-col gap-1">
      <Switch label={label} checked={on} onChange={(next) => put(next ? first : null)} />
      {on && <div className="pl-12">{children}</div>}
    </div>
  );
}

function NumberControl({
  ruleField,
  value,
  put,
  label,
}: {
  ruleField: Extract<RuleField, { kind: "number" }>;
  value: Json;
  put: (value: Json) => void;
  label: string;
}) {
  const { t } = useTranslation();
  const words = useWords();
  const inner = ruleField.off === undefined ? label : t("create.rules.threshold");
  const scale = ruleField.scale ?? 1;
  const now = typeof value === "number" ? value : (ruleField.off ?? ruleField.min);
  const unit = words(`unit.${ruleField.unit}`);
  const amount = useAmount();
  const control = ruleField.slide ? (
    <Slider
      label={inner}
      value={now}
      onChange={put}
      min={ruleField.min}
      max={ruleField.max}
      say={(n) => amount(n, ruleField.unit)}
    />
  ) : (
    <Line label={inner}>
      <span className="flex items-center gap-2">
        <NumberInput
          label={label}
          value={now / scale}
          onChange={(next) => next !== null && put(Math.round(next * scale))}
          min={ruleField.min / scale}
          max={ruleField.max / scale}
          step={(ruleField.step ?? scale) / scale}
        />
        {!unit.includes("{{n}}") && <span className="text-meta text-ink-3">{unit}</span>}
      </span>
    </Line>
  );
  return ruleField.off === undefined ? (
    control
  ) : (
    <Optional label={label} value={value} first={ruleField.off} put={put}>
      {control}
    </Optional>
  );
}

function ArtifactChoice({ label, form, put }: { label: string; form: Form; put: (value: Json) => void }) {
  const { t } = useTranslation();
  const now = artifacts(form);
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1 text-dense text-ink">{label}</legend>
      <div className="flex flex-wrap gap-x-5 gap-y-1.5">
        {ARTIFACTS.map((kind) => (
          <label key={kind} className="flex items-center gap-2 text-dense coarse:min-h-10">
            <input
              type="checkbox"
              className="size-4 accent-accent"
              checked={now.includes(kind)}
              onChange={(event) =>
                put(event.target.checked ? [...now, kind] : now.filter((other) => other !== kind))
              }
            />
            {t(`create.artifact.${kind}`)}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

const CONVERGED = { max_open_questions: 2, max_disagreements: 1, stable_rounds: 2 };

function ConvergenceControl({
  label,
  hint,
  value,
  put,
}: {
  label: string;
  hint: string | undefined;
  value: Json;
  put: (value: Json) => void;
}) {
  const { t } = useTranslation();
  const on = typeof value === "object" && value !== null && !Array.isArray(value);
  const now = { ...CONVERGED, ...(on ? value : {}) };
  const part = (name: keyof typeof CONVERGED, text: string, min: number, max: number) => (
    <Line label={text}>
      <NumberInput
        label={text}
        value={typeof now[name] === "number" ? now[name] : CONVERGED[name]}
        onChange={(next) => put({ ...now, [name]: next ?? CONVERGED[name] })}
        min={min}
        max={max}
      />
    </Line>
  );
  return (
    <div className="flex flex-col gap-2">
      <Switch label={label} hint={hint} checked={on} onChange={(next) => put(next ? CONVERGED : null)} />
      {on && (
        <div className="flex flex-col gap-2 pl-12">
          {part("max_open_questions", t("create.rules.converge_open"), 0, 1000)}
          {part("max_disagreements", t("create.rules.converge_split"), 0, 1000)}
          {part("stable_rounds", t("create.rules.converge_stable"), 2, 20)}
        </div>
      )}
    </div>
  );
}
