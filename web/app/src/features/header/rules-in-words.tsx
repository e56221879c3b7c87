// The rules that can be changed during a meeting, in plain words.

import { useTranslation } from "react-i18next";
import type { Rules } from "../../api/schema";
import { Field, NumberInput } from "../../ui/field";
import { Switch } from "../../ui/toggles";
import { rangeOf, useFormats } from "../create/formats-and-rules";

/** The groups of rules that are shown in words. */
export const SHOWN = ["decision", "turns", "limits"] as const;

interface WordsProps {
  rules: Rules;
  onChange: (rules: Rules) => void;
  disabled: boolean;
}

/** The rules, each with its control. */
export function RulesInWords({ rules, onChange, disabled }: WordsProps) {
  const { t } = useTranslation();
  const { fields } = useFormats();
  const { decision, turns, limits } = rules;
  const within = (path: string) => {
    const field = fields.find((one) => one.path === path);
    return field ? rangeOf(field) : {};
  };
  const decide = (change: Partial<Rules["decision"]>) =>
    onChange({ ...rules, decision: { ...decision, ...change } });
  const turn = (change: Partial<Rules["turns"]>) => onChange({ ...rules, turns: { ...turns, ...change } });
  const limit = (change: Partial<Rules["limits"]>) =>
    onChange({ ...rules, limits: { ...limits, ...change } });
  return (
    <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
      <Field label={t("dialog.rules.max_rounds")} hint={t("dialog.rules.max_rounds_hint")}>
        <NumberInput
          disabled={disabled}
          {...within("limits.max_rounds")}
          value={limits.max_rounds}
          onChange={(n) => n !== null && limit({ max_rounds: n })}
        />
      </Field>
      <Field label={t("dialog.rules.timeout")} hint={t("dialog.rules.timeout_hint")}>
        <NumberInput
          disabled={disabled}
          {...within("turns.timeout_ms")}
          value={Math.round(turns.timeout_ms / 1000)}
          onChange={(n) => n !== null && turn({ timeout_ms: n * 1000 })}
        />
      </Field>
      {decision.ballots && (
        <>
          <Field label={t("dialog.rules.mean_score")} hint={t("dialog.rules.empty_none")}>
            <NumberInput
              disabled={disabled}
              {...within("decision.mean_score")}
              value={decision.mean_score}
              onChange={(n) => decide({ mean_score: n })}
            />
          </Field>
          <Field label={t("dialog.rules.pass_ratio")} hint={t("dialog.rules.pass_ratio_hint")}>
            <NumberInput
              disabled={disabled}
              {...within("decision.pass_ratio")}
              value={decision.pass_ratio === null ? null : Math.round(decision.pass_ratio * 100)}
              onChange={(n) => decide({ pass_ratio: n === null ? null : n / 100 })}
            />
          </Field>
          <Field label={t("dialog.rules.min_score")} hint={t("dialog.rules.empty_none")}>
            <NumberInput
              disabled={disabled}
              {...within("decision.min_score")}
              value={decision.min_score}
              onChange={(n) => decide({ min_score: n })}
            />
          </Field>
          <Field label={t("dialog.rules.quorum")} hint={t("dialog.rules.quorum_hint")}>
            <NumberInput
              disabled={disabled}
              {...within("decision.quorum")}
              value={Math.round(decision.quorum * 100)}
              onChange={(n) =>
                n !== null &&
                decide({ quorum: n === Math.round(decision.quorum * 100) ? decision.quorum : n / 100 })
              }
            />
          </Field>
        </>
      )}
      <Field label={t("dialog.rules.tokens")} hint={t("dialog.rules.empty_none")}>
        <NumberInput
          disabled={disabled}
          {...within("limits.tokens")}
          step={1000}
          value={limits.tokens}
          onChange={(n) => limit({ tokens: n })}
        />
      </Field>
      <Field label={t("dialog.rules.cost")} hint={t("dialog.rules.cost_hint")}>
        <NumberInput
          disabled={disabled}
          {...within("limits.cost_micros")}
          step={0.1}
          value={limits.cost_micros === null ? null : limits.cost_micros / 1_000_000}
          onChange={(n) => limit({ cost_micros: n === null ? null : Math.round(n * 1_000_000) })}
        />
      </Field>
      <Field label={t("dialog.rules.wall")} hint={t("dialog.rules.empty_none")}>
        <NumberInput
          disabled={disabled}
          {...within("limits.wall_ms")}
          value={limits.wall_ms === null ? null : Math.round(limits.wall_ms / 60_000)}
          onChange={(n) => limit({ wall_ms: n === null ? null : n * 60_000 })}
        />
      </Field>
      <div className="flex flex-col gap-3 sm:col-span-2">
        <Switch
          disabled={disabled}
          label={t("dialog.rules.may_skip")}
          hint={t("dialog.rules.may_skip_hint")}
          checked={turns.may_skip}
          onChange={(may_skip) => turn({ may_skip })}
        />
        <Switch
          disabled={disabled}
          label={t("dialog.rules.people")}
          hint={t("dialog.rules.people_hint")}
          checked={turns.people_may_speak}
          onChange={(people_may_speak) => turn({ people_may_speak })}
        />
        {decision.ballots && (
          <Switch
            disabled={disabled}
            label={t("dialog.rules.interrupt")}
            hint={t("dialog.rules.interrupt_hint")}
            checked={decision.on_steering === "interrupt"}
            onChange={(on) => decide({ on_steering: on ? "interrupt" : "queue" })}
          />
        )}
        <Switch
          disabled={disabled}
          label={t("dialog.rules.pause")}
          hint={t("dialog.rules.pause_hint")}
          checked={limits.when_reached === "pause"}
          onChange={(on) => limit({ when_reached: on ? "pause" : "end" })}
        />
      </div>
    </div>
  );
}
