// From the form to the meeting file that the server is sent.

import type { Format, Language, Temperament } from "../api/schema";
import { grouped, type Json, turned } from "../components/rules/rules";
import { linesOf } from "../ui/lines";
import { type Form, type Grant, isProcess, type Sampling, type Seat, WEB_SEARCH } from "./form";

/** One participant of a meeting file. */
export interface FileSeat {
  name?: string;
  agent?: string;
  role?: { name: string; description: string; system_prompt?: string };
  model?: string;
  fallback?: string;
  parameters?: Sampling;
  temperament?: Temperament;
  skip_list?: string[];
}

/** A meeting file (docs/meeting-file.md) with nothing in it that need not be said. */
export interface MeetingFile {
  topic?: string;
  title?: string;
  description?: string;
  display?: { time_zone?: string; time_format?: "12h" | "24h"; date_format?: string };
  background?: string;
  format?: Format;
  lang?: Language;
  seed?: number;
  moderator?: string;
  simulate?: boolean;
  models?: string[];
  fallback?: string;
  seats?: number;
  off_record?: boolean;
  announce?: string;
  participants?: FileSeat[];
  agenda?: { title: string; description?: string }[];
  offers?: { model: string; name?: string; good_at?: string; parameters?: Sampling }[];
  facilitator?: {
    enabled?: boolean;
    model?: string;
    fallback?: string;
    system_prompt?: string;
    parameters?: Sampling;
  };
  tools?: { name: string; participants?: string[] }[];
  rules?: Record<string, Record<string, Json>>;
}

/** The file that says what the form says. */
export function toMeetingFile(form: Form): MeetingFile {
  const seats = form.named ? form.seats : [];
  return trimmed({
    topic: form.topic.trim(),
    title: form.title.trim(),
    description: form.description.trim(),
    display: trimmed({
      time_zone: form.display.time_zone ?? undefined,
      time_format: form.display.time_format ?? undefined,
      date_format: form.display.date_format ?? undefined,
    }),
    background: form.background.trim(),
    format: form.format,
    lang: form.lang || undefined,
    seed: form.seed ?? undefined,
    moderator: form.moderator,
    simulate: form.simulate || undefined,
    models: form.models,
    fallback: form.fallback,
    seats: form.named ? undefined : (form.count ?? undefined),
    off_record: form.off_record || undefined,
    announce: form.announce.trim(),
    participants: seats.map(fileSeat),
    agenda: form.agenda.map((one) =>
      trimmed({ title: one.title, description: one.description || undefined }, "title"),
    ),
    offers: form.offers.map((one) =>
      trimmed(
        { model: one.model, name: one.name, good_at: one.good_at, parameters: sampling(one.sampling) },
        "model",
      ),
    ),
    facilitator: trimmed({
      enabled: form.facilitator.enabled ? undefined : false,
      model: form.facilitator.model,
      fallback: form.facilitator.fallback,
      system_prompt: form.facilitator.system_prompt,
      parameters: sampling(form.facilitator.sampling),
    }),
    tools: grants(form, seats).map((one) => trimmed(one, "name")),
    rules: grouped(rulesWithLengths(form, seats)),
  });
}

/** What participants may call: the web search for all, or for those whose seats say so, and other tools. */
function grants(form: Form, seats: readonly Seat[]): Grant[] {
  const searching = seats.filter((one) => one.web_search).map((one) => one.name);
  const search =
    form.web_search || searching.length > 0
      ? [{ name: WEB_SEARCH, participants: form.web_search ? [] : searching }]
      : [];
  return [...form.tools, ...search];
}

function fileSeat(seat: Seat): FileSeat {
  if (seat.kind === "agent") {
    return { agent: seat.name };
  }
  const role = trimmed({ ...seat.role }, "name", "description");
  const own: FileSeat = {
    name: seat.name,
    role: seat.role.name || seat.role.description || seat.role.system_prompt ? role : undefined,
    skip_list: linesOf(seat.skip_list),
  };
  if (seat.kind === "simulated") {
    return trimmed({ ...own, temperament: seat.temperament }, "name");
  }
  // A process takes no parameters, and nothing answers in its place.
  const asked = isProcess(seat.model)
    ? { model: seat.model }
    : { model: seat.model, fallback: seat.fallback, parameters: sampling(seat.sampling) };
  return trimmed({ ...own, ...asked }, "name");
}

function rulesWithLengths(form: Form, seats: readonly Seat[]): Form["rules"] {
  const spoken = seats.filter((one) => one.length !== "").map((one) => [one.name, one.length] as const);
  if (spoken.length === 0) {
    return form.rules;
  }
  const others = form.rules["talk.lengths"];
  const before = typeof others === "object" && others !== null && !Array.isArray(others) ? others : {};
  return turned(form.format, form.rules, "talk.lengths", { ...before, ...Object.fromEntries(spoken) });
}

function sampling(given: Sampling): Sampling | undefined {
  const said = Object.entries(given).filter(([, value]) => value !== undefined);
  return said.length > 0 ? Object.fromEntries(said) : undefined;
}

/** Without what says nothing: empty texts, lists and objects. What is to `keep` stays, also when it is empty. */
function trimmed<T extends object>(given: T, ...keep: (keyof T)[]): T {
  const says = ([key, value]: [string, unknown]) =>
    keep.some((one) => one === key) ||
    !(
      value === undefined ||
      value === "" ||
      (typeof value === "object" && value !== null && Object.keys(value).length === 0)
    );
  return Object.fromEntries(Object.entries(given).filter(says)) as T;
}
