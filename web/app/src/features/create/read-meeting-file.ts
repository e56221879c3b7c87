// From a meeting file to the form. What cannot be read is named, and nothing is passed over in silence.

import { EFFORTS, FORMATS, LENGTHS, TEMPERAMENTS } from "../../api/choices";
import type { SpeakingLength } from "../../api/schema";
import {
  asJson,
  isWhole,
  type Patch,
  type RuleField,
  ruleFieldAt,
  turned,
} from "../../components/rules/rules";
import {
  emptyForm,
  emptySeat,
  type Form,
  type Grant,
  PROCESS,
  rowKey,
  type Sampling,
  type Seat,
  WEB_SEARCH,
} from "../../meeting-form/form";
import { type Fields, isFields, type Place, readJson } from "../../ui/json";

/** An error in a file: the place, and what was expected there. */
export interface Misread {
  at: string;
  expected:
    | "object"
    | "list"
    | "text"
    | "number"
    | "switch"
    | "choice"
    | "known"
    | "json"
    | "server"
    | "alone";
  /** The allowed values, when there are only a few. */
  choices?: readonly string[];
  /** In which line and column, where that is known. */
  place?: Place;
}

/** The form, or what is wrong with the file. */
type Reading = { form: Form; wrong?: undefined } | { form?: undefined; wrong: Misread[] };

/** Reads one object of the file, field by field, and notes what is not as it should be. */
class Reader {
  private readonly seen = new Set<string>();

  constructor(
    private readonly from: Fields,
    private readonly at: string,
    readonly wrong: Misread[],
  ) {}

  private take(key: string): unknown {
    this.seen.add(key);
    return this.from[key] ?? undefined;
  }

  private note(key: string, expected: Misread["expected"], choices?: readonly string[]): undefined {
    this.wrong.push({ at: `${this.at}${key}`, expected, choices });
    return undefined;
  }

  text(key: string): string | undefined {
    const value = this.take(key);
    return value === undefined || typeof value === "string" ? value : this.note(key, "text");
  }

  number(key: string): number | undefined {
    const value = this.take(key);
    return value === undefined || (typeof value === "number" && Number.isFinite(value))
      ? value
      : this.note(key, "number");
  }

  flag(key: string): boolean | undefined {
    const value = this.take(key);
    return value === undefined || typeof value === "boolean" ? value : this.note(key, "switch");
  }

  choice<T extends string>(key: string, choices: readonly T[]): T | undefined {
    const value = this.take(key);
    const hit = choices.find((one) => one === value);
    return value === undefined || hit !== undefined ? hit : this.note(key, "choice", choices);
  }

  texts(key: string): string[] {
    const value = this.take(key) ?? [];
    if (Array.isArray(value) && value.every((one) => typeof one === "string")) {
      return value;
    }
    this.note(key, "list");
    return [];
  }

  object(key: string): Reader | undefined {
    const value = this.take(key);
    if (value === undefined) {
      return undefined;
    }
    return isFields(value) ? new Reader(value, `${this.at}${key}.`, this.wrong) : this.note(key, "object");
  }

  objects(key: string): Reader[] {
    const value = this.take(key) ?? [];
    if (!Array.isArray(value) || !value.every(isFields)) {
      this.note(key, "list");
      return [];
    }
    return value.map((one, at) => new Reader(one, `${this.at}${key}[${at}].`, this.wrong));
  }

  refuse(key: string, expected: Misread["expected"]): void {
    if (this.take(key) !== undefined) {
      this.note(key, expected);
    }
  }

  /** The fields that were not read, with their values. */
  rest(): [string, unknown][] {
    return Object.entries(this.from).filter(([key]) => !this.seen.has(key));
  }

  /** Checks that no other field is present. */
  close(): void {
    for (const [key] of this.rest()) {
      this.note(key, "known");
    }
  }
}

