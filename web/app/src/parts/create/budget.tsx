// How much a meeting may take: tokens, money, time, and what happens when it is used up.

import { useTranslation } from "react-i18next";
import { type Form, knob } from "./form";
import { KnobRow } from "./knob";
import { knobAt } from "./knobs";
import { Section, type SectionProps, useAmount } from "./parts";
import { sectionOf } from "./place";

const LIMITS = ["limits.tokens", "limits.cost_micros", "limits.wall_ms"];

interface Props extends SectionProps {
  open: boolean;
  onToggle: () => void;
}

/** The budgets. */
export function BudgetSection({ open, onToggle, ...props }: Props) {
  const { t } = useTranslation();
  const limited = LIMITS.some((path) => knob(props.form, path) !== null);
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
          <KnobRow key={path} path={path} {...props} />
        ))}
        {limited && <KnobRow path="limits.when_reached" {...props} />}
      </div>
    </Section>
  );
}

function useBudgetLine(form: Form): string {
  const { t } = useTranslation();
  const amount = useAmount();
  const parts = LIMITS.flatMap((path) => {
    const value = knob(form, path);
    const one = knobAt(path);
    return typeof value === "number" && one?.kind === "number"
      ? [amount(value / (one.scale ?? 1), one.unit)]
      : [];
  });
  return parts.length > 0 ? parts.join(" · ") : t("create.budget.none");
}
