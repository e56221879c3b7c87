// The tasks of the facilitator, by name: `summarize:r2`, `minutes:v3`.

const TASKS = [
  "speak",
  "vote",
  "summarize",
  "facilitate",
  "conclude",
  "intake",
  "team",
  "evaluate",
  "invite",
  "minutes",
  "artifact",
] as const;

/** A sort of task. */
type Task = (typeof TASKS)[number] | "any";

/** Which sort of task this is. */
export function taskOf(id: string): Task {
  const verb = id.split(":")[0];
  return TASKS.find((task) => task === verb) ?? "any";
}

/** Whether a task is the facilitator's own: messages and votes are shown elsewhere. */
export function isOwnTask(id: string): boolean {
  const task = taskOf(id);
  return task !== "speak" && task !== "vote";
}
