// Commands of the composer with `/`, as in the terminal. Each calls its own endpoint.

import { ARTIFACTS, LENGTHS, STYLES } from "../../api/choices";
import { api, done, onceKey } from "../../api/client";
import type { View } from "../../meeting/view";

/** The kind of a command's argument. */
type Argument = "none" | "text" | "maybe" | "name" | "choice" | "name_choice" | "number";

/** The result of a command, and its undo. */
interface Done {
  undo?: () => Promise<unknown>;
}

/** A command. */
export interface Command {
  name: (typeof NAMES)[number];
  takes: Argument;
  /** The words among which one chooses. */
  choices?: readonly string[];
  needs: "speak" | "manage";
  /** Whether it needs confirmation. */
  grave?: boolean;
  /** Whether it is also possible while the conclusion is being written. */
  late?: boolean;
  run: (meeting: Meeting, argument: string) => Promise<Done>;
}

/** The meeting that it is done to. */
export interface Meeting {
  id: string;
  view: View;
}

const NAMES = [
  "announce",
  "agenda",
  "topic",
  "next",
  "add",
  "away",
  "back",
  "remove",
  "minutes",
  "artifact",
  "style",
  "length",
  "rounds",
  "people",
  "pause",
  "resume",
  "end",
] as const;

const of = (id: string) => ({ params: { path: { id }, header: onceKey() } });
const NOTHING = { topic: null, announcement: null, password: null, rules: null };

/** The id of the participant with this name. */
function seat(view: View, name: string): string {
  const wanted = plainName(name);
  const found = view.participants.find((one) => one.present && one.participant.name === wanted);
  return found?.participant.id ?? wanted;
}

async function presence(meeting: Meeting, name: string, to: "online" | "offline"): Promise<Done> {
  const set = (presence: "online" | "offline") =>
    done(
      api.PATCH("/api/v1/meetings/{id}/participants/{participant}", {
        params: { path: { id: meeting.id, participant: seat(meeting.view, name) } },
        body: { presence },
      }),
    );
  await set(to);
  return { undo: () => set(to === "online" ? "offline" : "online") };
}

/** Changes some of the rules, and back. */
async function ruled({ id }: Meeting, rules: object, before: object): Promise<Done> {
  const set = (rules: object) =>
    done(
      api.PATCH("/api/v1/meetings/{id}", {
        params: { path: { id } },
        body: { ...NOTHING, rules: { ...rules } },
      }),
    );
  await set(rules);
  return { undo: () => set(before) };
}

/** A name, and the word after it. */
function nameAndWord(argument: string): [string, string] {
  const at = argument.trim().search(/\s\S+$/);
  return at < 0 ? [plainName(argument), ""] : [plainName(argument.slice(0, at)), argument.slice(at).trim()];
}

const plainName = (name: string) => name.trim().replace(/^@?"?|"$/g, "");

