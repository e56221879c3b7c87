// Names that are called, commands that are written, and answers that are not whole yet.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { guest } from "../../../app/src/components/speaker/people";
import { COMMANDS, commandIn, lackOf } from "../../../app/src/features/composer/commands";
import { nameBegun, namesLike, withName } from "../../../app/src/features/composer/mention-completion";
import { suggestionsFor } from "../../../app/src/features/composer/suggestions";
import { readableText } from "../../../app/src/features/transcript/partial-json";
import { excerpt, References } from "../../../app/src/meeting/references";

/** Commands of the terminal for what the page shows beside the talk, or has a button for. */
const ELSEWHERE = [
  ...["answer", "help", "ideas", "marks", "password", "questions", "quit", "set", "table"],
  // A seat of one's own has a window with buttons, and a participant's skip list stands with the participant.
  ...["say", "send", "skip", "skiplist", "turn", "undo"],
  // What a coding agent asks for has two buttons in the transcript.
  ...["allow", "refuse"],
];

const begun = (text: string) => nameBegun(text, text.length)?.query;

describe("a name", () => {
  test.each([
    ["@", ""],
    ["@方", "方"],
    ["请@方", "方"],
    ["好。@苏", "苏"],
    ["（@苏", "苏"],
    ["，@", ""],
    ["ok @Ad", "Ad"],
    ['问@"Ada L', "Ada L"],
    ["第一行\n@苏", "苏"],
  ])("begins in %j", (text, query) => expect(begun(text)).toBe(query));

  test.each(["mail@example", "a1@b", "@苏棠 好", "@苏棠，你", "没有人", '@"Ada" x'])(
    "does not in %j",
    (text) => expect(begun(text)).toBeUndefined(),
  );

  test("is put where it was begun, in quotes when it has spaces", () => {
    const text = "请@A看看";
    const at = nameBegun(text, 3);
    if (!at) throw new Error("nothing begun");
    expect(withName(text, at, "Ada L")).toEqual({ text: '请@"Ada L" 看看', caret: 10 });
    expect(withName(text, at, "苏棠")).toEqual({ text: "请@苏棠 看看", caret: 5 });
  });

  test("that begins so goes before one that holds it", () => {
    expect(namesLike(["李方", "方宁"], "方")).toEqual(["方宁", "李方"]);
  });
});

describe("a command", () => {
  test("is a word after a slash, and a path is none", () => {
    expect(commandIn("/topic 新主题")).toEqual({ word: "topic", argument: "新主题", spaced: true });
    expect(commandIn("/usr/bin")).toBeNull();
    expect(commandIn("说 /topic")).toBeNull();
  });

  test("says what it lacks", () => {
    const named = (name: string) => COMMANDS.find((one) => one.name === name);
    const lack = (name: string, argument: string) => {
      const command = named(name);
      return command && lackOf(command, argument, ["苏棠"]);
    };
    expect(lack("topic", "")).toBe("text");
    expect(lack("next", "谁")).toBe("name");
    expect(lack("next", "@苏棠")).toBeNull();
    expect(lack("artifact", "adr")).toBeNull();
    expect(lack("artifact", "PDF")).toBe("choice");
    expect(lack("length", "谁 brief")).toBe("name");
    expect(lack("length", "@苏棠 endless")).toBe("choice");
    expect(lack("length", "@苏棠 Brief")).toBeNull();
    expect(lack("rounds", "many")).toBe("number");
    expect(lack("people", "off")).toBeNull();
    expect(lack("pause", "")).toBeNull();
  });

  test("is one of the terminal's, and the page has each that it has no other place for", () => {
    const catalogue = join(import.meta.dirname, "../../../../crates/messages/locales/en/line.ftl");
    const named = readFileSync(catalogue, "utf8").matchAll(/^line-(?!place-)([a-z]+) =/gm);
    const terminal = [...named].map(([, name = ""]) => name);
    expect(terminal.length).toBeGreaterThan(20);
    expect([...COMMANDS.map((one) => one.name), ...ELSEWHERE].sort()).toEqual(terminal.sort());
  });

  test("is offered while it is written, then what it takes", () => {
    const people = [guest("苏棠"), guest("方宁")];
    const offered = (text: string) =>
      suggestionsFor(text, text.length, people, COMMANDS).map((one) => one.label);
    expect(offered("/a")).toEqual(["/announce", "/agenda", "/add", "/away", "/artifact"]);
    expect(offered("/next 方")).toEqual(["方宁"]);
    expect(offered("/artifact r")).toEqual(["RISKS"]);
    expect(offered("/topic 方")).toEqual([]);
    expect(offered("/style ")).toEqual(["formal", "casual", "debate"]);
  });

  test("people at the table are offered after participants, for a mention and not for a command", () => {
    const people = [guest("苏棠")];
    const offered = (text: string) =>
      suggestionsFor(text, text.length, people, COMMANDS, ["苏棠", "苏小满🌱"]).map((one) => one.label);
    expect(offered("你好@苏")).toEqual(["苏棠", "苏小满🌱"]);
    expect(offered("/next 苏小")).toEqual([]);
  });
});

