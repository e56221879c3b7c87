// The form of a new meeting and the meeting file say the same, both ways.

import fc from "fast-check";
import { expect, test } from "vitest";
import { EFFORTS, FORMATS, LENGTHS, TEMPERAMENTS } from "../../app/src/api/choices";
import { type Json, type RuleField, ruleFields, standing } from "../../app/src/components/rules/rules";
import { faultsOf, fieldOf, placed, sectionOf } from "../../app/src/features/create/field-errors";
import { readMeetingFile, readText } from "../../app/src/features/create/read-meeting-file";
import en from "../../app/src/i18n/en";
import enForms from "../../app/src/i18n/en/settings";
import zh from "../../app/src/i18n/zh-CN";
import zhForms from "../../app/src/i18n/zh-CN/settings";
import {
  emptyForm,
  emptySeat,
  type Form,
  isProcess,
  moved,
  PROCESS,
  participantChoice,
  withFormat,
  withParticipantChoice,
  withRuleField,
} from "../../app/src/meeting-form/form";
import { toMeetingFile } from "../../app/src/meeting-form/write-meeting-file";
import { FORMAT_LISTS, haveFormats } from "./served-formats";

haveFormats();

const word = fc.stringMatching(/^[a-z\u4e00-\u9fa5]{1,12}$/);
const maybe = fc.oneof(fc.constant(""), word);
const model = fc.oneof(fc.constant(""), fc.constantFrom("openai/gpt-5-mini", "process/reviewer"));
const sampling = fc.record(
  {
    temperature: fc.double({ min: 0, max: 2, noNaN: true }).map((n) => n + 0),
    top_p: fc.constantFrom(0.5, 1),
    max_tokens: fc.integer({ min: 1, max: 9000 }),
    thinking_tokens: fc.integer({ min: 1, max: 9000 }),
    effort: fc.constantFrom(...EFFORTS),
  },
  { requiredKeys: [] },
);

function value(ruleField: RuleField): fc.Arbitrary<Json> {
  const off = <T extends Json>(some: fc.Arbitrary<T>): fc.Arbitrary<Json> =>
    ruleField.optional ? fc.oneof(some, fc.constant(null)) : some;
  const choices = ruleField.choices.map((choice) => choice.value);
  switch (ruleField.type) {
    case "switch":
      return fc.boolean();
    case "number":
      return off(fc.integer({ min: ruleField.minimum ?? 0, max: Math.min(ruleField.maximum ?? 0, 1e9) }));
    case "share":
      return off(fc.constantFrom(0, 0.25, 0.5, 1));
    case "choice":
      return off(fc.constantFrom(...choices));
    case "list":
      return fc.subarray(choices);
    case "per_participant":
      return fc.dictionary(fc.constantFrom("Zoe", "Yan"), fc.constantFrom(...choices));
    case "group":
      return off(
        fc.record({
          max_open_questions: fc.nat(9),
          max_disagreements: fc.nat(9),
          stable_rounds: fc.constant(3),
        }),
      );
  }
}

const turns = fc.array(
  fc
    .constantFrom(...ruleFields())
    .chain((ruleField) => value(ruleField).map((to) => [ruleField.path, to] as const)),
  { maxLength: 8 },
);

const seats = fc.uniqueArray(word, { maxLength: 5 }).chain((names) =>
  fc.tuple(
    ...names.map((name) =>
      fc
        .record({
          kind: fc.constantFrom("agent" as const, "model" as const, "simulated" as const),
          role: fc.record({ name: maybe, description: maybe, system_prompt: maybe }),
          skip_list: fc.constantFrom("", "收到", "ok\n/status"),
          model,
          fallback: fc.constantFrom("", "none", "openai/gpt-5"),
          sampling,
          temperament: fc.constantFrom(...TEMPERAMENTS),
          length: fc.constantFrom("" as const, ...LENGTHS),
        })
        .map((rest) => emptySeat(rest.kind, name, rest)),
    ),
  ),
);

