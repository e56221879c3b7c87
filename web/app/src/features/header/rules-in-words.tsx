// The rules that are changed most during a meeting, each with its control.

import type { Rules } from "../../api/schema";
import { RuleFieldRow } from "../../components/rules/rule-field";
import { asJson, type Json } from "../../components/rules/rules";

/** The groups of rules that are shown in words. */
export const SHOWN = ["decision", "turns", "limits"] as const;

type Group = (typeof SHOWN)[number];

const BALLOT = ["mean_score", "pass_ratio", "min_score", "quorum", "on_steering"];

/** What is shown: of ballots only where the meeting holds them. */
function shown({ decision }: Rules): [Group, string][] {
  const of = (group: Group, names: readonly string[]) => names.map((name): [Group, string] => [group, name]);
  return [
    ...of("limits", ["max_rounds"]),
    ...of("turns", ["timeout_ms"]),
    ...of("decision", decision.ballots ? BALLOT : []),
    ...of("limits", ["tokens", "cost_micros", "wall_ms", "when_reached"]),
    ...of("turns", ["may_skip", "people_may_speak"]),
  ];
}

interface Props {
  rules: Rules;
  onChange: (rules: Rules) => void;
  disabled: boolean;
}

/** The rules. */
export function RulesInWords({ rules, onChange, disabled }: Props) {
  const put = (group: Group, name: string, value: Json) =>
    onChange({ ...rules, [group]: { ...rules[group], [name]: value } });
  return (
    <div className="grid items-start gap-x-8 gap-y-5 sm:grid-cols-2">
      {shown(rules).map(([group, name]) => (
        <RuleFieldRow
          key={name}
          path={`${group}.${name}`}
          value={asJson(new Map(Object.entries(rules[group])).get(name))}
          put={(value) => put(group, name, value)}
          disabled={disabled}
        />
      ))}
    </div>
  );
}
