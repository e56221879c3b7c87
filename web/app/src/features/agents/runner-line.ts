// The runner of an agent, in a line.

import type { RunnerSpec } from "../../api/schema";
import { runnerLabel } from "../../components/speaker/runner-label";
import { useTranslation } from "../../i18n";

/** Says it: a model, a simulation with its temperament, a process. */
export function useRunnerLine(): (runner: RunnerSpec) => string {
  const { t } = useTranslation();
  return (runner) =>
    runner.kind === "process" ? t("agents.process_named", { name: runner.name }) : runnerLabel(runner);
}
