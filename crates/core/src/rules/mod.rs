//! The written rules of a meeting: one plain struct of parts that do not know each other.
//!
//! Every knob works in every format; a [`Format`] only sets where the knobs stand at first.

mod check;
mod format;

pub(crate) mod budget;
pub(crate) mod order;
pub(crate) mod tally;
pub(crate) mod targets;

use serde::{Deserialize, Serialize};

pub use check::{
    BACKGROUND_MAX_CHARS, MESSAGE_MAX_CHARS, NAME_MAX_CHARS, PARTICIPANTS_MAX, ROLE_MAX_CHARS, ROUNDS_MAX,
    TOPIC_MAX_CHARS,
};
pub(crate) use check::{check, check_newcomer, check_price, length};
pub use format::Format;
pub use tally::{Clause, ClauseKind, Verdict, tally};

/// The language in which a meeting is held and its record is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum Language {
    /// Chinese.
    #[default]
    #[serde(rename = "zh")]
    Zh,
    /// English.
    #[serde(rename = "en")]
    En,
}

impl Language {
    /// Picks between the two forms of a fixed text.
    pub(crate) fn pick<T>(self, zh: T, en: T) -> T {
        match self {
            Self::Zh => zh,
            Self::En => en,
        }
    }
}

/// Everything about a meeting that a person may choose before it starts.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// Who speaks when.
    pub turns: TurnRules,
    /// What a speaker reads.
    pub context: ContextRules,
    /// How the table decides.
    pub decision: DecisionRules,
    /// Where it ends at the latest.
    pub limits: Limits,
}

/// How the turns of a round follow each other (requirement 003 §4.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TurnMode {
    /// Serial below `parallel_from` participants, parallel from there on.
    Auto,
    /// One after the other; each hears those before it.
    SerialTurn,
    /// All at once; each reads the rounds before.
    ParallelRound,
}

/// The order of turns in a serial round (requirement 000, properties 13 and 30).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SpeakingOrder {
    /// As the participants joined.
    Sequential,
    /// Shuffled each round from the meeting's seed.
    Random,
    /// As they joined, beginning one place further each round.
    Rotating,
}

/// Who speaks when.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TurnRules {
    /// Serial or parallel.
    pub mode: TurnMode,
    /// From how many participants on `auto` means parallel.
    pub parallel_from: u32,
    /// The order of a serial round.
    pub order: SpeakingOrder,
    /// Whether the meeting opens with a blind round 0.
    pub blind_round: bool,
    /// How many named points of others each speaker must answer, 0-3.
    pub cross_reply_targets: u32,
    /// Whether a speaker may pass.
    pub may_skip: bool,
    /// How many turns beyond its own a participant may be given in one round by mentions.
    pub extra_turns: u32,
    /// How long a turn or vote may take.
    pub timeout_ms: u64,
    /// A longer message is cut and marked; characters.
    pub max_message_chars: u32,
}

impl Default for TurnRules {
    fn default() -> Self {
        Self {
            mode: TurnMode::Auto,
            parallel_from: 6,
            order: SpeakingOrder::Rotating,
            blind_round: true,
            cross_reply_targets: 2,
            may_skip: false,
            extra_turns: 1,
            timeout_ms: 180_000,
            max_message_chars: 10_000,
        }
    }
}

/// What a speaker reads besides the rules, its role and the topic.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ContextRules {
    /// Whether the facilitator sums up each round and older messages give way to the summary.
    pub rolling_summary: bool,
    /// A summary is cut to so many characters.
    pub summary_max_chars: u32,
    /// So many messages stay word for word; when twice as many have gathered, the older ones
    /// that a summary covers give way at once. 0 keeps everything.
    pub recent_messages: u32,
}

impl Default for ContextRules {
    fn default() -> Self {
        Self { rolling_summary: true, summary_max_chars: 1200, recent_messages: 16 }
    }
}

/// What a steering message does to a ballot that is running (requirement 003 §4.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SteeringRule {
    /// It interrupts the ballot and becomes the focus of the next round.
    Interrupt,
    /// It waits for the next round; the ballot goes on.
    Queue,
}

/// How the table decides. The clauses that are set must all hold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DecisionRules {
    /// Whether there are ballots at all; without, the meeting ends at its round limit.
    pub ballots: bool,
    /// The average score must reach this, 0-100.
    pub mean_score: Option<u8>,
    /// This share of the votes must pass, 0.0-1.0.
    pub pass_ratio: Option<f64>,
    /// No score may be below this, 0-100.
    pub min_score: Option<u8>,
    /// This share of the table must have voted, 0.0-1.0; an abstention is not a vote.
    pub quorum: f64,
    /// No ballot before so many discussion rounds (the blind round does not count).
    pub min_rounds: u32,
    /// What a steering message does to a running ballot.
    pub on_steering: SteeringRule,
}

impl Default for DecisionRules {
    fn default() -> Self {
        Self {
            ballots: true,
            mean_score: Some(80),
            pass_ratio: None,
            min_score: None,
            quorum: 2.0 / 3.0,
            min_rounds: 1,
            on_steering: SteeringRule::Interrupt,
        }
    }
}

/// Where a meeting ends at the latest. Budgets are reserved before each call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// The most discussion rounds (the blind round does not count).
    pub max_rounds: u32,
    /// The most tokens, read and written, of the whole meeting.
    pub tokens: Option<u64>,
    /// The most money, in millionths of the currency.
    pub cost_micros: Option<u64>,
    /// The most time since the start, pauses left out.
    pub wall_ms: Option<u64>,
    /// The most tokens of one answer.
    pub answer_tokens: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_rounds: 8, tokens: None, cost_micros: None, wall_ms: None, answer_tokens: 1500 }
    }
}
