// A meeting as the page holds it: the server's view, and beside it what the fold has to remember to carry it on.
import type {
  BallotState,
  Meeting,
  MeetingMessage,
  ParticipantId,
  Proposal,
  RoundKind,
  Rules,
  Spending as Spent,
  TurnState,
  Usage,
} from "../api/schema";

/** A round as a mark on the way: where it begins and ends in the log. */
export interface RoundMark {
  number: number;
  kind: RoundKind;
  /** The event of its first turn; null while none was given. */
  seq: number | null;
  /** The event that ended the round; null while it runs. */
  ended_seq: number | null;
}

/** State of the fold that the view does not show. */
export interface Kept {
  /** How many of the last messages stay in `messages`. */
  messages: number;
  /** The last messages that mentioned somebody, of those that were folded. */
  mentioning: MeetingMessage[];
  /** Whether everything is visible to the user; becomes false when something is withheld. */
  sees_all: boolean;
  /** Whether the title was given and does not follow the topic; null when that is not known of a fork. */
  own_title: boolean | null;
  /** The running time of the meeting, in milliseconds. */
  ran_ms: number;
  /** Turns of earlier rounds that are over; null when the view began later than they did. */
  turns_done: number | null;
  /** The participants behind calls in flight: null is the facilitator, undefined is unknown. */
  callers: Record<string, ParticipantId | null | undefined>;
  /** Minutes that were asked for, by version, and who writes them. */
  writers: Record<number, ParticipantId | null | undefined>;
  /** The number of messages that an artifact in progress covers in an older log, by task; null is unknown. */
  covers: Record<string, number | null>;
  /** The team that was proposed last; null when none was since the view was loaded. */
  proposal: Proposal | null;
  /** Whether an event cannot be folded from the log alone, so that the view has to be loaded. */
  stale: boolean;
  /** Whether the server has sent an event that this page does not know. */
  outdated: boolean;
}

/** The state of a meeting after its last event. */
export type View = Omit<Meeting, "rounds"> & { rounds: RoundMark[]; kept: Kept };

/** Whether the meeting accepts messages and commands. It does not any more once its conclusion is being written. */
export function isOpen({ state, step }: Pick<Meeting, "state" | "step">): boolean {
  return state !== "ended" && step !== "closing";
}

/** The options of a view. */
interface ViewOptions {
  /** The number of last messages to keep; 50 when left out. */
  messages?: number;
  /** Whether the user may see everything; when left out, true until something is withheld. */
  seesAll?: boolean;
}

/** The server's view, which may lack the rounds. */
export type ServerView = Omit<Meeting, "rounds"> & {
  rounds?: { number: number; kind: RoundKind; seq?: number | null; ended_seq?: number | null }[];
};

const UNUSED: Required<Usage> = {
  cache_write_tokens: 0,
  cached_tokens: 0,
  estimated: false,
  input_tokens: 0,
  output_tokens: 0,
  reasoning_tokens: 0,
  searches: 0,
};

/** The usage of a call, with the zeros that the wire format leaves out. */
export function wholeUsage(usage: Usage): Required<Usage> {
  return { ...UNUSED, ...usage };
}

/** No usage. */
export const NOTHING_SPENT: Spent = {
  calls: 0,
  cost_micros: 0,
  fallbacks: 0,
  retries: 0,
  unpriced_calls: 0,
  usage: UNUSED,
};

/** Rules of a meeting that has none yet: those of the consensus preset, as the core has them. */
const RULES: Rules = {
  closing: { artifacts: [], best_ideas: 0 },
  context: {
    private_memory: false,
    quotes: 8,
    recent_messages: 16,
    rolling_summary: true,
    summary_max_chars: 1200,
    view: "record",
  },
  decision: {
    ballots: true,
    convergence: null,
    mean_score: 80,
    min_rounds: 1,
    min_score: null,
    on_steering: "interrupt",
    pass_ratio: null,
    quorum: 2 / 3,
  },
  intake: { max_questions: 4, when: "never" },
  limits: {
    answer_tokens: 1500,
    cost_micros: null,
    max_rounds: 8,
    rounds_alone: 0,
    rounds_stale: 0,
    provider_wait_ms: 600_000,
    tool_calls: 100,
    tool_calls_per_turn: 8,
    tool_timeout_ms: 30_000,
    tokens: null,
    wall_ms: null,
    when_reached: "end",
  },
  roster: {
    approve: true,
    assemble: false,
    evaluate: false,
    leave_below: 0,
    min_team: 2,
    newcomers: false,
    team_size: 4,
  },
  talk: { lengths: {}, style: null },
  turns: {
    answer: "prose",
    blind_round: true,
    cross_reply_targets: 2,
    extra_turns: 1,
    floor: "rotation",
    ideas: false,
    max_message_chars: 10_000,
    may_skip: false,
    mention_ends_round: false,
    mode: "auto",
    order: "rotating",
    pace: null,
    parallel_from: 6,
    people_may_speak: true,
    show_skips: true,
    timeout_ms: 180_000,
    timeout_skips: false,
  },
};

