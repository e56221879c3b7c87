// The choices of the questions at a pause that the page has words for.

/** The choices of questions that ask one thing, each with a note. */
const CHOICES = ["continue", "end", "retry", "by_rules", "all_by_rules"] as const;
const TEAM = ["accept", "again", "reject"] as const;

const isOf =
  <T extends string>(all: readonly T[]) =>
  (value: unknown): value is T =>
    all.some((one) => one === value);

/** Whether a choice has words and a note. */
export const isChoice = isOf(CHOICES);

/** Whether an answer to any question is a choice that has words. */
export const isChosen = isOf([...CHOICES, ...TEAM]);
