// @vitest-environment node
// Schemas as forms: what is asked for, what is filled in, and what is sent.

import { describe, expect, test } from "vitest";
import {
  blankOf,
  fieldsOf,
  groupOf,
  isBlank,
  mayStayEmpty,
  shapeOf,
  stillWrong,
  textOf,
} from "../../../app/src/features/turn/answer-schema";

const text = (maxLength: number) => ({ type: "string", maxLength });
const points = { type: "integer", minimum: 0, maximum: 100 };
const list = (items: object, minItems: number, maxItems: number) => ({
  type: "array",
  items,
  minItems,
  maxItems,
});
/** An object with exactly these fields, as the server writes it: its properties in no order. */
const object = (fields: Record<string, object>) => ({
  type: "object",
  properties: Object.fromEntries(Object.entries(fields).toSorted(([a], [b]) => a.localeCompare(b))),
  required: Object.keys(fields),
  additionalProperties: false,
});

const BLIND = object({
  position: text(400),
  claims: list(text(300), 1, 3),
  confidence: points,
  would_change_my_mind: text(300),
  unshared_facts: list(text(300), 0, 2),
});
const VOTE = object({
  score: points,
  pass: { type: "boolean" },
  reason: text(300),
  missing: list(text(200), 0, 3),
});
const CONCLUSION = object({
  conclusion: text(1800),
  actions: list(
    object({
      what: text(300),
      who: { type: ["string", "null"], maxLength: 60 },
      sources: list(text(12), 0, 6),
    }),
    0,
    10,
  ),
  wildcard: { anyOf: [object({ idea: text(12), why: text(300) }), { type: "null" }] },
});

describe("what a form says of its fields", () => {
  test("those that may stay empty", () => {
    const shape = shapeOf(BLIND);
    if (shape.kind !== "group") throw new Error(shape.kind);
    const optional = shape.parts.filter(mayStayEmpty).map((part) => part.name);
    expect(optional).toEqual(["would_change_my_mind"]);
  });

  test("what is corrected is not blamed any more, and nothing new is", () => {
    const shape = shapeOf(VOTE);
    const { faults } = fieldsOf(shape, { score: null, pass: true, reason: "", missing: [] });
    expect(Object.keys(faults)).toEqual(["score", "reason"]);
    const next = { score: 80, pass: null, reason: "", missing: [] };
    expect(Object.keys(stillWrong(faults, shape, next))).toEqual(["reason"]);
    expect(stillWrong({}, shape, next)).toEqual({});
  });
});

describe("a schema becomes a form", () => {
  test("with a part for each field, in the order in which they are required", () => {
    const shape = shapeOf(BLIND);
    if (shape.kind !== "group") throw new Error(shape.kind);
    expect(shape.parts.map((part) => part.name)).toEqual([
      "position",
      "claims",
      "confidence",
      "would_change_my_mind",
      "unshared_facts",
    ]);
    expect(shape.parts[1]?.shape).toEqual({
      kind: "list",
      least: 1,
      most: 3,
      item: { kind: "text", most: 300, nullable: false },
    });
    expect(shape.parts[2]?.shape).toEqual({
      kind: "number",
      whole: true,
      least: 0,
      most: 100,
      nullable: false,
    });
    expect(blankOf(shape)).toEqual({
      position: "",
      claims: [""],
      confidence: null,
      would_change_my_mind: "",
      unshared_facts: [],
    });
  });

  test("with choices, groups that may be missing, and JSON for what has no control", () => {
    const shape = shapeOf(CONCLUSION);
    if (shape.kind !== "group") throw new Error(shape.kind);
    expect(shape.parts[2]?.shape).toMatchObject({ kind: "group", nullable: true });
    expect(shapeOf({ type: "string", enum: ["high", "low"], maxLength: 9 })).toEqual({
      kind: "choice",
      choices: ["high", "low"],
    });
    expect(shapeOf({ type: ["number", "null"] })).toMatchObject({
      kind: "number",
      whole: false,
      nullable: true,
    });
    for (const odd of [null, 7, {}, { anyOf: [text(1), points] }, { type: "object" }]) {
      expect(shapeOf(odd).kind).toBe("json");
    }
  });

  test("not without end", () => {
    let deep: object = text(1);
    for (let times = 0; times < 50; times += 1) deep = object({ inner: deep });
    expect(JSON.stringify(shapeOf(deep))).toContain('"json"');
  });
});

