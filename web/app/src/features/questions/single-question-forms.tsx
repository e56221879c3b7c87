// Forms of pauses that ask one thing: the host's word, a new budget, go on or end, again or by the rules.

import type { Question } from "../../api/schema";
import { isChoice } from "../../components/meeting-page/choices";
import { mentionOf } from "../../components/meeting-page/composer-input";
import { useTable } from "../../components/meeting-page/context";
import { useTranslation } from "../../i18n";
import { usePhrase } from "../../i18n/phrases";
import { useMeeting } from "../../meeting/hooks";
import { money, short, span } from "../../shell/formatting";
import { Button } from "../../ui/button";
import { Field, NumberInput, TextArea } from "../../ui/field";
import type { Answers } from "./answers";

interface Props {
  question: Question;
  answers: Answers;
  onChange: (answers: Answers) => void;
  error?: string;
}

/** The host speaks and says who answers. */
export function HostForm({ answers, onChange, error }: Props) {
  const { t } = useTranslation();
  const { view } = useTable();
  const text = typeof answers.message === "string" ? answers.message : "";
  const here = view.participants.filter((seat) => seat.present && seat.presence === "online");
  return (
    <div className="flex flex-col gap-2">
      <Field label={t("table.host.message")} required error={error}>
        <TextArea value={text} onChange={(event) => onChange({ ...answers, message: event.target.value })} />
      </Field>
      <div className="flex flex-wrap items-center gap-1.5">
        <span className="text-meta text-ink-3">{t("table.host.call")}</span>
        {here.map(({ participant }) => (
          <Button
            key={participant.id}
            size="small"
            onClick={() => onChange({ ...answers, message: `${text}${mentionOf(participant.name)}` })}
          >
            @{participant.name}
          </Button>
        ))}
      </div>
    </div>
  );
}

const UNIT = { tokens: 1, cost: 1_000_000, wall_time: 60_000 };

/** Which budget is used up, as the log named it last, and what the next call needed; or the one with the least left. */
function useReached(): { which: keyof typeof UNIT; needed: number } {
  const { budget } = useTable().view;
  const named = useMeeting((snapshot) => snapshot.lines.findLast((line) => line.type === "budget_reached"));
  if (named?.type === "budget_reached") {
    return { which: named.payload.budget, needed: named.payload.needed };
  }
  const shares = [
    ["tokens", budget.tokens] as const,
    ["cost", budget.cost_micros] as const,
    ["wall_time", budget.wall_ms] as const,
  ].map(([name, { used, limit }]) => ({ name, share: limit ? (used ?? 0) / limit : -1 }));
  return { which: shares.reduce((most, one) => (one.share > most.share ? one : most)).name, needed: 0 };
}

/** More of a budget, in the unit that people count it in; without more the meeting ends. */
export function BudgetForm({ answers, onChange, error }: Props) {
  const { t } = useTranslation();
  const { view } = useTable();
  const { which, needed } = useReached();
  const gauge = { tokens: view.budget.tokens, cost: view.budget.cost_micros, wall_time: view.budget.wall_ms }[
    which
  ];
  const say = { tokens: short, cost: money, wall_time: span }[which];
  const value =
    typeof answers.budget === "number" && answers.budget > 0 ? answers.budget / UNIT[which] : null;
  const limit = gauge.limit ?? gauge.used ?? 0;
  const set = (amount: number | null) =>
    onChange({ ...answers, budget: amount === null ? undefined : Math.round(amount * UNIT[which]) });
  return (
    <div className="flex flex-col gap-3">
      <p className="text-dense text-ink-2">
        {t(`table.more.${which}`, {
          used: gauge.used == null ? t("table.cost.unknown") : say(gauge.used),
          limit: say(limit),
        })}
        {needed > 0 && ` ${t("table.more.needed", { needed: say(needed) })}`}
      </p>
      <Field label={t(`table.more.field_${which}`)} required error={error}>
        <NumberInput
          value={value}
          min={0}
          step={which === "cost" ? 0.1 : which === "tokens" ? 1000 : 1}
          onChange={set}
        />
      </Field>
      <div className="flex flex-wrap gap-1.5">
        {[1.5, 2, 3].map((times) => (
          <Button key={times} size="small" onClick={() => set((limit * times) / UNIT[which])}>
            {t("table.more.times", { times, limit: say(limit * times) })}
          </Button>
        ))}
      </div>
      <p className="text-meta text-ink-3">{t("table.more.else")}</p>
    </div>
  );
}

/** A choice between two ways; each says what follows. */
export function EitherForm({ question, answers, onChange }: Props) {
  const { t } = useTranslation();
  const phrase = usePhrase();
  const kind = question.kind;
  const choices = kind?.kind === "choice" ? kind.choices : [];
  const value = answers[question.key];
  return (
    <fieldset className="m-0 flex flex-col gap-2 border-0 p-0">
      <legend className="sr-only">{phrase(question.ask)}</legend>
      {phrase(question.why) && (
        <p className="text-dense text-ink-2">{t("table.ask.why", { why: phrase(question.why) })}</p>
      )}
      {choices.map((choice) => (
        <label
          key={choice}
          className="flex cursor-pointer items-start gap-3 rounded-xl border border-line px-4 py-3 has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2"
        >
          <input
            type="radio"
            name={question.key}
            className="mt-1.5 accent-accent"
            checked={value === choice}
            onChange={() => onChange({ ...answers, [question.key]: choice })}
          />
          <span>
            <span className="block text-dense font-medium">
              {isChoice(choice) ? t(`table.choice.${choice}`) : choice}
            </span>
            {isChoice(choice) && (
              <span className="block text-meta text-ink-2">{t(`table.choice_note.${choice}`)}</span>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
