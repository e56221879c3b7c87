// What answers for an agent, in a line.

import { useTranslation } from "react-i18next";
import type { RunnerSpec } from "../../api/schema";
import { modelOf } from "./form";

/** Says it: a model, a simulation with its temperament, a process. */
export function useAnswers(): (runner: RunnerSpec) => string {
  const { t } = useTranslation();
  return (runner) => {
    switch (runner.kind) {
      case "model":
        return modelOf(runner);
      case "simulated":
        return t("agents.simulated_as", { temperament: t(`agents.temperament.${runner.temperament}`) });
      case "process":
        return t("agents.process_named", { name: runner.name });
    }
  };
}
