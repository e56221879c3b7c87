// The rules in the form: the fields and presets as the server has them, and the user's changes.

import type { Format, RuleCatalogue, RuleFieldView } from "../../api/schema";

/** Any JSON value. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** The user's changes against the format, by `group.field`. */
export type Patch = Readonly<Record<string, Json>>;

/** A field of the rules. */
export type RuleField = RuleFieldView;

let served: ReadonlyMap<string, RuleField> | undefined;

/** Takes over the fields and the presets that the server has. Nothing here is known before. */
export function learnFormats({ fields }: Pick<RuleCatalogue, "fields">): void {
  served = new Map(fields.map((field) => [field.path, field]));
}

function fields(): ReadonlyMap<string, RuleField> {
  if (!served) {
    throw new Error("the formats have not been fetched");
  }
  return served;
}

/** The field at a path, when there is one. The parts of a group are fields, and stand in no patch. */
export function ruleFieldAt(path: string): RuleField | undefined {
  return fields().get(path);
}

/** The fields that a patch can hold: all but the parts of a group. */
export function ruleFields(): RuleField[] {
  return [...fields().values()].filter(isWhole);
}

/** Whether it is a field of its own, not a part of a group. */
export function isWhole({ path }: RuleField): boolean {
  return path.split(".").length === 2;
}

/** The parts of a group with their names. */
export function partsOf({ path }: RuleField, all: Iterable<RuleField>): [string, RuleField][] {
  const start = `${path}.`;
  return [...all].flatMap((field) =>
    field.path.startsWith(start) ? [[field.path.slice(start.length), field] as [string, RuleField]] : [],
  );
}

/** The groups that have fields. */
export function isRuleGroup(name: string): boolean {
  return ruleFields().some((field) => field.group === name);
}

/** The value that a format has for a rule. */
export function preset(format: Format, path: string): Json {
  return asJson(fields().get(path)?.defaults[format]);
}

/** A value that came out of JSON. */
export function asJson(value: unknown): Json {
  if (Array.isArray(value)) {
    return value.map(asJson);
  }
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, asJson(one)]));
  }
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null;
}

/** Whether two values are equal. */
export function same(a: Json | undefined, b: Json | undefined): boolean {
  const sorted = (_: string, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([x], [y]) => (x < y ? -1 : 1)))
      : value;
  return JSON.stringify(a, sorted) === JSON.stringify(b, sorted);
}

/** The present value of a rule. */
export function standing(format: Format, patch: Patch, path: string): Json {
  return patch[path] ?? (path in patch ? null : preset(format, path));
}

/** Sets a field. A value that the format has anyway is not kept, so that the field follows the format. */
export function turned(format: Format, patch: Patch, path: string, value: Json): Patch {
  const { [path]: _, ...rest } = patch;
  return same(value, preset(format, path)) ? rest : { ...rest, [path]: value };
}

/** The changes against the format, as the groups of a meeting file. */
export function grouped(patch: Patch): Record<string, Record<string, Json>> {
  const groups: Record<string, Record<string, Json>> = {};
  for (const [path, value] of Object.entries(patch)) {
    const [group = "", ruleField = ""] = path.split(".");
    groups[group] = { ...groups[group], [ruleField]: value };
  }
  return groups;
}
