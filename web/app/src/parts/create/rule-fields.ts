// All fields of the rules: what kind of value each takes, and within which bounds. Their words stand in the texts
// of the page, under `create.rule_field`.

/** The kind of value of a rule. `off`: the rule can be switched off. */
export type RuleField = { path: string } & (
  | { kind: "switch" }
  | { kind: "choice"; choices: readonly string[]; off?: true }
  /** A whole number; shown as `value / scale`. */
  | {
      kind: "number";
      min: number;
      max: number;
      unit: Unit;
      step?: number;
      scale?: number;
      /** The initial value when it is switched on. */
      off?: number;
      /** Its range is small enough to be slid through. */
      slide?: true;
    }
  /** A share, kept as 0-1 and shown in per cent. */
  | { kind: "share"; off?: number }
  | { kind: "artifacts" }
  | { kind: "convergence" }
  | { kind: "lengths" }
);

/** The unit of a number. */
export type Unit =
  | "points"
  | "rounds"
  | "turns"
  | "people"
  | "seconds"
  | "minutes"
  | "chars"
  | "tokens"
  | "money"
  | "questions"
  | "messages"
  | "quotes"
  | "ideas"
  | "targets";

/** Fields that are shown together. */
export interface Group {
  name: string;
  ruleFields: readonly RuleField[];
}

/** The artifacts that a meeting can be asked for. */
export const ARTIFACTS = ["ADR", "TASKS", "RISKS", "MINUTES", "SUMMARY"] as const;

/** All fields, by group. */
export const GROUPS: readonly Group[] = [
  {
    name: "intake",
    ruleFields: [
      { path: "intake.when", kind: "choice", choices: ["never", "start", "each_round"] },
      { path: "intake.max_questions", kind: "number", min: 0, max: 10, unit: "questions", slide: true },
    ],
  },
  {
    name: "turns",
    ruleFields: [
      { path: "turns.floor", kind: "choice", choices: ["rotation", "host"] },
      { path: "turns.mode", kind: "choice", choices: ["auto", "serial_turn", "parallel_round"] },
      { path: "turns.parallel_from", kind: "number", min: 1, max: 1000, unit: "people" },
      { path: "turns.order", kind: "choice", choices: ["rotating", "sequential", "random"] },
      { path: "turns.answer", kind: "choice", choices: ["prose", "structured"] },
      { path: "turns.blind_round", kind: "switch" },
      { path: "turns.cross_reply_targets", kind: "number", min: 0, max: 3, unit: "targets", slide: true },
      { path: "turns.may_skip", kind: "switch" },
      { path: "turns.show_skips", kind: "switch" },
      { path: "turns.extra_turns", kind: "number", min: 0, max: 10, unit: "turns", slide: true },
      { path: "turns.mention_ends_round", kind: "switch" },
      { path: "turns.people_may_speak", kind: "switch" },
      { path: "turns.ideas", kind: "switch" },
      { path: "turns.pace", kind: "choice", choices: ["live", "brisk", "instant"], off: true },
      { path: "turns.timeout_ms", kind: "number", min: 1, max: 86_400_000, unit: "seconds", scale: 1000 },
      { path: "turns.timeout_skips", kind: "switch" },
      { path: "turns.max_message_chars", kind: "number", min: 50, max: 100_000, step: 500, unit: "chars" },
    ],
  },
  {
    name: "talk",
    ruleFields: [
      { path: "talk.style", kind: "choice", choices: ["formal", "casual", "debate"], off: true },
      { path: "talk.lengths", kind: "lengths" },
    ],
  },
  {
    name: "context",
    ruleFields: [
      { path: "context.view", kind: "choice", choices: ["record", "since_own_word", "round", "layered"] },
      { path: "context.quotes", kind: "number", min: 0, max: 40, unit: "quotes", slide: true },
      { path: "context.private_memory", kind: "switch" },
      { path: "context.rolling_summary", kind: "switch" },
      { path: "context.summary_max_chars", kind: "number", min: 100, max: 10_000, step: 100, unit: "chars" },
      { path: "context.recent_messages", kind: "number", min: 0, max: 10_000, unit: "messages" },
    ],
  },
  {
    name: "decision",
    ruleFields: [
      { path: "decision.ballots", kind: "switch" },
      {
        path: "decision.mean_score",
        kind: "number",
        min: 0,
        max: 100,
        unit: "points",
        off: 80,
        slide: true,
      },
      { path: "decision.pass_ratio", kind: "share", off: 0.75 },
      { path: "decision.min_score", kind: "number", min: 0, max: 100, unit: "points", off: 60, slide: true },
      { path: "decision.quorum", kind: "share" },
      { path: "decision.min_rounds", kind: "number", min: 0, max: 20, unit: "rounds", slide: true },
      { path: "decision.on_steering", kind: "choice", choices: ["interrupt", "queue"] },
      { path: "decision.convergence", kind: "convergence" },
    ],
  },
  {
    name: "roster",
    ruleFields: [
      { path: "roster.assemble", kind: "switch" },
      { path: "roster.team_size", kind: "number", min: 1, max: 16, unit: "people", slide: true },
      { path: "roster.approve", kind: "switch" },
      { path: "roster.evaluate", kind: "switch" },
      { path: "roster.leave_below", kind: "number", min: 0, max: 10, unit: "points", slide: true },
      { path: "roster.newcomers", kind: "switch" },
      { path: "roster.min_team", kind: "number", min: 1, max: 16, unit: "people", slide: true },
    ],
  },
  {
    name: "closing",
    ruleFields: [
      { path: "closing.artifacts", kind: "artifacts" },
      { path: "closing.best_ideas", kind: "number", min: 0, max: 20, unit: "ideas", slide: true },
    ],
  },
  {
    name: "limits",
    ruleFields: [
      { path: "limits.max_rounds", kind: "number", min: 1, max: 1000, unit: "rounds" },
      {
        path: "limits.tokens",
        kind: "number",
        min: 1,
        max: 1e12,
        step: 10_000,
        unit: "tokens",
        off: 200_000,
      },
      {
        path: "limits.cost_micros",
        kind: "number",
        min: 1,
        max: 1e12,
        step: 100_000,
        scale: 1e6,
        unit: "money",
        off: 500_000,
      },
      {
        path: "limits.wall_ms",
        kind: "number",
        min: 1,
        max: 1e12,
        step: 300_000,
        scale: 60_000,
        unit: "minutes",
        off: 1_800_000,
      },
      { path: "limits.when_reached", kind: "choice", choices: ["end", "pause"] },
      { path: "limits.answer_tokens", kind: "number", min: 16, max: 1_000_000, step: 100, unit: "tokens" },
      { path: "limits.rounds_alone", kind: "number", min: 0, max: 1000, unit: "rounds" },
      { path: "limits.rounds_stale", kind: "number", min: 0, max: 1000, unit: "rounds" },
      {
        path: "limits.provider_wait_ms",
        kind: "number",
        min: 0,
        max: 86_400_000,
        step: 60_000,
        scale: 60_000,
        unit: "minutes",
      },
    ],
  },
];

const BY_PATH = new Map(
  GROUPS.flatMap((group) => group.ruleFields.map((ruleField) => [ruleField.path, ruleField])),
);

/** The field with this path, if there is one. */
export function ruleFieldAt(path: string): RuleField | undefined {
  return BY_PATH.get(path);
}
