// The form of a new meeting: everything that a meeting file can say, in the shape of the page.

import type { Effort, Format, Language, SpeakingLength, Temperament } from "../api/schema";
import { type Json, type Patch, standing, turned } from "../components/rules/rules";
import type { Times } from "../components/times/fields";

/** The sampling parameters of a model; those that are not set are left to the vendor. */
export interface Sampling {
  temperature?: number;
  top_p?: number;
  max_tokens?: number;
  thinking_tokens?: number;
  context_tokens?: number;
  effort?: Effort;
}

/**
 * The prefix of `process/NAME`: a process of the server's configuration, named in place of a model. The server takes no
 * other way to name one over HTTP.
 */
export const PROCESS = "process/";

/** Whether a process or a coding agent is named in place of a model. */
export function isProcess(model: string): boolean {
  return model.startsWith(PROCESS) || model.startsWith("acp/");
}

/** A participant to be. Empty texts are left to the server. */
export interface Seat {
  /** The key of the row; the server does not know it. */
  key: string;
  kind: "agent" | "model" | "simulated";
  /** Its name, or that of the agent in the library. */
  name: string;
  role: { name: string; description: string; system_prompt: string };
  /** The phrases that it need not be asked about, one a line. */
  skip_list: string;
  /** `provider/name` or `process/name`; empty: one of the meeting's models in turn. */
  model: string;
  /** The fallback model. Empty: the meeting's; `none`: no fallback. */
  fallback: string;
  sampling: Sampling;
  temperament: Temperament;
  /** Empty: as it likes. */
  length: SpeakingLength | "";
  /** Whether it may search the web with its provider's own search. */
  web_search: boolean;
}

/** A point of the agenda. */
export interface Point {
  key: string;
  title: string;
  description: string;
}

/** A model that a team can be given. */
export interface Offer {
  key: string;
  model: string;
  name: string;
  good_at: string;
  sampling: Sampling;
}

/** Tools that participants may call, by the name under which the server's operator configured them. */
export interface Grant {
  name: string;
  /** The names of the participants; empty: all of them. */
  participants: string[];
}

/** The name under which a meeting allows the web search of its participants' providers. */
export const WEB_SEARCH = "web-search";

/** The form. */
export interface Form {
  topic: string;
  /** The title; empty: the topic. */
  title: string;
  description: string;
  /** How times are shown; null: as each reader has it. */
  display: Times;
  background: string;
  lang: Language | "";
  format: Format;
  /** Whether the participants are chosen one by one. */
  named: boolean;
  seats: Seat[];
  /** The number of participants when none is named; `null`: the server's default. */
  count: number | null;
  models: string[];
  offers: Offer[];
  fallback: string;
  simulate: boolean;
  /** Descriptions of participants in a sentence each, to be invited once the meeting has started. */
  described: string[];
  /** A participant's name; empty: the person. */
  moderator: string;
  facilitator: {
    enabled: boolean;
    model: string;
    fallback: string;
    system_prompt: string;
    sampling: Sampling;
  };
  agenda: Point[];
  announce: string;
  off_record: boolean;
  /** Whether every participant whose provider has a web search may use it. */
  web_search: boolean;
  /** Other tools that participants may call. */
  tools: Grant[];
  seed: number | null;
  rules: Patch;
}

/** How the participants are chosen. */
export type ParticipantChoice = "auto" | "named" | "team";

let rows = 0;

/** A name for a row that no other row has. */
export function rowKey(): string {
  rows += 1;
  return `row${rows}`;
}

/** The initial form. */
export function emptyForm(): Form {
  return {
    topic: "",
    title: "",
    description: "",
    display: { time_zone: null, time_format: null, date_format: null },
    background: "",
    lang: "",
    format: "consensus",
    named: false,
    seats: [],
    count: null,
    models: [],
    offers: [],
    fallback: "",
    simulate: false,
    described: [],
    moderator: "",
    facilitator: { enabled: true, model: "", fallback: "", system_prompt: "", sampling: {} },
    agenda: [],
    announce: "",
    off_record: false,
    web_search: false,
    tools: [],
    seed: null,
    rules: {},
  };
}

/** A seat with nothing said about it. */
export function emptySeat(kind: Seat["kind"], name: string, rest: Partial<Seat> = {}): Seat {
  return {
    key: rowKey(),
    kind,
    name,
    role: { name: "", description: "", system_prompt: "" },
    skip_list: "",
    model: "",
    fallback: "",
    sampling: {},
    temperament: "balanced",
    length: "",
    web_search: false,
    ...rest,
  };
}

const NAMES = ["Ada", "Ben", "Cid", "Dora", "Eli", "Fay", "Gus", "Hana", "Ivo", "June", "Kai", "Lena"];

/** A name that no participant has yet. */
export function freshName(seats: readonly Seat[]): string {
  const taken = new Set(seats.map((one) => one.name));
  const numbered = Array.from({ length: 100 }, (_, at) => `P${at + 1}`);
  return [...NAMES, ...numbered].find((name) => !taken.has(name)) ?? "";
}

/** The value of a rule in this form. */
export function ruleField(form: Form, path: string): Json {
  return standing(form.format, form.rules, path);
}

/** The form with a ruleField set. */
export function withRuleField(form: Form, path: string, value: Json): Form {
  return { ...form, rules: turned(form.format, form.rules, path, value) };
}

/** The form in another format: what was set otherwise stays so. */
export function withFormat(form: Form, format: Format): Form {
  const rules = Object.entries(form.rules).reduce<Patch>(
    (patch, [path, value]) => turned(format, patch, path, value),
    {},
  );
  return { ...form, format, rules };
}

/** How the participants are chosen. */
export function participantChoice(form: Form): ParticipantChoice {
  return form.named ? "named" : ruleField(form, "roster.assemble") === true ? "team" : "auto";
}

/** The form with another way of choosing participants. */
export function withParticipantChoice(form: Form, cast: ParticipantChoice): Form {
  return cast === "named"
    ? { ...form, named: true }
    : { ...withRuleField(form, "roster.assemble", cast === "team"), named: false };
}

/** The number of participants, as far as it is known. */
export function headCount(form: Form): number {
  const cast = participantChoice(form);
  const size = ruleField(form, "roster.team_size");
  const seated =
    cast === "named"
      ? form.seats.length
      : cast === "team"
        ? typeof size === "number"
          ? size
          : 4
        : (form.count ?? 4);
  return seated + form.described.length;
}

/** A list with the one at `from` moved to `to`. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = [...list];
  const [one] = rest.splice(from, 1);
  if (one !== undefined) {
    rest.splice(Math.max(0, Math.min(to, rest.length)), 0, one);
  }
  return rest;
}
