// An agent as a form, and the request that follows from it.

import type { Agent, AgentRequest, Effort, NewAgentRequest, RunnerSpec, Temperament } from "../../api/schema";
import { namesProgram } from "../../components/models/process-picker";
import { runnerLabel } from "../../components/speaker/runner-label";
import { linesOf } from "../../ui/lines";

/** The contents of the form. An empty text or `null` leaves a value to the provider. */
export interface AgentForm {
  name: string;
  role: string;
  description: string;
  system_prompt: string;
  /** The phrases that it need not be asked about, one a line. */
  skip_list: string;
  answers: RunnerSpec["kind"];
  /** The process or coding agent, `process/name` or `acp/name/folder`. */
  program: string;
  /** The model, `provider/name`. */
  model: string;
  /** `provider/name`, or empty for no other. */
  fallback: string;
  temperament: Temperament;
  temperature: number | null;
  top_p: number | null;
  max_tokens: number | null;
  effort: Effort | null;
  base_url: string;
  api_key: string;
}

/** The fields that a refusal can point at. */
export const FIELDS = [
  "name",
  "role",
  "description",
  "system_prompt",
  "skip_list",
  "program",
  "model",
  "fallback",
  "temperament",
  "temperature",
  "top_p",
  "max_tokens",
  "effort",
  "base_url",
  "api_key",
];

/** An empty form. */
export const BLANK: AgentForm = {
  name: "",
  role: "",
  description: "",
  system_prompt: "",
  skip_list: "",
  answers: "model",
  program: "",
  model: "",
  fallback: "",
  temperament: "balanced",
  temperature: null,
  top_p: null,
  max_tokens: null,
  effort: null,
  base_url: "",
  api_key: "",
};

/** `provider/name` of what answers; empty when no model does. */
export function modelOf(runner: RunnerSpec | null | undefined): string {
  return runner?.kind === "model" ? `${runner.provider}/${runner.model}` : "";
}

/** An agent, to be changed. Its key and address lie with the provider and are not shown. */
export function fromAgent(agent: Agent): AgentForm {
  const { name, role, runner } = agent;
  const samples = runner.kind === "model" ? runner.parameters : undefined;
  return {
    ...BLANK,
    name,
    role: role.name,
    description: role.description,
    system_prompt: role.system_prompt ?? "",
    skip_list: agent.skip_list?.join("\n") ?? "",
    answers: runner.kind === "acp" ? "process" : runner.kind,
    program: runner.kind === "process" || runner.kind === "acp" ? runnerLabel(runner) : "",
    model: modelOf(runner),
    fallback: runner.kind === "model" ? modelOf(runner.fallback) : "",
    temperament: runner.kind === "simulated" ? runner.temperament : BLANK.temperament,
    temperature: samples?.temperature ?? null,
    top_p: samples?.top_p ?? null,
    max_tokens: samples?.max_tokens ?? null,
    effort: samples?.effort ?? null,
  };
}

/** A new agent with the fields of the form. */
export function toNewAgent(form: AgentForm): NewAgentRequest {
  const { name, role, description, ...more } = toRequest(form);
  return { ...more, name: name ?? "", role: role ?? "", description: description ?? "" };
}

/** The changed fields; all of them for a new agent. Empty when nothing has changed. */
export function toRequest(form: AgentForm, before: AgentForm = BLANK): AgentRequest {
  const request: AgentRequest = {};
  for (const field of ["name", "role", "description", "system_prompt"] as const) {
    const text = form[field].trim();
    if (text !== before[field].trim()) {
      request[field] = text;
    }
  }
  const phrases = linesOf(form.skip_list);
  if (phrases.join("\n") !== linesOf(before.skip_list).join("\n")) {
    request.skip_list = phrases;
  }
  const isNew = before === BLANK;
  if (form.answers === "simulated") {
    if (isNew || before.answers !== "simulated" || form.temperament !== before.temperament) {
      request.temperament = form.temperament;
    }
    return request;
  }
  if (form.answers === "process") {
    if (isNew || before.answers !== "process" || form.program !== before.program) {
      request.model = form.program;
    }
    return request;
  }
  if (form.answers === "external") {
    return request;
  }
  const model = form.model.trim();
  if (model !== before.model || before.answers !== "model") {
    request.model = model;
  }
  if (form.fallback.trim() !== before.fallback) {
    request.fallback = form.fallback.trim() || "none";
  }
  if (form.temperature !== before.temperature) {
    request.temperature = form.temperature;
  }
  if (form.top_p !== before.top_p) {
    request.top_p = form.top_p;
  }
  if (form.max_tokens !== before.max_tokens) {
    request.max_tokens = form.max_tokens;
  }
  if (form.effort !== before.effort) {
    request.effort = form.effort;
  }
  if (form.base_url.trim()) {
    request.base_url = form.base_url.trim();
  }
  if (form.api_key.trim()) {
    request.api_key = form.api_key.trim();
  }
  return request;
}

/** Which fields still lack something, before the server is asked. */
export function missing(form: AgentForm): (keyof AgentForm)[] {
  const texts = (["name", "role", "description"] as const).filter((field) => form[field].trim() === "");
  const nobody =
    form.answers === "process"
      ? !namesProgram(form.program)
      : form.answers === "model" && !/^[^/\s]+\/\S/.test(form.model.trim());
  return nobody ? [...texts, form.answers === "process" ? "program" : "model"] : texts;
}

/** The name by which the page of an agent is found: `new` is the page for a new one. */
export function pathName(agent: Agent): string {
  return agent.name === "new" ? agent.id : agent.name;
}