/** A meeting that does not exist yet; its log, folded into it, makes it what it is. */
export function blank(id: string, options: ViewOptions = {}): View {
  return {
    id,
    run_id: "",
    last_seq: 0,
    topic: "",
    title: "",
    forked_from: null,
    background: "",
    language: "zh",
    format: "consensus",
    rules: RULES,
    seed: 0,
    simulated: false,
    locked: false,
    off_record: false,
    state: "draft",
    step: null,
    outcome: null,
    ended_by: null,
    pause: null,
    pause_requested_by: null,
    planned_pause: null,
    round: null,
    rounds: [],
    floor: [],
    calls: {},
    participants: [],
    people: [],
    host_person: null,
    moderator: { type: "user" },
    facilitator: null,
    agenda: [],
    tools: [],
    announcements: [],
    draft: null,
    summary: null,
    positions: [],
    open_questions: [],
    disagreements: [],
    ballots: [],
    metrics: [],
    minutes: null,
    minutes_requested: null,
    artifacts: [],
    conclusion: null,
    evaluations: [],
    spent: NOTHING_SPENT,
    facilitator_spent: NOTHING_SPENT,
    budget: {
      tokens: { used: 0, limit: null },
      cost_micros: { used: 0, limit: null },
      wall_ms: { used: 0, limit: null },
      rounds: { used: 0, limit: RULES.limits.max_rounds },
    },
    messages: [],
    messages_total: 0,
    created_at: "1970-01-01T00:00:00.000Z",
    started_at: null,
    updated_at: "1970-01-01T00:00:00.000Z",
    silence_max_ms: 0,
    kept: {
      messages: options.messages ?? 50,
      mentioning: [],
      sees_all: options.seesAll ?? true,
      own_title: false,
      ran_ms: 0,
      turns_done: 0,
      callers: {},
      writers: {},
      covers: {},
      proposal: null,
      stale: false,
      outdated: false,
    },
  };
}

/** The server's view, ready to be carried on by the events after it. */
export function opened(server: ServerView, options: ViewOptions = {}): View {
  const messages = options.messages ?? 50;
  const masked = server.ballots.some((ballot) => ballot.withheld);
  const rounds = (server.rounds ?? []).map((mark) => ({
    number: mark.number,
    kind: mark.kind,
    seq: mark.seq ?? null,
    ended_seq: mark.ended_seq ?? null,
  }));
  const turns = new Map(server.round?.turns.map((turn) => [turn.id, turn.participant]));
  const tasks = Object.keys(server.calls);
  const drawn = tasks.filter((task) => task.startsWith("artifact:"));
  const spoken = tasks.filter((task) => task.startsWith("speak:"));
  return {
    ...server,
    rounds,
    spent: filled(server.spent),
    facilitator_spent: filled(server.facilitator_spent),
    participants: server.participants.map((seat) => ({ ...seat, spent: filled(seat.spent) })),
    ballots: server.ballots.map((ballot) => ({ ...ballot, spent: filled(ballot.spent) })),
    messages: lastOf(server.messages, messages),
    kept: {
      messages,
      mentioning: [],
      sees_all: options.seesAll ?? !masked,
      own_title: server.title === server.topic ? false : server.forked_from ? null : true,
      ran_ms: server.budget.wall_ms.used,
      turns_done: !server.round || rounds.length === 1 ? 0 : null,
      callers: Object.fromEntries(spoken.map((task) => [task, turns.get(task.slice(6))])),
      writers: server.minutes_requested == null ? {} : { [server.minutes_requested]: undefined },
      covers: Object.fromEntries(drawn.map((task) => [task, null])),
      proposal: null,
      stale: false,
      outdated: false,
    },
  };
}

/** The last `count` of a list; the list itself when it has no more. */
export function lastOf<T>(list: T[], count: number): T[] {
  return list.length <= count ? list : list.slice(list.length - count);
}

/** Whether a turn has ended. */
export function isDone(state: TurnState): boolean {
  return state !== "open";
}

/** Whether a ballot was counted. */
export function isCounted(state: BallotState): boolean {
  return typeof state === "object" && "closed" in state;
}

/** With the zeros that the wire leaves out. */
function filled(spent: Spent): Spent {
  return { ...spent, usage: wholeUsage(spent.usage) };
}