describe("what is filled in becomes fields", () => {
  test("of a first answer; places that stayed empty are no items", () => {
    const filled = {
      position: " 先用 SQLite ",
      claims: ["一个文件就够", " "],
      confidence: 80,
      would_change_my_mind: "",
      unshared_facts: ["", ""],
    };
    expect(fieldsOf(shapeOf(BLIND), filled)).toEqual({
      faults: {},
      value: {
        position: "先用 SQLite",
        claims: ["一个文件就够"],
        confidence: 80,
        would_change_my_mind: "",
        unshared_facts: [],
      },
    });
  });

  test("of a vote; no is an answer, nothing is none", () => {
    const shape = shapeOf(VOTE);
    const filled = { score: 0, pass: false, reason: "太慢", missing: [] };
    expect(fieldsOf(shape, filled)).toEqual({ faults: {}, value: filled });
    expect(fieldsOf(shape, blankOf(shape)).faults).toEqual({
      score: { is: "missing" },
      pass: { is: "missing" },
      reason: { is: "missing" },
    });
  });

  test("with each fault where it is", () => {
    const shape = shapeOf(BLIND);
    const faults = (filled: object) => fieldsOf(shape, { ...groupOf(shape as never), ...filled }).faults;
    const right = { position: "p", claims: ["c"], confidence: 5 };
    expect(faults(right)).toEqual({});
    expect(faults({ ...right, claims: [] })).toEqual({ claims: { is: "few", limit: 1 } });
    expect(faults({ ...right, claims: ["a", "b", "c", "d"] })).toEqual({ claims: { is: "many", limit: 3 } });
    expect(faults({ ...right, claims: ["", "字".repeat(301)] })).toEqual({
      "claims.1": { is: "long", limit: 300 },
    });
    expect(faults({ ...right, confidence: 101 })).toEqual({ confidence: { is: "most", limit: 100 } });
    expect(faults({ ...right, confidence: -1 })).toEqual({ confidence: { is: "least", limit: 0 } });
    expect(faults({ ...right, confidence: 1.5 })).toEqual({ confidence: { is: "whole" } });
    // An emoji is one character.
    expect(faults({ ...right, position: "😀".repeat(400) })).toEqual({});
  });

  test("of groups in lists, and of what may be null", () => {
    const shape = shapeOf(CONCLUSION);
    const action = { what: "迁移", who: "", sources: ["m1"] };
    const value = (filled: object) =>
      fieldsOf(shape, { conclusion: "就这样", actions: [], wildcard: null, ...filled });
    expect(value({ actions: [action] }).value).toEqual({
      conclusion: "就这样",
      actions: [{ what: "迁移", who: null, sources: ["m1"] }],
      wildcard: null,
    });
    expect(value({ actions: [{ what: "", who: "林", sources: [] }] }).faults).toEqual({
      "actions.0.what": { is: "missing" },
    });
    expect(value({ wildcard: { idea: "c4", why: "" } }).value).toMatchObject({
      wildcard: { idea: "c4", why: "" },
    });
  });

  test("of JSON that is written by hand", () => {
    expect(fieldsOf({ kind: "json" }, '{"a": 1}')).toEqual({ faults: {}, value: { a: 1 } });
    expect(fieldsOf({ kind: "json" }, "{").faults).toEqual({ "": { is: "json" } });
  });
});

test("what was written for a turn that is over can be said", () => {
  const filled = { position: "先用 SQLite", claims: ["简单", ""], confidence: 80, unshared_facts: [] };
  expect(textOf(shapeOf(BLIND), filled)).toBe("先用 SQLite\n\n- 简单\n\n80");
  expect(isBlank(blankOf(shapeOf(VOTE)))).toBe(true);
});
