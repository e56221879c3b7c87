// The place of a problem: the field that a pointer of the server names, and its section.

import { withHint } from "../../api/form-errors";
import type { Problem } from "../../api/schema";
import { isRuleGroup } from "../../components/rules/rules";
import { type Form, PROCESS, participantChoice } from "../../meeting-form/form";

/** The sections of the page, in their order. */
export type Section = "topic" | "format" | "cast" | "rules" | "budget" | "more";

/** Errors by field. */
export type FieldErrors = Readonly<Record<string, string>>;

const OF_ROOT: Record<string, Section> = {
  topic: "topic",
  background: "topic",
  lang: "topic",
  format: "format",
  participants: "cast",
  models: "cast",
  model: "cast",
  seats: "cast",
  offers: "cast",
  fallback: "cast",
  facilitator: "cast",
  moderator: "cast",
  simulate: "cast",
  tools: "cast",
  rules: "rules",
};

const BUDGET = ["limits.tokens", "limits.cost_micros", "limits.wall_ms", "limits.when_reached"];

/** The field of a pointer: `/participants/0/name` is `participants.0`, a rule is its path, all others their root. */
export function fieldOf(pointer: string): string {
  const [root = "", first = "", second = ""] = pointer.split("/").slice(1);
  if (root === "rules") {
    return second ? `${first}.${second}` : "rules";
  }
  if (["participants", "agenda", "offers", "display"].includes(root)) {
    return first ? `${root}.${first}` : root;
  }
  return root === "model" ? "models" : root;
}

/** The section of a field. */
export function sectionOf(field: string): Section {
  if (BUDGET.includes(field)) {
    return "budget";
  }
  const root = field.split(".")[0] ?? "";
  return isRuleGroup(root) ? "rules" : (OF_ROOT[root] ?? "more");
}

/** The errors of the server, by field; errors without a field have the empty name. */
export function placed(problem: Problem): FieldErrors {
  const wrong: Record<string, string> = {};
  for (const { pointer, detail } of problem.errors ?? []) {
    wrong[fieldOf(pointer)] ??= withHint(detail, problem);
  }
  return wrong;
}

/** Errors that the page finds before the server is asked; each is the name of a text. */
type FormFault =
  | "topic_missing"
  | "topic_long"
  | "background_long"
  | "nobody"
  | "name_missing"
  | "name_twice"
  | "model_missing"
  | "process_missing"
  | "title_missing";

/** The errors that prevent the creation of a meeting, by field. */
export function faultsOf(form: Form): Readonly<Record<string, FormFault>> {
  const faults: Record<string, FormFault> = {};
  const length = [...form.topic.trim()].length;
  if (length === 0) {
    faults.topic = "topic_missing";
  } else if (length > 200) {
    faults.topic = "topic_long";
  }
  if ([...form.background.trim()].length > 20_000) {
    faults.background = "background_long";
  }
  if (form.named) {
    if (form.seats.length === 0) {
      faults.participants = "nobody";
    }
    const names = form.seats.map((one) => one.name.trim());
    form.seats.forEach((seat, at) => {
      const name = names[at] ?? "";
      if (name === "") {
        faults[`participants.${at}`] = "name_missing";
      } else if (names.indexOf(name) < at) {
        faults[`participants.${at}`] = "name_twice";
      } else if (seat.kind === "model" && seat.model === PROCESS) {
        faults[`participants.${at}`] = "process_missing";
      }
    });
  }
  form.offers.forEach((offer, at) => {
    if (participantChoice(form) === "team" && !form.simulate && offer.model === "") {
      faults[`offers.${at}`] = "model_missing";
    }
  });
  form.agenda.forEach((point, at) => {
    if (point.title.trim() === "") {
      faults[`agenda.${at}`] = "title_missing";
    }
  });
  return faults;
}
