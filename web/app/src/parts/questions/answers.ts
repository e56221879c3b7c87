// Answers as a person has given them so far, and as the server wants them.

import type { PauseView, Problem, Question } from "../../api/schema";

/** Answers by the keys of their questions; an empty text is none. */
export type Answers = Record<string, unknown>;

/** Whether something was answered. */
export function isGiven(answer: unknown): boolean {
  return answer !== undefined && answer !== null && !(typeof answer === "string" && answer.trim() === "");
}

/** The questions of a pause that somebody may answer: who may not change the topic is not asked for it before a round. */
export function answerable({ questions, reason }: PauseView, manages: boolean): Question[] {
  return manages || reason !== "check_in" ? questions : questions.filter(({ key }) => key !== "topic");
}

/** What is sent: the answers that were given. */
export function given(questions: Question[], answers: Answers): Answers {
  const all = questions.map((question) => [question.key, answers[question.key]] as const);
  return Object.fromEntries(all.filter(([, answer]) => isGiven(answer)));
}

/** Questions that cannot stay without an answer, and have none. */
export function missing(questions: Question[], answers: Answers): Question[] {
  return questions.filter((question) => question.required && !isGiven(answers[question.key]));
}

/** Whose defaults can be taken: those of all questions, of the rest, or of none. */
export function restOf({ questions, reason }: PauseView, answers: Answers): "all" | "rest" | undefined {
  const open = questions.filter((question) => !isGiven(answers[question.key])).length;
  if (open === 0 || reason === "need_approval") {
    return undefined;
  }
  return open === questions.length ? "all" : "rest";
}

/** What the server says about the answer to a question, without its key, and with what would be right. */
export function refused({ errors = [], hint }: Problem, key: string): string | undefined {
  const found = errors.find((one) => one.pointer.split("/").includes(key))?.detail;
  if (found === undefined) {
    return undefined;
  }
  const bare = [`${key}: `, `${key}：`].find((before) => found.startsWith(before)) ?? "";
  const told = found.slice(bare.length);
  return hint && errors.length === 1 ? `${told} — ${hint}` : told;
}
