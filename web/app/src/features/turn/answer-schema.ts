// The shape of an answer: a JSON Schema as a form shows it, what is filled in, and the fields that are sent.

/** What a form has a control for. */
export type Shape =
  | { kind: "text"; most?: number; nullable: boolean }
  | { kind: "number"; whole: boolean; least?: number; most?: number; nullable: boolean }
  | { kind: "choice"; choices: string[] }
  | { kind: "truth" }
  | { kind: "list"; item: Shape; least: number; most?: number }
  | { kind: "group"; parts: Part[]; nullable: boolean }
  /** Anything else is written as JSON. */
  | { kind: "json" };

/** A named part of a group. */
export interface Part {
  name: string;
  shape: Shape;
  required: boolean;
}

/** What is filled in: a text, a number, a choice, a list, a group; `null` where nothing is. */
export type Filled = string | number | boolean | null | Filled[] | { [name: string]: Filled };

/** What is wrong with a field, by its path: `claims.0`. */
export type Faults = Record<string, Fault>;
export type Fault =
  | { is: "missing" | "json" | "whole" }
  | { is: "long" | "few" | "many" | "least" | "most"; limit: number };

type Schema = Record<string, unknown>;

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** How deep groups and lists stand in each other before JSON is written. */
const DEPTH_MAX = 6;

/** The shape that a schema describes. */
export function shapeOf(schema: unknown, depth = 0): Shape {
  if (!isSchema(schema) || depth > DEPTH_MAX) {
    return { kind: "json" };
  }
  const types = [schema.type].flat();
  const nullable = types.includes("null");
  const either = Array.isArray(schema.anyOf) ? schema.anyOf : null;
  if (either) {
    const others = either.filter((one) => !(isSchema(one) && one.type === "null"));
    const shape = others.length === 1 ? shapeOf(others[0], depth) : ({ kind: "json" } as const);
    const mayBeNull = others.length < either.length;
    return "nullable" in shape ? { ...shape, nullable: shape.nullable || mayBeNull } : shape;
  }
  if (Array.isArray(schema.enum) && schema.enum.every((one) => typeof one === "string")) {
    return { kind: "choice", choices: schema.enum };
  }
  switch (types.find((type) => type !== "null")) {
    case "string":
      return { kind: "text", most: numberOf(schema.maxLength), nullable };
    case "integer":
    case "number": {
      const [least, most] = [numberOf(schema.minimum), numberOf(schema.maximum)];
      return { kind: "number", whole: types.includes("integer"), least, most, nullable };
    }
    case "boolean":
      return { kind: "truth" };
    case "array": {
      const item = shapeOf(schema.items, depth + 1);
      return { kind: "list", item, least: numberOf(schema.minItems) ?? 0, most: numberOf(schema.maxItems) };
    }
    case "object": {
      if (!isSchema(schema.properties)) {
        return { kind: "json" };
      }
      const required: unknown[] = Array.isArray(schema.required) ? schema.required : [];
      const parts = Object.entries(schema.properties).map(([name, inner]) => ({
        name,
        shape: shapeOf(inner, depth + 1),
        required: required.includes(name),
      }));
      return { kind: "group", parts: inReadingOrder(parts, required), nullable };
    }
    default:
      return { kind: "json" };
  }
}

/** The order in which a schema requires its parts is that in which one thinks of them; JSON keeps none. */
function inReadingOrder(parts: Part[], required: unknown[]): Part[] {
  const place = ({ name }: Part) => {
    const at = required.indexOf(name);
    return at < 0 ? required.length : at;
  };
  return parts.toSorted((one, other) => place(one) - place(other));
}

/** Nothing filled in yet; a list has as many places as it needs. */
export function blankOf(shape: Shape): Filled {
  switch (shape.kind) {
    case "text":
    case "json":
      return "";
    case "number":
    case "choice":
    case "truth":
      return null;
    case "list":
      return Array.from({ length: shape.least }, () => blankOf(shape.item));
    case "group":
      return shape.nullable ? null : groupOf(shape);
  }
}

/** A group with all of its parts, none filled in. */
export function groupOf(shape: Extract<Shape, { kind: "group" }>): { [name: string]: Filled } {
  return Object.fromEntries(shape.parts.map((part) => [part.name, blankOf(part.shape)]));
}

/** Whether nothing was filled in. */
export function isBlank(filled: Filled | undefined): boolean {
  if (filled === null || filled === undefined || typeof filled === "boolean" || typeof filled === "number") {
    return filled === null || filled === undefined;
  }
  if (typeof filled === "string") {
    return filled.trim() === "";
  }
  return Object.values(filled).every(isBlank);
}

