//! The written rules of a meeting: one plain struct of parts that do not know each other.
//!
//! Every setting works in every format; a [`Format`] only sets the defaults.

mod bounds;
mod check;
mod format;
mod limit_changes;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::ids::ArtifactKind;

pub use bounds::*;
pub use check::{check, check_lengths, check_newcomer, check_price, check_rules, invalid, length};
pub use format::Format;
pub use limit_changes::LimitChanges;

/// Everything about a meeting that a person may choose before it starts.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// What is asked of the person before the table begins.
    pub intake: IntakeRules,
    /// Who speaks when.
    pub turns: TurnRules,
    /// In which manner.
    pub talk: TalkRules,
    /// What a speaker reads.
    pub context: ContextRules,
    /// How the table decides.
    pub decision: DecisionRules,
    /// Who comes, stays and goes.
    pub roster: RosterRules,
    /// What is written when all is said.
    pub closing: ClosingRules,
    /// Where it ends at the latest.
    pub limits: Limits,
}

/// How the turns of a round follow each other (requirement 003 §4.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
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
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum SpeakingOrder {
    /// As the participants joined.
    Sequential,
    /// Shuffled each round from the meeting's seed.
    Random,
    /// As they joined, beginning one place further each round.
    Rotating,
}

/// When the person who asks is asked something in return (requirements 001 §H and 004).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum IntakeWhen {
    /// Never.
    Never,
    /// Before the first round, when something that matters is missing.
    Start,
    /// Before each round: whether the topic still fits, and what is missing.
    EachRound,
}

/// What is asked of the person before the table begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct IntakeRules {
    /// When.
    pub when: IntakeWhen,
    /// How many questions at the most, 0-10.
    pub max_questions: u32,
}

impl Default for IntakeRules {
    fn default() -> Self {
        Self { when: IntakeWhen::Never, max_questions: 4 }
    }
}

/// Who gives the floor (requirement 002).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Floor {
    /// The order of the round.
    Rotation,
    /// The moderator: a round begins with each of its messages and holds only those it mentions.
    Host,
}

/// In which form a turn is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum AnswerForm {
    /// Prose, closed by a short trailer for the record.
    Prose,
    /// An object by a schema, asked for once more when it does not fit (requirement 001 §J1).
    Structured,
}

/// How fast simulated participants speak. Models and processes take the time that they take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum SimulatedPace {
    /// As fast as a person reads.
    Live,
    /// A few milliseconds each.
    Brisk,
    /// At once.
    Instant,
}

impl SimulatedPace {
    /// Its name, as in the rules and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Brisk => "brisk",
            Self::Instant => "instant",
        }
    }
}

/// The style of a discussion (requirement 000, properties 38, 40 and 41).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Style {
    /// Formal and to the point.
    Formal,
    /// Relaxed and friendly.
    Casual,
    /// Views against each other, each with its grounds.
    Debate,
}

/// How long somebody is to speak (requirement 000, properties 39 to 41).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum SpeakingLength {
    /// The point and nothing else.
    Brief,
    /// With the details that are needed.
    Moderate,
    /// With analysis and examples.
    Detailed,
}

/// In which manner the table talks. A change holds from the next turn on.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct TalkRules {
    /// The style; left to each participant when not set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub style: Option<Style>,
    /// How long each is to speak, by name; whoever is not named speaks as its model does.
    pub lengths: BTreeMap<String, SpeakingLength>,
}

/// Who speaks when.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct TurnRules {
    /// Who gives the floor.
    pub floor: Floor,
    /// In which form a turn is answered.
    pub answer: AnswerForm,
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
    /// Whether the round ends when those have answered who were mentioned in it (requirement 002).
    pub mention_ends_round: bool,
    /// How long a turn or vote may take.
    pub timeout_ms: u64,
    /// Whether a turn that takes longer counts as passed instead of failed (requirement 002).
    pub timeout_skips: bool,
    /// Whether people are shown who passed; the record holds it in any case.
    pub show_skips: bool,
    /// Whether people may speak at the table.
    pub people_may_speak: bool,
    /// Whether speakers are asked for ideas, which are numbered and can be built on (requirement 004).
    pub ideas: bool,
    /// A longer message is cut and marked; characters.
    pub max_message_chars: u32,
    /// How fast simulated participants speak, whether or not somebody watches; at once when not set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pace: Option<SimulatedPace>,
}

impl Default for TurnRules {
    fn default() -> Self {
        Self {
            floor: Floor::Rotation,
            answer: AnswerForm::Prose,
            mode: TurnMode::Auto,
            parallel_from: 6,
            order: SpeakingOrder::Rotating,
            blind_round: true,
            cross_reply_targets: 2,
            may_skip: false,
            extra_turns: 1,
            mention_ends_round: false,
            timeout_ms: 180_000,
            timeout_skips: false,
            show_skips: true,
            people_may_speak: true,
            ideas: false,
            max_message_chars: 10_000,
            pace: None,
        }
    }
}

