// A rule in the form of a new meeting: its value is that of the format until it is changed.

import { RuleFieldRow } from "../../components/rules/rule-field";
import { preset } from "../../components/rules/rules";
import { useTranslation } from "../../i18n";
import { ruleField, withRuleField } from "../../meeting-form/form";
import type { SectionProps } from "./section";

/** The rule at a path. */
export function RuleOfForm({ path, form, set, wrong }: SectionProps & { path: string }) {
  const { t } = useTranslation();
  const back = () => set(withRuleField(form, path, preset(form.format, path)));
  return (
    <RuleFieldRow
      path={path}
      value={ruleField(form, path)}
      put={(next) => set(withRuleField(form, path, next))}
      onReset={path in form.rules ? back : undefined}
      error={wrong[path]}
      where={t(form.named ? "create.rules.lengths_where" : "create.rules.lengths_empty")}
    />
  );
}
