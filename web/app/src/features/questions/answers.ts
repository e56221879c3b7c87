// Answers as a person has given them so far, and as the server wants them.

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

/** The questions whose defaults can be taken: all, the rest, or none. */
export function restOf({ questions, reason }: MeetingPause, answers: Answers): "all" | "rest" | undefined {
  const open = questions.filter((question) => !isGiven(answers[question.key])).length;
  if (open === 0 || reason === "need_approval") {
    return undefined;
  }
  return open === questions.length ? "all" : "rest";
}

/** The server's error about the answer to a question, without its key, with what would be valid. */
export function refused({ errors = [], hint }: Problem, key: string): string | undefined {
  const found = errors.find((one) => one.pointer.split("/").includes(key))?.detail;
  if (found === undefined) {
    return undefined;
  }
  const bare = [`${key}: `, `${key}：`].find((before) => found.startsWith(before)) ?? "";
  const told = found.slice(bare.length);
  return hint && errors.length === 1 ? `${told} — ${hint}` : told;
}