/** Parses a meeting file from JSON text. */
export function readText(text: string): Reading {
  const read = readJson(text);
  return read.fault
    ? { wrong: [{ at: "", expected: "json", place: read.fault }] }
    : readMeetingFile(read.value);
}

/** Reads a meeting file. */
export function readMeetingFile(file: unknown): Reading {
  if (!isFields(file)) {
    return { wrong: [{ at: "", expected: "object" }] };
  }
  const wrong: Misread[] = [];
  const all = new Reader(file, "", wrong);
  for (const key of ["providers", "processes", "prices"]) {
    all.refuse(key, "server");
  }
  const format = all.choice("format", FORMATS) ?? "consensus";
  const participants = all.objects("participants");
  const patch = readRules(all.object("rules"), format, wrong);
  const { lengths, rules } = splitLengths(patch, format);
  const grants = all.objects("tools").map(readGrant);
  const search = grants.find((one) => one.name === WEB_SEARCH);
  const searches = new Set(search?.participants);
  const seats = participants
    .map((one) => readSeat(one, lengths))
    .map((one) => ({ ...one, web_search: searches.has(one.name) }));
  const facilitator = all.object("facilitator");
  const display = all.object("display");
  const form: Form = {
    ...emptyForm(),
    topic: all.text("topic") ?? "",
    title: all.text("title") ?? "",
    description: all.text("description") ?? "",
    display: {
      time_zone: display?.text("time_zone") ?? null,
      time_format: display?.choice("time_format", ["12h", "24h"] as const) ?? null,
      date_format: display?.text("date_format") ?? null,
    },
    background: all.text("background") ?? "",
    lang: all.choice("lang", ["zh", "en"]) ?? "",
    format,
    named: seats.length > 0,
    seats,
    count: all.number("seats") ?? null,
    models: all.texts("models"),
    fallback: all.text("fallback") ?? "",
    simulate: all.flag("simulate") ?? false,
    moderator: all.text("moderator") ?? "",
    announce: all.text("announce") ?? "",
    off_record: all.flag("off_record") ?? false,
    web_search: search !== undefined && search.participants.length === 0,
    tools: grants.filter((one) => one.name !== WEB_SEARCH),
    seed: all.number("seed") ?? null,
    agenda: all.objects("agenda").map((one) => {
      const point = {
        key: rowKey(),
        title: one.text("title") ?? "",
        description: one.text("description") ?? "",
      };
      one.close();
      return point;
    }),
    offers: all.objects("offers").map((one) => {
      const offer = {
        key: rowKey(),
        model: one.text("model") ?? "",
        name: one.text("name") ?? "",
        good_at: one.text("good_at") ?? "",
        sampling: readSampling(one.object("parameters")),
      };
      one.close();
      return offer;
    }),
    facilitator: {
      enabled: facilitator?.flag("enabled") ?? true,
      model: facilitator?.text("model") ?? "",
      fallback: facilitator?.text("fallback") ?? "",
      system_prompt: facilitator?.text("system_prompt") ?? "",
      sampling: readSampling(facilitator?.object("parameters")),
    },
    rules: withoutLengthsOf(rules, lengths, seats, format),
  };
  facilitator?.close();
  display?.close();
  all.close();
  return wrong.length > 0 ? { wrong } : { form };
}

function readGrant(one: Reader): Grant {
  const grant = { name: one.text("name") ?? "", participants: one.texts("participants") };
  one.close();
  return grant;
}

