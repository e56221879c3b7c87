// Agents that most tables can use, ready to be taken over, in the language of the page.

import type { Translate } from "../../i18n";
import { type AgentForm, BLANK } from "./form";

/** Our suggested agents. */
export const SUGGESTED_AGENTS = ["skeptic", "architect", "advocate"] as const;

/** One of the suggested agents. */
type SuggestedAgent = (typeof SUGGESTED_AGENTS)[number];

/** Whether a text names one of them. */
export function isSuggestedAgent(text: string | undefined): text is SuggestedAgent {
  return SUGGESTED_AGENTS.some((one) => one === text);
}

/** A suggestion as a form that only lacks its model. */
export function suggestedAgentForm(t: Translate, ready: SuggestedAgent): AgentForm {
  return {
    ...BLANK,
    name: t(`agents.ready.${ready}.name`),
    role: t(`agents.ready.${ready}.role`),
    description: t(`agents.ready.${ready}.description`),
    system_prompt: t(`agents.ready.${ready}.prompt`),
  };
}
