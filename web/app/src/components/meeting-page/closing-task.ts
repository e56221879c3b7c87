// What is being done while a meeting closes.

/** What is written at the end; where several are at once, the first of these. */
const TASKS = ["conclude", "minutes", "artifact", "evaluate"] as const;

/** What is being written, by the calls in flight. Between two of them nothing is. */
export function closingTask(calls: Readonly<Record<string, unknown>>): (typeof TASKS)[number] | "other" {
  const running = Object.keys(calls).map((task) => task.split(":")[0]);
  return TASKS.find((kind) => running.includes(kind)) ?? "other";
}
