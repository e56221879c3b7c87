// The rules in the form: the presets of the formats, and the user's changes.

import type { Format } from "../../api/schema";

/** Any JSON value. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** The user's changes against the format, by `group.field`. */
export type Patch = Readonly<Record<string, Json>>;

/** The formats, in the order in which they are offered. */
export const FORMATS: readonly Format[] = ["consensus", "decision", "discussion", "brainstorm", "room"];

/** The values in a consensus meeting. */
const CONSENSUS: Patch = {
  "intake.when": "never",
  "intake.max_questions": 4,
  "turns.floor": "rotation",
  "turns.answer": "prose",
  "turns.mode": "auto",
  "turns.parallel_from": 6,
  "turns.order": "rotating",
  "turns.blind_round": true,
  "turns.cross_reply_targets": 2,
  "turns.may_skip": false,
  "turns.pace": null,
  "turns.extra_turns": 1,
  "turns.mention_ends_round": false,
  "turns.timeout_ms": 180_000,
  "turns.timeout_skips": false,
  "turns.show_skips": true,
  "turns.people_may_speak": true,
  "turns.ideas": false,
  "turns.max_message_chars": 10_000,
  "talk.style": null,
  "talk.lengths": {},
  "context.view": "record",
  "context.private_memory": false,
  "context.quotes": 8,
  "context.rolling_summary": true,
  "context.summary_max_chars": 1200,
  "context.recent_messages": 16,
  "decision.ballots": true,
  "decision.mean_score": 80,
  "decision.pass_ratio": null,
  "decision.min_score": null,
  "decision.quorum": 2 / 3,
  "decision.min_rounds": 1,
  "decision.on_steering": "interrupt",
  "decision.convergence": null,
  "roster.assemble": false,
  "roster.team_size": 4,
  "roster.approve": true,
  "roster.evaluate": false,
  "roster.leave_below": 0,
  "roster.newcomers": false,
  "roster.min_team": 2,
  "closing.artifacts": [],
  "closing.best_ideas": 0,
  "limits.max_rounds": 8,
  "limits.tokens": null,
  "limits.cost_micros": null,
  "limits.wall_ms": null,
  "limits.answer_tokens": 1500,
  "limits.when_reached": "end",
  "limits.rounds_alone": 0,
  "limits.rounds_stale": 0,
  "limits.provider_wait_ms": 600_000,
};

const SERIAL: Patch = {
  "turns.mode": "serial_turn",
  "turns.order": "sequential",
  "turns.blind_round": false,
  "decision.ballots": false,
};

/** The values that each format sets; all others are as for consensus (docs/meeting-file.md). */
export const PRESETS: Readonly<Record<Format, Patch>> = {
  consensus: CONSENSUS,
  discussion: {
    ...CONSENSUS,
    ...SERIAL,
    "turns.cross_reply_targets": 0,
    "talk.style": "formal",
    "context.rolling_summary": false,
    "context.recent_messages": 0,
    "closing.artifacts": ["MINUTES"],
    "limits.max_rounds": 3,
  },
  decision: {
    ...CONSENSUS,
    ...SERIAL,
    "intake.when": "start",
    "turns.answer": "structured",
    "context.view": "layered",
    "context.private_memory": true,
    "decision.min_rounds": 2,
    "decision.convergence": { max_open_questions: 2, max_disagreements: 1, stable_rounds: 2 },
    "closing.artifacts": ["ADR", "TASKS", "RISKS"],
    "limits.max_rounds": 5,
  },
  room: {
    ...CONSENSUS,
    ...SERIAL,
    "turns.cross_reply_targets": 0,
    "turns.may_skip": true,
    "turns.mention_ends_round": true,
    "turns.timeout_skips": true,
    "turns.show_skips": false,
    "context.view": "since_own_word",
    "context.rolling_summary": false,
    "context.recent_messages": 0,
    "limits.max_rounds": 1000,
    "limits.rounds_alone": 12,
    "limits.rounds_stale": 2,
  },
  brainstorm: {
    ...CONSENSUS,
    ...SERIAL,
    "intake.when": "each_round",
    "turns.cross_reply_targets": 0,
    "turns.may_skip": true,
    "turns.ideas": true,
    "context.view": "round",
    "roster.assemble": true,
    "roster.evaluate": true,
    "roster.leave_below": 5,
    "roster.newcomers": true,
    "closing.best_ideas": 3,
    "limits.max_rounds": 4,
  },
};

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
  return patch[path] ?? (path in patch ? null : (PRESETS[format][path] ?? null));
}

/** Sets a field. A value that the format has anyway is not kept, so that the field follows the format. */
export function turned(format: Format, patch: Patch, path: string, value: Json): Patch {
  const { [path]: _, ...rest } = patch;
  return same(value, PRESETS[format][path] ?? null) ? rest : { ...rest, [path]: value };
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
