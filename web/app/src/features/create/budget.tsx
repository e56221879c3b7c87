// The budgets of a meeting: tokens, money, time, and what happens when one is used up.

import { amountOf, useFormats } from "../../components/rules/catalogue";
import { useTranslation } from "../../i18n";
import { type Form, ruleField } from "../../meeting-form/form";
import { sectionOf } from "./field-errors";
import { RuleOfForm } from "./rule-of-form";
import { Section, type SectionProps } from "./section";

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
          <RuleOfForm key={path} path={path} {...props} />
        ))}
        {limited && <RuleOfForm path="limits.when_reached" {...props} />}
      </div>
    </Section>
  );
}

function useBudgetLine(form: Form): string {
  const { t } = useTranslation();
  const { fields } = useFormats();
  const parts = LIMITS.flatMap((path) => {
    const value = ruleField(form, path);
    const unit = fields.find((field) => field.path === path)?.unit;
    return typeof value === "number" && unit ? [amountOf(value / unit.scale, unit)] : [];
  });
  return parts.length > 0 ? parts.join(" · ") : t("create.budget.none");
}
