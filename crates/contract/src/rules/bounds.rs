//! The bounds of what people and files may give.

/// The longest topic, in characters.
pub const TOPIC_MAX_CHARS: usize = 200;
/// The longest title of a meeting, in characters.
pub const TITLE_MAX_CHARS: usize = 200;
/// The longest description of a meeting, in characters.
pub const DESCRIPTION_MAX_CHARS: usize = 200;
/// The longest background, in characters.
pub const BACKGROUND_MAX_CHARS: usize = 20_000;
/// The longest name, in characters.
pub const NAME_MAX_CHARS: usize = 50;
/// The longest role description or system prompt, in characters.
pub const ROLE_MAX_CHARS: usize = 2000;
/// The longest message of a person, in characters.
pub const MESSAGE_MAX_CHARS: usize = 10_000;
/// The most phrases of a skip list.
pub const SKIP_LIST_MAX: usize = 50;
/// The longest phrase of a skip list, in characters.
pub const SKIP_PHRASE_MAX_CHARS: usize = 200;
/// The most messages that a skip list is compared with; after more than these a participant is asked again.
pub const SKIP_MESSAGES_MAX: usize = 200;
/// The most participants at one table.
pub const PARTICIPANTS_MAX: usize = 16;
/// The largest number of people at the table of a meeting.
pub const PEOPLE_MAX: usize = 200;
/// The most rounds of one meeting.
pub const ROUNDS_MAX: u32 = 1000;
/// The longest announcement, in characters.
pub const ANNOUNCEMENT_MAX_CHARS: usize = 2000;
/// The longest text of minutes, in characters.
pub const MINUTES_MAX_CHARS: usize = 20_000;

/// The least and the most of each number of the rules, by its path.
pub const RULE_BOUNDS: &[(&str, u64, u64)] = &[
    ("turns.parallel_from", 1, 1000),
    ("turns.cross_reply_targets", 0, 3),
    ("turns.extra_turns", 0, 10),
    ("turns.timeout_ms", 1, 24 * 3_600_000),
    ("turns.max_message_chars", 50, 100_000),
    ("context.summary_max_chars", 100, 10_000),
    ("context.recent_messages", 0, 10_000),
    ("intake.max_questions", 0, 10),
    ("context.quotes", 0, 40),
    ("roster.team_size", 1, PARTICIPANTS_MAX as u64),
    ("roster.leave_below", 0, 10),
    ("roster.min_team", 1, PARTICIPANTS_MAX as u64),
    ("closing.best_ideas", 0, 20),
    ("limits.rounds_alone", 0, ROUNDS_MAX as u64),
    ("limits.rounds_stale", 0, ROUNDS_MAX as u64),
    ("limits.provider_wait_ms", 0, 24 * 3_600_000),
    ("decision.convergence.stable_rounds", 2, 20),
    ("limits.max_rounds", 1, ROUNDS_MAX as u64),
    ("limits.answer_tokens", 16, 1_000_000),
    ("decision.min_rounds", 0, ROUNDS_MAX as u64),
    ("decision.mean_score", 0, 100),
    ("decision.min_score", 0, 100),
];

/// The shares among the rules, from 0 to 1, by their paths.
pub const RULE_SHARES: &[&str] = &["decision.pass_ratio", "decision.quorum"];
