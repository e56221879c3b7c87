// A new participant, as it is sent to the server.

import type { Agent, NewParticipant, Participant, RunnerSpec } from "../../api/schema";
import { runnerLabel } from "../speaker/runner-label";

/** Fields that are left out are empty. */
export const EMPTY_PARTICIPANT: NewParticipant = {
  agent: null,
  description: null,
  name: null,
  role: null,
  model: null,
  fallback: null,
  temperament: null,
  skip_list: [],
  parameters: {
    context_tokens: null,
    effort: null,
    max_tokens: null,
    temperature: null,
    thinking_tokens: null,
    top_p: null,
  },
};

/** An agent of the library under another name: what the library says of it is said in full. */
export function underName({ role, runner, skip_list = [] }: Agent, name: string): NewParticipant {
  return { ...EMPTY_PARTICIPANT, name, role, skip_list, ...answering(runner) };
}

function answering(runner: RunnerSpec): Partial<NewParticipant> {
  switch (runner.kind) {
    case "simulated":
      return { temperament: runner.temperament };
    case "process":
    case "acp":
    case "external":
      return { model: runnerLabel(runner) };
    case "model":
      return {
        model: runnerLabel(runner),
        fallback: runner.fallback ? runnerLabel(runner.fallback) : null,
        parameters: runner.parameters ?? EMPTY_PARTICIPANT.parameters,
      };
  }
}

/** The name where it is free, or with the first number that makes it so: `Ada2`. */
export function freeName(name: string, taken: readonly string[]): string {
  let free = name;
  for (let number = 2; taken.includes(free); number += 1) {
    free = `${name}${number}`;
  }
  return free;
}

/** Somebody in the place of a participant, whom another model answers for; all else is the same. */
export function inPlaceOf(
  { name, role, runner, skip_list = [] }: Participant,
  model: string,
  taken: readonly string[],
): NewParticipant {
  const parameters = runner.kind === "model" && runner.parameters;
  return {
    ...EMPTY_PARTICIPANT,
    name: freeName(name, taken),
    role,
    model,
    skip_list,
    ...(parameters && { parameters }),
  };
}
