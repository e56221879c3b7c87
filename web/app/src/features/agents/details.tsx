// An agent for those who may look and not change.

import type { Agent } from "../../api/schema";
import { useTranslation } from "../../i18n";
import { modelOf } from "./form";
import { useRunnerLine } from "./runner-line";

/** Shows what is known about it. */
export function AgentDetails({ agent }: { agent: Agent }) {
  const { t } = useTranslation();
  const answers = useRunnerLine();
  const { role, runner } = agent;
  const facts: [string, string | undefined][] = [
    [t("agents.role"), role.name],
    [t("agents.description"), role.description],
    [t("agents.system_prompt"), role.system_prompt],
    [t("agents.skip_list"), agent.skip_list?.join("\n")],
    [t("agents.answers"), answers(runner)],
    [t("agents.fallback"), runner.kind === "model" ? modelOf(runner.fallback) : undefined],
  ];
  return (
    <>
      <p className="mb-4 text-dense text-ink-2">{t("agents.may_not")}</p>
      <dl className="flex max-w-2xl flex-col gap-4">
        {facts.map(
          ([label, value]) =>
            value && (
              <div key={label}>
                <dt className="text-meta text-ink-3">{label}</dt>
                <dd className="whitespace-pre-wrap text-body text-ink">{value}</dd>
              </div>
            ),
        )}
      </dl>
    </>
  );
}