function readSeat(one: Reader, lengths: ReadonlyMap<string, SpeakingLength>): Seat {
  const agent = one.text("agent");
  const name = one.text("name") ?? "";
  if (agent !== undefined && agent !== "") {
    one.close();
    return emptySeat("agent", agent, { length: lengths.get(agent) ?? "" });
  }
  const role = one.object("role");
  const process = one.text("process");
  const temperament = one.choice("temperament", TEMPERAMENTS);
  const seat = emptySeat(temperament ? "simulated" : "model", name, {
    role: {
      name: role?.text("name") ?? "",
      description: role?.text("description") ?? "",
      system_prompt: role?.text("system_prompt") ?? "",
    },
    skip_list: one.texts("skip_list").join("\n"),
    temperament: temperament ?? "balanced",
    length: lengths.get(name) ?? "",
  });
  const asked = {
    model: process ? `${PROCESS}${process}` : (one.text("model") ?? ""),
    fallback: one.text("fallback") ?? "",
    sampling: readSampling(one.object("parameters")),
  };
  role?.close();
  // A simulated participant has no model of its own; the server refuses it, and so do we.
  if (temperament && (asked.model || asked.fallback || Object.keys(asked.sampling).length > 0)) {
    one.refuse("temperament", "alone");
  }
  one.close();
  return temperament ? seat : { ...seat, ...asked };
}

function readSampling(from: Reader | undefined): Sampling {
  const read: Sampling = {
    temperature: from?.number("temperature"),
    top_p: from?.number("top_p"),
    max_tokens: from?.number("max_tokens"),
    thinking_tokens: from?.number("thinking_tokens"),
    context_tokens: from?.number("context_tokens"),
    effort: from?.choice("effort", EFFORTS),
  };
  from?.close();
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined));
}

function readRules(groups: Reader | undefined, format: Form["format"], wrong: Misread[]): Patch {
  let patch: Patch = {};
  for (const [group, ruleFields] of groups?.rest() ?? []) {
    if (!isFields(ruleFields)) {
      wrong.push({ at: `rules.${group}`, expected: "object" });
      continue;
    }
    for (const [name, value] of Object.entries(ruleFields)) {
      const path = `${group}.${name}`;
      const ruleField = ruleFieldAt(path);
      const misfit = ruleField && isWhole(ruleField) ? misfitOf(ruleField, value) : "known";
      if (misfit) {
        const choices = ruleField?.type === "choice" ? valuesOf(ruleField) : undefined;
        wrong.push({ at: `rules.${path}`, expected: misfit, choices });
      } else {
        patch = turned(format, patch, path, asJson(value));
      }
    }
  }
  return patch;
}

/** What a rule expects, when the value does not fit. */
function misfitOf(ruleField: RuleField, value: unknown): Misread["expected"] | undefined {
  if (value === null) {
    return ruleField.optional ? undefined : "known";
  }
  const isChoice = (one: unknown) => valuesOf(ruleField).some((choice) => choice === one);
  switch (ruleField.type) {
    case "switch":
      return typeof value === "boolean" ? undefined : "switch";
    case "number":
    case "share":
      return typeof value === "number" ? undefined : "number";
    case "choice":
      return isChoice(value) ? undefined : "choice";
    case "list":
      return Array.isArray(value) && value.every((one) => typeof one === "string") ? undefined : "list";
    case "per_participant":
      return isFields(value) && Object.values(value).every(isChoice) ? undefined : "object";
    case "group":
      return isFields(value) && Object.values(value).every((one) => typeof one === "number")
        ? undefined
        : "object";
  }
}

const valuesOf = (ruleField: RuleField) => ruleField.choices.map((choice) => choice.value);

function splitLengths(patch: Patch, format: Form["format"]) {
  const given = patch["talk.lengths"];
  const lengths = new Map<string, SpeakingLength>();
  for (const [name, value] of Object.entries(isFields(given) ? given : {})) {
    const length = LENGTHS.find((one) => one === value);
    if (length) {
      lengths.set(name, length);
    }
  }
  return { lengths, rules: turned(format, patch, "talk.lengths", {}) };
}

/** Lengths of those who sit there stand with their seats; those of others stay in the rules. */
function withoutLengthsOf(
  rules: Patch,
  lengths: ReadonlyMap<string, SpeakingLength>,
  seats: readonly Seat[],
  format: Form["format"],
): Patch {
  const named = new Set(seats.map((one) => one.name));
  const others = Object.fromEntries([...lengths].filter(([name]) => !named.has(name)));
  return turned(format, rules, "talk.lengths", others);
}