const forms: fc.Arbitrary<Form> = fc
  .record({
    topic: word,
    title: maybe,
    description: maybe,
    display: fc.record({
      time_zone: fc.constantFrom(null, "Asia/Tokyo", "UTC"),
      time_format: fc.constantFrom(null, "12h" as const, "24h" as const),
      date_format: fc.constantFrom(null, "yyyy-MM-dd", "d.M.yyyy"),
    }),
    background: maybe,
    lang: fc.constantFrom("" as const, "zh" as const, "en" as const),
    format: fc.constantFrom(...FORMATS),
    seats,
    count: fc.option(fc.integer({ min: 1, max: 12 })),
    models: fc.array(fc.constantFrom("openai/gpt-5-mini", "process/reviewer")),
    fallback: fc.constantFrom("", "none", "openai/gpt-5"),
    simulate: fc.boolean(),
    moderator: maybe,
    announce: maybe,
    off_record: fc.boolean(),
    seed: fc.option(fc.nat()),
    agenda: fc.array(fc.record({ title: maybe, description: maybe }), { maxLength: 3 }),
    offers: fc.array(fc.record({ model, name: maybe, good_at: maybe, sampling }), { maxLength: 3 }),
    facilitator: fc.record({
      enabled: fc.boolean(),
      model,
      fallback: maybe,
      system_prompt: maybe,
      sampling,
    }),
    turns,
  })
  .map(({ turns, ...rest }) =>
    turns.reduce<Form>((form, [path, to]) => withRuleField(form, path, to), {
      ...emptyForm(),
      ...rest,
      named: rest.seats.length > 0,
      count: rest.seats.length > 0 ? null : rest.count,
      agenda: rest.agenda.map((one) => ({ ...one, key: "" })),
      offers: rest.offers.map((one) => ({ ...one, key: "" })),
    }),
  );

/** The form without what no file holds: the keys of rows, and what a seat of its kind has no use for. */
function essence(form: Form) {
  return {
    ...form,
    seats: form.seats.map((seat) => ({
      kind: seat.kind,
      name: seat.name,
      length: seat.length,
      ...(seat.kind === "agent" ? {} : { role: seat.role, skip_list: seat.skip_list }),
      ...(seat.kind === "simulated" ? { temperament: seat.temperament } : {}),
      ...(seat.kind === "model" ? { model: seat.model } : {}),
      ...(seat.kind === "model" && !isProcess(seat.model)
        ? { fallback: seat.fallback, sampling: seat.sampling }
        : {}),
    })),
    agenda: form.agenda.map(({ key: _, ...rest }) => rest),
    offers: form.offers.map(({ key: _, ...rest }) => rest),
  };
}

test("a form that goes through a file comes back as it was", () => {
  fc.assert(
    fc.property(forms, (form) => {
      const file = JSON.parse(JSON.stringify(toMeetingFile(form)));
      const { form: back, wrong } = readMeetingFile(file);
      expect(wrong).toBeUndefined();
      expect(back && essence(back)).toEqual(essence(form));
      expect(back && JSON.parse(JSON.stringify(toMeetingFile(back)))).toEqual(file);
    }),
  );
});

test("a process is named in place of a model, and takes nothing that a model takes", () => {
  const seat = emptySeat("model", "Rev", {
    model: "process/reviewer",
    fallback: "openai/gpt-5",
    sampling: { temperature: 1 },
  });
  const sent = { name: "Rev", model: "process/reviewer" };
  expect(toMeetingFile({ ...emptyForm(), named: true, seats: [seat] }).participants).toEqual([sent]);
  // A file for the command line may name it in its own field.
  const { form } = readMeetingFile({ participants: [{ name: "Rev", process: "reviewer" }] });
  expect(form && toMeetingFile(form).participants).toEqual([sent]);
  const nameless = emptySeat("model", "Rev", { model: PROCESS });
  const faults = faultsOf({ ...emptyForm(), topic: "x", named: true, seats: [nameless] });
  expect(faults).toEqual({ "participants.0": "process_missing" });
});

test("somebody may be called as objects call what they have by themselves", () => {
  const { form } = readMeetingFile({ topic: "拆吗？", participants: [{ agent: "constructor" }] });
  expect(form?.seats[0]).toMatchObject({ name: "constructor", length: "" });
});

test("the least that is said is the least that is sent", () => {
  expect(toMeetingFile({ ...emptyForm(), topic: " 拆吗？ " })).toEqual({
    topic: "拆吗？",
    format: "consensus",
  });
});

test("what a file says wrongly is named, each with its place", () => {
  const wrong = (file: unknown) => readMeetingFile(file).wrong?.map((one) => `${one.at} ${one.expected}`);
  expect(wrong({ topic: 3, nope: 1 })).toEqual(["topic text", "nope known"]);
  expect(wrong({ rules: { turns: { mode: "sideways", depth: 1 } } })).toEqual([
    "rules.turns.mode choice",
    "rules.turns.depth known",
  ]);
  expect(wrong({ participants: [{ name: "A", temper: "x" }] })).toEqual(["participants[0].temper known"]);
  expect(wrong({ providers: {} })).toEqual(["providers server"]);
  expect(readText('{\n "topic": ').wrong).toEqual([
    { at: "", expected: "json", place: { line: 2, column: 11 } },
  ]);
  expect(wrong([])).toEqual([" object"]);
});

