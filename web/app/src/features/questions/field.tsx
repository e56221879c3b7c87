// One question with the control for its kind.

import type { Question } from "../../api/schema";
import { useTranslation } from "../../i18n";
import { usePhrase } from "../../i18n/phrases";
import { Field, NumberInput, TextArea } from "../../ui/field";
import { Segments } from "../../ui/toggles";

interface Props {
  question: Question;
  value: unknown;
  onChange: (value: unknown) => void;
  error?: string;
  /** The labels of the choices; the choices themselves when left out. */
  say?: (choice: string) => string;
}

/** A question. */
export function QuestionField({ question, value, onChange, error, say = String }: Props) {
  const { t } = useTranslation();
  const phrase = usePhrase();
  const kind = question.kind ?? { kind: "text" as const };
  const fallback = question.default;
  const [ask, why] = [phrase(question.ask), phrase(question.why)];
  const hint = (
    <>
      {why && <span className="block">{t("table.ask.why", { why })}</span>}
      {fallback !== undefined && fallback !== null && fallback !== "" && (
        <span className="block">
          {t("table.ask.default", { value: told(fallback, t("table.ask.yes"), t("table.ask.no"), say) })}
        </span>
      )}
    </>
  );
  if (kind.kind === "choice") {
    return <Choices {...{ question, value, onChange, error, say, hint }} choices={kind.choices} />;
  }
  return (
    <Field label={ask} required={question.required} hint={hint} error={error}>
      {kind.kind === "number" ? (
        <NumberInput label={ask} value={typeof value === "number" ? value : null} onChange={onChange} />
      ) : kind.kind === "boolean" ? (
        <Segments
          label={ask}
          className="self-start"
          value={typeof value === "boolean" ? String(value) : ""}
          onChange={(next) => onChange(next === "true")}
          choices={[
            { value: "true", label: t("table.ask.yes") },
            { value: "false", label: t("table.ask.no") },
          ]}
        />
      ) : (
        <TextArea
          className="min-h-11"
          rows={1}
          value={typeof value === "string" ? value : ""}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

function told(value: unknown, yes: string, no: string, say: (choice: string) => string): string {
  if (typeof value === "boolean") {
    return value ? yes : no;
  }
  return typeof value === "string" ? say(value) : JSON.stringify(value);
}

interface ChoicesProps extends Required<Pick<Props, "question" | "value" | "onChange" | "say">> {
  choices: string[];
  error?: string;
  hint: React.ReactNode;
}

function Choices({ question, choices, value, onChange, error, say, hint }: ChoicesProps) {
  const { t } = useTranslation();
  const phrase = usePhrase();
  return (
    <fieldset className="m-0 flex min-w-0 flex-col gap-1 border-0 p-0">
      <legend className="p-0 text-dense font-medium text-ink">
        {phrase(question.ask)}
        {question.required && (
          <span className="ml-1.5 text-meta font-normal text-ink-3">{t("ui.required")}</span>
        )}
      </legend>
      <div className="mt-1 flex flex-wrap gap-1.5">
        {choices.map((choice) => (
          <label
            key={choice}
            className="flex cursor-pointer items-center gap-2 rounded-lg border border-line-strong/60 bg-raised px-3 py-1.5 text-dense has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 coarse:min-h-11"
          >
            <input
              type="radio"
              name={question.key}
              className="accent-accent"
              checked={value === choice}
              onChange={() => onChange(choice)}
            />
            {say(choice)}
          </label>
        ))}
      </div>
      <div className="text-meta text-ink-3">{hint}</div>
      {error && <div className="text-meta text-bad">{error}</div>}
    </fieldset>
  );
}