/** Names by which schemas allow a text to stay empty: what is optional by its meaning. */
const MAY_STAY_EMPTY = new Set([
  "would_change_my_mind",
  "summary",
  "context",
  "description",
  "acceptance",
  "mitigation",
  "quote",
  "why",
  "draft",
  "focus",
  "system_prompt",
  "model",
]);

/** Whether a field of one control may stay empty. */
export function mayStayEmpty({ name, shape, required }: Part): boolean {
  switch (shape.kind) {
    case "text":
      return !required || shape.nullable || MAY_STAY_EMPTY.has(name);
    case "number":
      return !required || shape.nullable;
    case "choice":
    case "truth":
    case "json":
      return !required;
    case "list":
    case "group":
      return false;
  }
}

/** What is still wrong of what was, now that more is filled in; nothing new is blamed before it is handed in. */
export function stillWrong(before: Faults, shape: Shape, filled: Filled): Faults {
  const { faults } = fieldsOf(shape, filled);
  return Object.fromEntries(Object.entries(faults).filter(([path]) => path in before));
}

/** What to send, and what is wrong with it. */
export function fieldsOf(shape: Shape, filled: Filled): { value: unknown; faults: Faults } {
  const faults: Faults = {};
  return { value: sentOf(shape, filled, "", "", faults), faults };
}

function sentOf(
  shape: Shape,
  filled: Filled | undefined,
  name: string,
  path: string,
  faults: Faults,
): unknown {
  const wrong = (fault: Fault) => {
    faults[path] = fault;
    return null;
  };
  switch (shape.kind) {
    case "text": {
      const text = typeof filled === "string" ? filled.trim() : "";
      if (text === "") {
        if (shape.nullable) {
          return null;
        }
        return MAY_STAY_EMPTY.has(name) ? "" : wrong({ is: "missing" });
      }
      if (shape.most !== undefined && [...text].length > shape.most) {
        return wrong({ is: "long", limit: shape.most });
      }
      return text;
    }
    case "number": {
      if (typeof filled !== "number" || Number.isNaN(filled)) {
        return shape.nullable ? null : wrong({ is: "missing" });
      }
      if (shape.whole && !Number.isInteger(filled)) {
        return wrong({ is: "whole" });
      }
      if (shape.least !== undefined && filled < shape.least) {
        return wrong({ is: "least", limit: shape.least });
      }
      if (shape.most !== undefined && filled > shape.most) {
        return wrong({ is: "most", limit: shape.most });
      }
      return filled;
    }
    case "choice":
      return typeof filled === "string" && shape.choices.includes(filled) ? filled : wrong({ is: "missing" });
    case "truth":
      return typeof filled === "boolean" ? filled : wrong({ is: "missing" });
    case "list": {
      // Places that were left empty are no items.
      const items = (Array.isArray(filled) ? filled : []).map((item, at) => ({ item, at }));
      const given = items.filter(({ item }) => !isBlank(item));
      if (given.length < shape.least) {
        return wrong({ is: "few", limit: shape.least });
      }
      if (shape.most !== undefined && given.length > shape.most) {
        return wrong({ is: "many", limit: shape.most });
      }
      return given.map(({ item, at }) => sentOf(shape.item, item, name, `${path}.${at}`, faults));
    }
    case "group": {
      if (shape.nullable && isBlank(filled)) {
        return null;
      }
      const parts = typeof filled === "object" && filled !== null && !Array.isArray(filled) ? filled : {};
      const sent: [string, unknown][] = [];
      for (const part of shape.parts) {
        const inner = path === "" ? part.name : `${path}.${part.name}`;
        if (part.required || !isBlank(parts[part.name])) {
          sent.push([part.name, sentOf(part.shape, parts[part.name], part.name, inner, faults)]);
        }
      }
      return Object.fromEntries(sent);
    }
    case "json":
      try {
        return JSON.parse(typeof filled === "string" ? filled : "");
      } catch {
        return wrong({ is: "json" });
      }
  }
}

/** What was filled in, as a text to send as a message: the longest part first, then the others. */
export function textOf(shape: Shape, filled: Filled): string {
  if (shape.kind !== "group" || typeof filled !== "object" || filled === null || Array.isArray(filled)) {
    return spoken(filled);
  }
  return shape.parts
    .map((part) => spoken(filled[part.name]))
    .filter((text) => text !== "")
    .join("\n\n");
}

function spoken(filled: Filled | undefined): string {
  if (typeof filled === "string") {
    return filled.trim();
  }
  if (Array.isArray(filled)) {
    return filled
      .map(spoken)
      .filter((text) => text !== "")
      .map((text) => `- ${text}`)
      .join("\n");
  }
  if (typeof filled === "object" && filled !== null) {
    return Object.values(filled)
      .map(spoken)
      .filter((text) => text !== "")
      .join(" · ");
  }
  return typeof filled === "number" ? String(filled) : "";
}