const RUN: Record<Command["name"], Omit<Command, "name">> = {
  announce: {
    takes: "text",
    needs: "manage",
    run: async ({ id }, announcement) => {
      await done(
        api.PATCH("/api/v1/meetings/{id}", { params: { path: { id } }, body: { ...NOTHING, announcement } }),
      );
      return {};
    },
  },
  agenda: {
    takes: "text",
    needs: "manage",
    run: async ({ id }, text) => {
      const [, title = text, description = ""] = /^([^:：]+)[:：]\s*(.+)$/s.exec(text) ?? [];
      const body = { title: title.trim(), description: description.trim() };
      const { item } = await done(api.POST("/api/v1/meetings/{id}/agenda", { ...of(id), body }));
      const path = { id, item: item.id };
      return { undo: () => done(api.DELETE("/api/v1/meetings/{id}/agenda/{item}", { params: { path } })) };
    },
  },
  topic: {
    takes: "text",
    needs: "manage",
    run: async ({ id, view }, topic) => {
      const before = view.topic;
      const set = (topic: string) =>
        done(api.PATCH("/api/v1/meetings/{id}", { params: { path: { id } }, body: { ...NOTHING, topic } }));
      await set(topic);
      return { undo: () => set(before) };
    },
  },
  next: {
    takes: "name",
    needs: "speak",
    run: async ({ id, view }, name) => {
      const body = { participant: seat(view, name) };
      await done(api.POST("/api/v1/meetings/{id}/speaker", { ...of(id), body }));
      return {};
    },
  },
  add: {
    takes: "text",
    needs: "manage",
    run: async ({ id }, description) => {
      const parameters = {
        effort: null,
        max_tokens: null,
        temperature: null,
        thinking_tokens: null,
        context_tokens: null,
        top_p: null,
      };
      const blank = { agent: null, fallback: null, model: null, name: null, role: null, temperament: null };
      const body = { ...blank, parameters, description };
      await done(api.POST("/api/v1/meetings/{id}/participants", { ...of(id), body }));
      return {};
    },
  },
  away: { takes: "name", needs: "manage", run: (meeting, name) => presence(meeting, name, "offline") },
  back: { takes: "name", needs: "manage", run: (meeting, name) => presence(meeting, name, "online") },
  remove: {
    takes: "name",
    needs: "manage",
    grave: true,
    run: async ({ id, view }, name) => {
      const path = { id, participant: seat(view, name) };
      await done(api.DELETE("/api/v1/meetings/{id}/participants/{participant}", { params: { path } }));
      return {};
    },
  },
  minutes: {
    takes: "maybe",
    needs: "manage",
    run: async ({ id }, note) => {
      await done(api.POST("/api/v1/meetings/{id}/minutes", { ...of(id), body: { note, writer: null } }));
      return {};
    },
  },
  artifact: {
    takes: "choice",
    choices: ARTIFACTS,
    needs: "manage",
    run: async ({ id }, kind) => {
      const named = ARTIFACTS.find((one) => one === kind.trim().toUpperCase()) ?? "SUMMARY";
      await done(api.POST("/api/v1/meetings/{id}/artifacts", { ...of(id), body: { kind: named } }));
      return {};
    },
  },
  style: {
    takes: "choice",
    choices: STYLES,
    needs: "manage",
    run: (meeting, word) => {
      const style = STYLES.find((one) => one === word.trim().toLowerCase());
      return ruled(meeting, { talk: { style } }, { talk: { style: meeting.view.rules.talk.style ?? null } });
    },
  },
  length: {
    takes: "name_choice",
    choices: LENGTHS,
    needs: "manage",
    run: (meeting, argument) => {
      const [name, word] = nameAndWord(argument);
      const { lengths } = meeting.view.rules.talk;
      const now = { ...lengths, [name]: word.toLowerCase() };
      return ruled(meeting, { talk: { lengths: now } }, { talk: { lengths } });
    },
  },
  rounds: {
    takes: "number",
    needs: "manage",
    run: (meeting, argument) => {
      const rounds = Number(argument);
      const { decision, limits } = meeting.view.rules;
      const min_rounds = Math.min(decision.min_rounds, rounds);
      return ruled(
        meeting,
        { limits: { max_rounds: rounds }, decision: { min_rounds } },
        { limits: { max_rounds: limits.max_rounds }, decision: { min_rounds: decision.min_rounds } },
      );
    },
  },
  people: {
    takes: "choice",
    choices: ["on", "off"],
    needs: "manage",
    run: (meeting, word) => {
      const { people_may_speak } = meeting.view.rules.turns;
      const now = { turns: { people_may_speak: word.trim().toLowerCase() === "on" } };
      return ruled(meeting, now, { turns: { people_may_speak } });
    },
  },
  pause: {
    takes: "none",
    needs: "manage",
    late: true,
    run: async ({ id }) => {
      await done(api.POST("/api/v1/meetings/{id}/pause", { ...of(id), body: { at_once: false } }));
      return {};
    },
  },
  resume: {
    takes: "none",
    needs: "manage",
    late: true,
    run: async ({ id, view }) => {
      const token = view.pause?.resume_token ?? "";
      const body = { token, answers: {}, take_defaults: true };
      await done(api.POST("/api/v1/meetings/{id}/resume", { ...of(id), body }));
      return {};
    },
  },
  end: {
    takes: "maybe",
    needs: "manage",
    grave: true,
    run: async ({ id }, note) => {
      await done(api.POST("/api/v1/meetings/{id}/end", { ...of(id), body: { note } }));
      return {};
    },
  },
};

/** All commands. */
export const COMMANDS: readonly Command[] = NAMES.map((name) => ({ name, ...RUN[name] }));

/** A command as it is written: its word, and what follows. `null` is no command: a path, or plain words. */
export function commandIn(text: string): { word: string; argument: string; spaced: boolean } | null {
  const read = /^\/([a-z]*)(\s?)([\s\S]*)$/i.exec(text);
  if (!read || (read[2] === "" && read[3] !== "")) {
    return null;
  }
  return { word: (read[1] ?? "").toLowerCase(), argument: (read[3] ?? "").trim(), spaced: read[2] !== "" };
}

/** The reason why a command cannot run as written: what it lacks. */
export function lackOf(
  command: Command,
  argument: string,
  names: readonly string[],
): "text" | "name" | "choice" | "number" | null {
  switch (command.takes) {
    case "text":
      return argument === "" ? "text" : null;
    case "name":
      return names.includes(plainName(argument)) ? null : "name";
    case "choice":
      return isChoice(command, argument) ? null : "choice";
    case "name_choice": {
      const [name, word] = nameAndWord(argument);
      return !names.includes(name) ? "name" : isChoice(command, word) ? null : "choice";
    }
    case "number":
      return /^\d+$/.test(argument.trim()) ? null : "number";
    default:
      return null;
  }
}

function isChoice({ choices = [] }: Command, word: string): boolean {
  return choices.some((choice) => choice.toLowerCase() === word.trim().toLowerCase());
}
