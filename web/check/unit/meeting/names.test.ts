// @vitest-environment node
// Speakers are told apart by letters, shape and colour.
import { describe, expect, test } from "vitest";
import { initials, shapeAt, shapeOf } from "../../../app/src/meeting/names";
import { HUES, hueOf } from "../../../app/src/meeting/speaker-colours";
import { blank } from "../../../app/src/meeting/view";

describe("initials", () => {
  test.each([
    ["苏棠", "苏"],
    ["Ada", "AD"],
    ["Ada Lovelace", "AL"],
    ["jean-luc picard", "JL"],
    ["  kai  ", "KA"],
    ["X", "X"],
    ["GPT 众议", "G"],
    ["A众", "A"],
    ["ändre", "ÄN"],
    ["e\u0301mile", "E\u0301M"],
    ["🦊 fox", "🦊"],
    ["", "?"],
    ["--", "?"],
  ])("of %j are %j", (name, letters) => expect(initials(name)).toBe(letters));
});

describe("shapes", () => {
  test("say what kind of speaker it is", () => {
    expect(shapeOf({ kind: "simulated", temperament: "balanced" })).toBe("circle");
    expect(shapeOf({ kind: "model", provider: "ollama", model: "qwen3" })).toBe("circle");
    expect(shapeOf({ kind: "process", name: "ide" })).toBe("square");
    expect(shapeOf(null)).toBe("hexagon");
  });

  test("tell whoever leads", () => {
    expect(shapeAt({ ...blank("m"), moderator: { type: "agent", id: "p2" } }, "p2")).toBe("ring");
    expect(shapeAt(blank("m"), "p2")).toBe("hexagon");
  });
});

describe("the wheel", () => {
  const table = Array.from({ length: 24 }, (_, place) => `p${place + 1}`);

  test("gives twelve speakers twelve hues, and neighbours far ones", () => {
    expect(new Set(table.slice(0, 12).map(hueOf)).size).toBe(12);
    const distance = (a: number, b: number) => Math.min(Math.abs(a - b), 360 - Math.abs(a - b));
    for (let place = 1; place < 12; place += 1) {
      expect(distance(hueOf(`p${place}`), hueOf(`p${place + 1}`))).toBeGreaterThanOrEqual(100);
    }
    expect(HUES).toContain(hueOf("not an id"));
  });
});
