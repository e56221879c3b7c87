// The runner of a participant in a few words: `ollama/qwen3`, `模拟 · 固执`, `process/reviewer`.

import type { RunnerSpec } from "../../api/schema";
import i18n from "../../i18n";
import type { View } from "../../meeting/view";

/** Says it in the language of the page. */
export function runnerLabel(runner: RunnerSpec): string {
  switch (runner.kind) {
    case "model":
      return `${runner.provider}/${runner.model}`;
    case "simulated":
      return i18n.t("table.simulated_as", { temperament: i18n.t(`table.temperament.${runner.temperament}`) });
    case "process":
      return `process/${runner.name}`;
    case "acp":
      return runner.folder ? `acp/${runner.name}/${runner.folder}` : `acp/${runner.name}`;
    case "external":
      // By which a person is known is nothing to read.
      if (runner.via === "person") {
        return i18n.t("table.person");
      }
      return `${runner.via}/${runner.name}`;
  }
}

/** The same beside others of its meeting: where all are simulated, the header says so once. */
export function runnerLabelIn(view: Pick<View, "participants">, runner: RunnerSpec): string {
  const all = view.participants.every(({ participant }) => participant.runner.kind === "simulated");
  return all && runner.kind === "simulated"
    ? i18n.t(`table.temperament.${runner.temperament}`)
    : runnerLabel(runner);
}