test("the formats have the same names and the same order everywhere", () => {
  for (const [list, texts, forms] of [
    [FORMAT_LISTS.en, en, enForms],
    [FORMAT_LISTS.zh, zh, zhForms],
  ] as const) {
    expect(list.formats.map((format) => format.name)).toEqual([...FORMATS]);
    // The first page names the formats before it has asked for them.
    const names = Object.fromEntries(list.formats.map(({ name, label }) => [name, label]));
    expect(texts.shell.format).toEqual(names);
    const lengths = (list.fields.find((field) => field.path === "talk.lengths")?.choices ?? []).map(
      ({ value, label }) => [`length_${value}`, label],
    );
    expect(forms.create.cast).toMatchObject(Object.fromEntries(lengths));
  }
});

test("what was set otherwise survives another format, what follows the format follows it", () => {
  const form = withRuleField(withRuleField(emptyForm(), "limits.max_rounds", 3), "decision.mean_score", 90);
  const talk = withFormat(form, "discussion");
  expect(talk.rules).toEqual({ "decision.mean_score": 90 });
  expect(standing("discussion", talk.rules, "turns.mode")).toBe("serial_turn");
});

test("the table is filled one by one, by itself, or by a proposed team", () => {
  const storm = withFormat(emptyForm(), "brainstorm");
  expect(participantChoice(storm)).toBe("team");
  const auto = withParticipantChoice(storm, "auto");
  expect([participantChoice(auto), auto.rules]).toEqual(["auto", { "roster.assemble": false }]);
  expect(participantChoice(withParticipantChoice(auto, "team"))).toBe("team");
  expect(withParticipantChoice(auto, "team").rules).toEqual({});
  expect(participantChoice(withParticipantChoice(storm, "named"))).toBe("named");
});

test("a topic has 1 to 200 characters, counted as people count", () => {
  const fault = (topic: string) => faultsOf({ ...emptyForm(), topic }).topic;
  expect(fault("  ")).toBe("topic_missing");
  expect(fault("好")).toBeUndefined();
  expect(fault("好".repeat(200))).toBeUndefined();
  expect(fault("🙂".repeat(200))).toBeUndefined();
  expect(fault("好".repeat(201))).toBe("topic_long");
});

test("a chosen table has somebody at it, each with a name of its own", () => {
  const named = { ...emptyForm(), topic: "x", named: true };
  expect(faultsOf(named)).toEqual({ participants: "nobody" });
  const table = {
    ...named,
    seats: [emptySeat("model", "A"), emptySeat("model", "A"), emptySeat("model", " ")],
  };
  expect(faultsOf(table)).toEqual({ "participants.1": "name_twice", "participants.2": "name_missing" });
});

test("a problem finds its field, and the field its section", () => {
  expect(fieldOf("/participants/1/role/name")).toBe("participants.1");
  expect(fieldOf("/rules/decision/mean_score")).toBe("decision.mean_score");
  expect(fieldOf("/model")).toBe("models");
  expect(fieldOf("/display/time_zone")).toBe("display.time_zone");
  expect(sectionOf("display.time_zone")).toBe("more");
  expect(sectionOf("decision.mean_score")).toBe("rules");
  expect(sectionOf("limits.cost_micros")).toBe("budget");
  expect(sectionOf("participants.1")).toBe("cast");
  expect(sectionOf("agenda.0")).toBe("more");
  const problem = {
    type: "",
    title: "",
    status: 422,
    detail: "",
    hint: "write 1 to 50 characters",
    errors: [{ pointer: "/participants/0/name", detail: "is empty" }],
  };
  expect(placed(problem)).toEqual({ "participants.0": "is empty；write 1 to 50 characters" });
});

test("moving keeps everybody at the table", () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(), { minLength: 1 }),
      fc.nat(9),
      fc.integer({ min: -2, max: 12 }),
      (list, a, to) => {
        const from = a % list.length;
        const after = moved(list, from, to);
        expect([...after].sort()).toEqual([...list].sort());
        expect(after[Math.max(0, Math.min(to, list.length - 1))]).toBe(list[from]);
      },
    ),
  );
});

test("who may search the web and call tools stands in both, for all or for those who are named", () => {
  const seats = [emptySeat("model", "Ada", { web_search: true }), emptySeat("model", "Ben")];
  const form: Form = { ...emptyForm(), topic: "Rents", named: true, seats };
  const repo = { name: "repo", participants: ["Ben"] };
  const some = toMeetingFile({ ...form, tools: [repo] });
  expect(some.tools).toEqual([repo, { name: "web-search", participants: ["Ada"] }]);
  const back = readMeetingFile(some).form;
  expect(back?.seats.map((one) => one.web_search)).toEqual([true, false]);
  expect([back?.web_search, back?.tools]).toEqual([false, [repo]]);
  const all = toMeetingFile({ ...form, web_search: true });
  expect(all.tools).toEqual([{ name: "web-search" }]);
  expect(readMeetingFile(all).form?.web_search).toBe(true);
  expect(toMeetingFile({ ...form, seats: [] }).tools).toBeUndefined();
  expect(sectionOf(fieldOf("/tools/0"))).toBe("cast");
});