/// Which part of the record a speaker reads. Minutes stand for what they cover in each of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum View {
    /// The record, where older messages may give way to summaries.
    Record,
    /// What came after the reader's own last word (requirement 002).
    SinceOwnWord,
    /// The last summary and the round that runs (requirement 004).
    Round,
    /// The last summary, what people said, quotes by relevance, the reader's private memory
    /// (requirement 001 §F2).
    Layered,
}

/// What a speaker reads besides the rules, its role and the topic.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct ContextRules {
    /// Which part of the record.
    pub view: View,
    /// Whether each participant keeps notes of its own that nobody else reads.
    pub private_memory: bool,
    /// How many quotes of others the layered view holds at the most, 0-40.
    pub quotes: u32,
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
        Self {
            view: View::Record,
            private_memory: false,
            quotes: 8,
            rolling_summary: true,
            summary_max_chars: 1200,
            recent_messages: 16,
        }
    }
}

/// What a steering message does to a ballot that is running (requirement 003 §4.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum SteeringRule {
    /// It interrupts the ballot and becomes the focus of the next round.
    Interrupt,
    /// It waits for the next round; the ballot goes on.
    Queue,
}

/// How the table decides. The clauses that are set must all hold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
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
    /// The meeting also ends when the table has converged.
    pub convergence: Option<Convergence>,
}

/// When a table has converged; any of these is enough (requirement 001 §G2). Measured after each
/// round from `min_rounds` on. Artifacts that were asked for early, that passed the gate and that
/// are younger than the last message also end it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Convergence {
    /// At most so many open questions, and …
    pub max_open_questions: u32,
    /// … at most so many disagreements.
    pub max_disagreements: u32,
    /// So many rounds in a row in which nobody changed its recommendation, 2-20.
    pub stable_rounds: u32,
}

impl Default for Convergence {
    fn default() -> Self {
        Self { max_open_questions: 2, max_disagreements: 1, stable_rounds: 2 }
    }
}

/// Who comes, stays and goes (requirement 004).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct RosterRules {
    /// Whether a team is put together from the topic when nobody was seated.
    pub assemble: bool,
    /// How many such a team has, 1-16.
    pub team_size: u32,
    /// Whether a person approves of who comes and goes before it happens.
    pub approve: bool,
    /// Whether everybody is marked 0-10 after each round, hidden from the table.
    pub evaluate: bool,
    /// Whoever is marked below this may have to leave, one in a round; 0 lets nobody go.
    pub leave_below: u8,
    /// Whether newcomers may be proposed between rounds.
    pub newcomers: bool,
    /// Nobody has to leave a table of so few.
    pub min_team: u32,
}

impl Default for RosterRules {
    fn default() -> Self {
        Self {
            assemble: false,
            team_size: 4,
            approve: true,
            evaluate: false,
            leave_below: 0,
            newcomers: false,
            min_team: 2,
        }
    }
}

/// What is written when all is said.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct ClosingRules {
    /// The artifacts that must pass the gate before the meeting is finished, in this order.
    pub artifacts: Vec<ArtifactKind>,
    /// How many of the best ideas the conclusion names, with a wildcard; 0 names none.
    pub best_ideas: u32,
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
            convergence: None,
        }
    }
}

/// Where a meeting ends at the latest. Budgets are reserved before each call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// The most discussion rounds (the blind round does not count).
    pub max_rounds: u32,
    /// The most tokens, read and written, of the whole meeting.
    pub tokens: Option<u64>,
    /// The most money, in millionths of the currency.
    pub cost_micros: Option<u64>,
    /// The most time since the start, pauses left out. The last fifth of it, at most 90 s, is kept for the
    /// conclusion: it closes that much earlier.
    pub wall_ms: Option<u64>,
    /// The most tokens of one answer.
    pub answer_tokens: u32,
    /// Whether the meeting ends when a budget is reached, or rests so that it can be raised.
    pub when_reached: WhenReached,
    /// After so many rounds without a word of a person the meeting rests; 0 sets no limit.
    pub rounds_alone: u32,
    /// After so many rounds in a row in which nothing new was said it rests; 0 sets no limit.
    pub rounds_stale: u32,
    /// How long it waits for providers to be back when nobody can be reached, before it rests; 0 waits for nobody.
    pub provider_wait_ms: u64,
}

/// What reaching a budget means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum WhenReached {
    /// The meeting ends with the best available conclusion.
    End,
    /// It rests and asks for more.
    Pause,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_rounds: 8,
            tokens: None,
            cost_micros: None,
            wall_ms: None,
            answer_tokens: 1500,
            when_reached: WhenReached::End,
            rounds_alone: 0,
            rounds_stale: 0,
            provider_wait_ms: 600_000,
        }
    }
}
