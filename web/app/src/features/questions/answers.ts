// Answers as a person has given them so far, and as the server wants them.

import { withHint } from "../../api/form-errors";
import type { MeetingPause, Problem, Question } from "../../api/schema";

/** Answers by the keys of their questions; an empty text is none. */
export type Answers = Record<string, unknown>;

/** Whether a question was answered. */
function isGiven(answer: unknown): boolean {
  return answer !== undefined && answer !== null && !(typeof answer === "string" && answer.trim() === "");
}

/**
 * The questions of a pause that the user may answer: a user who may not change the topic is not asked for it
 * before a round.
 */
export function answerable({ questions, reason }: MeetingPause, manages: boolean): Question[] {
  return manages || reason !== "check_in" ? questions : questions.filter(({ key }) => key !== "topic");
}

/** The tool that a question is about, where it is about the call of one. */
function toolOf({ ask }: Question): unknown {
  return "code" in ask && ask.code === "question-allow-tool" ? ask.args?.tool : undefined;
}

/** The answers after one more: a tool that is allowed for the meeting is allowed in its other calls that wait, too. */
export function answered(questions: Question[], answers: Answers, key: string, value: unknown): Answers {
  const tool = value === "meeting" ? questions.filter((one) => one.key === key).map(toolOf)[0] : undefined;
  const same =
    tool === undefined ? [] : questions.filter((one) => toolOf(one) === tool && !isGiven(answers[one.key]));
  return { ...answers, ...Object.fromEntries(same.map((one) => [one.key, value])), [key]: value };
}

/** The answers to send: those that were given. */
export function given(questions: Question[], answers: Answers): Answers {
  const all = questions.map((question) => [question.key, answers[question.key]] as const);
  return Object.fromEntries(all.filter(([, answer]) => isGiven(answer)));
}

/** Questions that cannot stay without an answer, and have none. */
export function missing(questions: Question[], answers: Answers): Question[] {
  return questions.filter((question) => question.required && !isGiven(answers[question.key]));
}

/** What holds for the questions that have no answer, where that is more than leaving them empty; each has its words. */
export type Rest =
  | "default"
  | "all_defaults"
  | "rest_defaults"
  | "skip_all"
  | "skip_rest"
  | "end"
  | "call_all"
  | "refuse_all"
  | "refuse_rest";

/** What can be done at once with the questions that are open. */
export function restOf(pause: MeetingPause, answers: Answers): Rest | undefined {
  const { questions, reason, suggested_next } = pause;
  const open = questions.filter((question) => !isGiven(answers[question.key]));
  const all = open.length === questions.length;
  if (open.length === 0 || reason === "need_approval") {
    return undefined;
  }
  switch (suggested_next) {
    case "raise_the_budget_or_end":
      return "end";
    case "say_who_speaks":
      return "call_all";
    case "allow_or_refuse_the_tool":
      return all ? "refuse_all" : "refuse_rest";
  }
  // Before a round the defaults are what is so already.
  if (reason !== "check_in" && open.some((question) => isGiven(question.default))) {
    return all ? (questions.length === 1 ? "default" : "all_defaults") : "rest_defaults";
  }
  return open.some((question) => question.required) ? (all ? "skip_all" : "skip_rest") : undefined;
}

/** The answers with which a form begins: the default of a choice between ways on, and a team as it is proposed. */
export function firstAnswers({ questions, reason, suggested_next }: MeetingPause): Answers {
  if (reason === "need_approval") {
    return { team: "accept" };
  }
  const [first] = questions;
  const isWayOn = suggested_next === "continue_or_end" || suggested_next === "retry_or_let_the_rules_write";
  return isWayOn && first && isGiven(first.default) ? { [first.key]: first.default } : {};
}

/** What follows when answers are sent: the meeting ends, or continues with what was said, or as it is. */
type Consequence = "end" | "send" | "go_on";

/** What follows when these answers are sent, with the defaults for the rest or not. */
export function consequenceOf(pause: MeetingPause, answers: Answers, takesDefaults: boolean): Consequence {
  const sent = given(pause.questions, answers);
  if (pause.suggested_next === "continue_or_end") {
    return sent.next === "end" ? "end" : "go_on";
  }
  if (pause.suggested_next === "raise_the_budget_or_end" && (sent.budget === 0 || takesDefaults)) {
    return "end";
  }
  return takesDefaults || Object.keys(sent).length > 0 || missing(pause.questions, answers).length > 0
    ? "send"
    : "go_on";
}

/** The server's error about the answer to a question, without its key, with what would be valid. */
export function refused(problem: Problem, key: string): string | undefined {
  const found = problem.errors?.find((one) => one.pointer.split("/").includes(key))?.detail;
  if (found === undefined) {
    return undefined;
  }
  const bare = [`${key}: `, `${key}：`].find((before) => found.startsWith(before)) ?? "";
  return withHint(found.slice(bare.length), problem);
}
