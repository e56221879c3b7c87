// An agent's form, and the request that follows from it.

import fc from "fast-check";
import { expect, test } from "vitest";
import { EFFORTS, TEMPERAMENTS } from "../../../app/src/api/choices";
import type { Agent, AgentRequest, ModelParameters } from "../../../app/src/api/schema";
import {
  type AgentForm,
  BLANK,
  fromAgent,
  missing,
  pathName,
  toRequest,
} from "../../../app/src/features/agents/form";

const ADA: Agent = {
  id: "a1",
  name: "Ada",
  role: { name: "skeptic", description: "looks for holes", system_prompt: "be brief" },
  runner: {
    kind: "model",
    provider: "openai",
    model: "gpt-5/mini",
    parameters: {
      temperature: 0.5,
      top_p: null,
      max_tokens: null,
      effort: "low",
      thinking_tokens: null,
      context_tokens: null,
    },
    fallback: { kind: "model", provider: "lab", model: "qwen" },
  },
  created_at: "2026-03-01T08:30:00.001Z",
  updated_at: "2026-03-01T08:30:00.002Z",
};

test("an agent that nobody touched asks for nothing", () => {
  expect(toRequest(fromAgent(ADA), fromAgent(ADA))).toEqual({});
});

test("only what is otherwise is sent; an emptied number is the provider's own, an emptied fallback is none", () => {
  const before = fromAgent(ADA);
  expect(before.model).toBe("openai/gpt-5/mini");
  const form = { ...before, role: " critic ", temperature: null, fallback: "", system_prompt: "" };
  expect(toRequest(form, before)).toEqual({
    role: "critic",
    system_prompt: "",
    temperature: null,
    fallback: "none",
  });
});

test("a simulated agent is sent no model and no sampling", () => {
  const form = { ...fromAgent(ADA), answers: "simulated" as const, temperament: "stubborn" as const };
  expect(toRequest(form, fromAgent(ADA))).toEqual({ temperament: "stubborn" });
  expect(missing({ ...BLANK, answers: "simulated" })).toEqual(["name", "role", "description"]);
  expect(missing({ ...fromAgent(ADA), model: "openai/" })).toEqual(["model"]);
});

test("the agent named like the page for new ones is found by its id", () => {
  expect(pathName({ ...ADA, name: "new" })).toBe("a1");
  expect(pathName(ADA)).toBe("Ada");
});

/** The agent that the server makes of a request, by its description. */
function taken(request: AgentRequest, before: Agent): Agent {
  const text = (given: string | null | undefined, old: string) => given ?? old;
  const split = (name: string) => {
    const at = name.indexOf("/");
    return { kind: "model" as const, provider: name.slice(0, at), model: name.slice(at + 1) };
  };
  const was = before.runner.kind === "model" ? before.runner : undefined;
  const old: ModelParameters | undefined = was?.parameters;
  const own = <T>(given: T | null | undefined, now: T | null | undefined) =>
    given === undefined ? (now ?? null) : given;
  const parameters = {
    temperature: own(request.temperature, old?.temperature),
    top_p: own(request.top_p, old?.top_p),
    max_tokens: own(request.max_tokens, old?.max_tokens),
    effort: own(request.effort, old?.effort),
    thinking_tokens: null,
    context_tokens: null,
  };
  const fallback =
    request.fallback === "none" ? null : request.fallback ? split(request.fallback) : (was?.fallback ?? null);
  const answering = request.model ? split(request.model) : was && split(`${was.provider}/${was.model}`);
  const runner: Agent["runner"] = request.temperament
    ? { kind: "simulated" as const, temperament: request.temperament }
    : answering
      ? { ...answering, parameters, fallback }
      : before.runner;
  return {
    ...before,
    name: text(request.name, before.name),
    role: {
      name: text(request.role, before.role.name),
      description: text(request.description, before.role.description),
      system_prompt: text(request.system_prompt, before.role.system_prompt ?? ""),
    },
    skip_list: request.skip_list ?? before.skip_list ?? [],
    runner,
  };
}

const word = fc.stringMatching(/^[a-z]{1,8}$/);
const model = fc.tuple(word, word).map(([provider, name]) => `${provider}/${name}`);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const anyForm: fc.Arbitrary<AgentForm> = fc.record({
  name: word,
  role: word,
  description: word,
  system_prompt: fc.oneof(word, fc.constant("")),
  skip_list: fc.array(word, { maxLength: 3 }).map((phrases) => phrases.join("\n")),
  answers: fc.constantFrom("model" as const, "simulated" as const),
  program: fc.constant(""),
  model,
  fallback: fc.oneof(model, fc.constant("")),
  temperament: fc.constantFrom(...TEMPERAMENTS),
  temperature: maybe(fc.integer({ min: 0, max: 20 }).map((n) => n / 10)),
  top_p: maybe(fc.integer({ min: 0, max: 20 }).map((n) => n / 20)),
  max_tokens: maybe(fc.integer({ min: 1, max: 9_999 })),
  effort: maybe(fc.constantFrom(...EFFORTS)),
  base_url: fc.constant(""),
  api_key: fc.constant(""),
});

/** The part of a form that shows in the agent: a simulation has no model and no sampling. */
function shown(form: AgentForm): AgentForm {
  return form.answers === "simulated"
    ? { ...BLANK, ...pick(form), answers: "simulated", temperament: form.temperament }
    : { ...form, temperament: BLANK.temperament };
}

function pick({ name, role, description, system_prompt, skip_list }: AgentForm) {
  return { name, role, description, system_prompt, skip_list };
}

test("whatever the form says, the agent says after it: a new one, and one that was another", () => {
  fc.assert(
    fc.property(anyForm, anyForm, (first, second) => {
      const nobody = {
        ...ADA,
        name: "",
        role: { name: "", description: "" },
        runner: { kind: "process" as const, name: "" },
      };
      const made = taken(toRequest(first), nobody);
      expect(fromAgent(made)).toEqual(shown(first));
      const changed = taken(toRequest(second, fromAgent(made)), made);
      expect(fromAgent(changed)).toEqual(shown(second));
    }),
  );
});
