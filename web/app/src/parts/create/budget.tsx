// The budgets of a meeting: tokens, money, time, and what happens when one is used up.

import { useTranslation } from "react-i18next";
import { type Form, ruleField } from "./form";
import { Section, type SectionProps, useAmount } from "./parts";
import { sectionOf } from "./place";
import { RuleFieldRow } from "./rule-field";
import { ruleFieldAt } from "./rule-fields";

const LIMITS = ["limits.tokens", "limits.cost_micros", "limits.wall_ms"];

interface Props extends SectionProps {
  open: boolean;
  onToggle: () => void;
}

/** The section of budgets. */
export function BudgetSection({ open, onToggle, ...props }: Props) {
  const { t } = useTranslation();
  const limited = LIMITS.some((path) => ruleField(props.form, path) !== null);
  return (
    <Section
      id="budget"
      title={t("create.budget.section")}
      line={useBudgetLine(props.form)}
      open={open}
      onToggle={onToggle}
      alarm={Object.keys(props.wrong).some((field) => sectionOf(field) === "budget")}
    >
      <p className="text-dense text-ink-2">{t("create.budget.lead")}</p>
      <div className="flex max-w-lg flex-col gap-4">
        {LIMITS.map((path) => (
          <RuleFieldRow key={path} path={path} {...props} />
        ))}
        {limited && <RuleFieldRow path="limits.when_reached" {...props} />}
      </div>
    </Section>
  );
}

function useBudgetLine(form: Form): string {
  const { t } = useTranslation();
  const amount = useAmount();
  const parts = LIMITS.flatMap((path) => {
    const value = ruleField(form, path);
    const one = ruleFieldAt(path);
    return typeof value === "number" && one?.kind === "number"
      ? [amount(value / (one.scale ?? 1), one.unit)]
      : [];
  });
  return parts.length > 0 ? parts.join(" · ") : t("create.budget.none");
}
