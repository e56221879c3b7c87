// The form of a pause, by its reason.

import type { MeetingPause } from "../../api/schema";
import { useTranslation } from "../../i18n";
import { type Answers, answered } from "./answers";
import { QuestionField } from "./field";
import { BudgetForm, EitherForm, HostForm } from "./single-question-forms";
import { TeamForm } from "./team";

interface Props {
  pause: MeetingPause;
  answers: Answers;
  onChange: (answers: Answers) => void;
  errorOf: (key: string) => string | undefined;
}

/** The questions of a pause. An unknown reason gets its questions as they are. */
export function PauseForm({ pause, answers, onChange, errorOf }: Props) {
  const { t } = useTranslation();
  const [first] = pause.questions;
  const props = first && { question: first, answers, onChange, error: errorOf(first.key) };
  if (props && pause.questions.length === 1) {
    switch (pause.suggested_next) {
      case "say_who_speaks":
        return <HostForm {...props} />;
      case "raise_the_budget_or_end":
        return <BudgetForm {...props} />;
      case "continue_or_end":
      case "retry_or_let_the_rules_write":
        return <EitherForm {...props} />;
    }
  }
  if (pause.suggested_next === "approve_or_reject") {
    return <TeamForm answers={answers} onChange={onChange} />;
  }
  const decision = (choice: string) =>
    choice === "once" || choice === "meeting" || choice === "refused" ? t(`table.tool.${choice}`) : choice;
  return pause.questions.map((question) => (
    <div key={question.key} data-missing={errorOf(question.key) ? "" : undefined}>
      <QuestionField
        question={question}
        value={answers[question.key]}
        onChange={(value) => onChange(answered(pause.questions, answers, question.key, value))}
        error={errorOf(question.key)}
        say={pause.suggested_next === "allow_or_refuse_the_tool" ? decision : String}
      />
    </div>
  ));
}