describe("an answer in JSON", () => {
  const whole = JSON.stringify({
    position: "选择 PostgreSQL",
    claims: [
      { kind: "fact", text: "有人说：“先做”\n再说" },
      { kind: "risk", text: 'a "quoted" \\ word' },
    ],
    confidence: 80,
  });

  test("reads as words", () => {
    expect(readableText(whole)).toBe('选择 PostgreSQL\n- 有人说：“先做”\n再说\n- a "quoted" \\ word');
    expect(readableText("平常的话 {x}")).toBe("平常的话 {x}");
  });

  test("reads as words however far it is written", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: whole.length }), (length) => {
        const text = readableText(whole.slice(0, length));
        expect(text).not.toMatch(/[{}]|"position|"claims|^fact|- fact/);
      }),
    );
  });
});

test.each(["```json\n", "```\n", "~~~json\n", "~~~\n", "``` JSON\n", "````json\n", ""])(
  "a speech is read without the JSON that closes it, after %j",
  (fence) => {
    const stance = JSON.stringify({
      changed_by: null,
      claims: ["A queue"],
      confidence: 80,
      position: "SQLite",
    });
    const words = "我选 SQLite。\n\n```rust\nfn main() {}\n```\n\n- {x} 也行";
    const whole = `${words}\n\n${fence}${stance}${fence && "\n```"}`;
    for (let length = 1; length <= whole.length; length += 1) {
      const text = readableText(whole.slice(0, length));
      expect(words.startsWith(text.trimEnd())).toBe(true);
    }
    expect(readableText(whole).trimEnd()).toBe(words);
  },
);

test("what is referred to is asked for once, and only when no line tells it", async () => {
  const asked: string[][] = [];
  const known = new References({
    claims: async (ids) => {
      asked.push(ids);
      return [{ id: "c1", kind: "fact", text: "t", owner: "p1", seq: 3 }];
    },
    message: async () => null,
  });
  for (const id of ["c1", "c1", "c2"]) known.want(id);
  await new Promise((done) => setTimeout(done, 120));
  known.want("c2");
  await new Promise((done) => setTimeout(done, 120));
  expect(asked).toEqual([["c1", "c2"]]);
  expect(known.claim("c1")?.seq).toBe(3);
});

test("what could not be asked is asked again, and what there is not is not", async () => {
  vi.useFakeTimers();
  let down = true;
  const asked: string[] = [];
  const known = new References({
    claims: async (ids) => {
      asked.push(...ids);
      if (down) throw new Error("no way to the server");
      return [{ id: "c1", kind: "fact", text: "t", owner: "p1", seq: 3 }];
    },
    message: async (id) => {
      asked.push(id);
      return null;
    },
  });
  for (const id of ["c1", "m1"]) known.want(id);
  await vi.advanceTimersByTimeAsync(100);
  expect(asked).toEqual(["c1", "m1"]);
  down = false;
  await vi.advanceTimersByTimeAsync(3_000);
  expect(asked).toEqual(["c1", "m1", "c1"]);
  expect(known.claim("c1")?.seq).toBe(3);
  known.want("m1");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked.length).toBe(3);
  vi.useRealTimers();
});

test("an excerpt is the beginning, without signs", () => {
  expect(excerpt("**要点**：`x` 与\n\n- 一")).toBe("要点：x 与 - 一");
  expect(excerpt("[c5] 方宁提的 [c1、m2] 一致")).toBe("方宁提的 一致");
  expect(excerpt("字".repeat(80))).toBe(`${"字".repeat(60)}…`);
});

test("a structured speech is read by its words alone, however far it is written and whatever comes first", () => {
  const words = '先试点。\n"然后"再定';
  const speech = {
    claims: ["回滚未演练"],
    confidence: 60,
    memory: { notes: ["第 1 轮没人回答值班问题"], assumptions: ["预算不变"] },
    open_questions: ["谁来值班？"],
    recommendation: "试点",
    risks: ["没有备份"],
  };
  for (const whole of [
    JSON.stringify({ ...speech, statement: words }),
    JSON.stringify({ statement: words, ...speech }, null, 2),
    `\`\`\`json\n${JSON.stringify({ ...speech, statement: words })}\n\`\`\``,
  ]) {
    for (let length = 1; length <= whole.length; length += 1) {
      expect(words.startsWith(readableText(whole.slice(0, length)))).toBe(true);
    }
    expect(readableText(whole)).toBe(words);
  }
});

test("blanks without end after a fence take no time", () => {
  const began = performance.now();
  readableText(`words\n\`\`\`${" ".repeat(40_000)}x`);
  expect(performance.now() - began).toBeLessThan(200);
});
