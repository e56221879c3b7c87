// The runner of an agent, in a line.

import type { RunnerSpec } from "../../api/schema";
import { useTranslation } from "../../i18n";
import { runnerLabel } from "../participants/runner-label";

/** Says it: a model, a simulation with its temperament, a process. */
export function useRunnerLine(): (runner: RunnerSpec) => string {
  const { t } = useTranslation();
  return (runner) =>
    runner.kind === "process" ? t("agents.process_named", { name: runner.name }) : runnerLabel(runner);
}
