//! The written rules of a meeting: one plain struct of parts that do not know each other.
//!
//! Every setting works in every format; a [`Format`] only sets the defaults.

mod bounds;
mod check;
mod clauses;
mod fields;
mod format;
mod limit_changes;
#[cfg(test)]
mod tests;
mod texts;
mod variants;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::ids::ArtifactKind;

pub use bounds::*;
pub use check::{check, check_lengths, check_newcomer, check_price, check_rules, check_skip_list};
pub use clauses::{ClauseRule, ClauseUse, DecisionMode};
pub use fields::{RULE_FIELDS, RuleField, RuleKind, RuleNumber, RuleShare, RuleUnit, rule_groups};
pub use format::Format;
pub use limit_changes::LimitChanges;
pub use texts::rule_group_label;

/// The rules of a meeting: everything that can be chosen before it starts.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// Questions to a person before the first round.
    pub intake: IntakeRules,
    /// How turns are given.
    pub turns: TurnRules,
    /// The style of the discussion.
    pub talk: TalkRules,
    /// What a speaker reads.
    pub context: ContextRules,
    /// How the meeting decides.
    pub decision: DecisionRules,
    /// Who joins, stays and leaves.
    pub roster: RosterRules,
    /// What is written when the meeting ends.
    pub closing: ClosingRules,
    /// Limits and budgets.
    pub limits: LimitRules,
}

/// The way in which the turns of a round follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum TurnMode {
    /// Serial below `parallel_from` participants, parallel from there on.
    Auto,
    /// One after the other; each speaker reads the messages before it.
    SerialTurn,
    /// All at once; each reads the rounds before.
    ParallelRound,
}

/// The order of turns in a serial round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum SpeakingOrder {
    /// In the order in which the participants joined.
    Sequential,
    /// Shuffled each round from the meeting's seed.
    Random,
    /// In the order in which they joined, beginning one place further each round.
    Rotating,
}

/// When a person is asked questions before the first round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum IntakeTiming {
    /// Never.
    Never,
    /// Before the first round, when something that matters is missing.
    Start,
    /// Before each round: whether the topic still fits, and what is missing.
    EachRound,
}

/// Questions to a person before the first round.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct IntakeRules {
    /// When questions are asked.
    pub when: IntakeTiming,
    /// The largest number of questions, 0-10.
    pub max_questions: u32,
}

impl Default for IntakeRules {
    fn default() -> Self {
        Self { when: IntakeTiming::Never, max_questions: 4 }
    }
}

/// How the floor is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum FloorMode {
    /// The order of the round.
    Rotation,
    /// The moderator: a round begins with each of its messages and holds only those it mentions.
    Host,
}

/// The form of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum AnswerForm {
    /// Prose, closed by a short trailer for the record.
    Prose,
    /// An object that follows a schema. An answer that does not fit is asked for once more.
    Structured,
}

/// The speed at which simulated participants speak. It does not affect models and processes.
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

/// The style of a discussion.
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

/// The speaking length of a participant.
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

/// The style of the discussion. A change takes effect from the next turn on.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct TalkRules {
    /// The style; when left out, each participant chooses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub style: Option<Style>,
    /// The speaking length of each participant, by name. A participant without one gets no instruction.
    pub lengths: BTreeMap<String, SpeakingLength>,
}

/// How turns are given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct TurnRules {
    /// How the floor is given.
    pub floor: FloorMode,
    /// The form of an answer.
    pub answer: AnswerForm,
    /// Serial or parallel.
    pub mode: TurnMode,
    /// The number of participants from which the mode `auto` means parallel.
    pub parallel_from: u32,
    /// The order of a serial round.
    pub order: SpeakingOrder,
    /// Whether the meeting opens with a blind round 0.
    pub blind_round: bool,
    /// The number of claims of others that each speaker must answer, 0-3.
    pub cross_reply_targets: u32,
    /// Whether a participant may skip its turn.
    pub may_skip: bool,
    /// The number of additional turns that a participant can get in one round from mentions.
    pub extra_turns: u32,
    /// Whether the round ends as soon as the participants who were mentioned in it have answered.
    pub mention_ends_round: bool,
    /// The time limit of a turn or vote, in milliseconds.
    pub timeout_ms: u64,
    /// Whether a turn that times out counts as skipped instead of failed.
    pub timeout_skips: bool,
    /// Whether people are shown skipped turns. The log has them in any case.
    pub show_skips: bool,
    /// Whether people may send messages.
    pub people_may_speak: bool,
    /// Whether speakers are asked for ideas, which are numbered and can be built on.
    pub ideas: bool,
    /// The largest length of a message in characters. A longer message is cut and marked as cut.
    pub max_message_chars: u32,
    /// The speed at which simulated participants speak; when left out, they speak at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pace: Option<SimulatedPace>,
}

impl Default for TurnRules {
    fn default() -> Self {
        Self {
            floor: FloorMode::Rotation,
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

/// The part of the discussion that a speaker reads. Minutes replace the messages that they cover.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ContextScope {
    /// The record, where older messages may give way to summaries.
    Record,
    /// The messages after the reader's own last one.
    SinceOwnWord,
    /// The last summary and the current round.
    Round,
    /// The last summary, messages of people, quotes by relevance, and the reader's private memory.
    Layered,
}

/// What a speaker reads besides the rules, its role and the topic.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct ContextRules {
    /// The part of the discussion that speakers read.
    pub view: ContextScope,
    /// Whether each participant keeps a private memory that no other participant reads.
    pub private_memory: bool,
    /// The largest number of quotes of others in the layered context, 0-40.
    pub quotes: u32,
    /// Whether the facilitator summarizes each round, and older messages are replaced by the summary.
    pub rolling_summary: bool,
    /// The largest length of a summary in characters.
    pub summary_max_chars: u32,
    /// The number of recent messages that speakers read in full. When there are twice as many, all older
    /// messages that a summary covers are replaced by it. 0 keeps all messages.
    pub recent_messages: u32,
}

impl Default for ContextRules {
    fn default() -> Self {
        Self {
            view: ContextScope::Record,
            private_memory: false,
            quotes: 8,
            rolling_summary: true,
            summary_max_chars: 1200,
            recent_messages: 16,
        }
    }
}

/// The effect of a steering message on an open ballot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum SteeringRule {
    /// The message interrupts the ballot and becomes the focus of the next round.
    Interrupt,
    /// The message waits for the next round; the ballot goes on.
    Queue,
}

/// How the meeting decides. All clauses that are set must be met.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct DecisionRules {
    /// Whether there are ballots; without ballots the meeting ends at its round limit.
    pub ballots: bool,
    /// The average score that is needed, 0-100.
    pub mean_score: Option<u8>,
    /// The share of the votes that must pass, 0.0-1.0.
    pub pass_ratio: Option<f64>,
    /// The lowest score that any vote may have, 0-100.
    pub min_score: Option<u8>,
    /// The share of participants who must vote, 0.0-1.0. An abstention is not a vote.
    pub quorum: f64,
    /// The number of discussion rounds before the first ballot; the blind round does not count.
    pub min_rounds: u32,
    /// The effect of a steering message on an open ballot.
    pub on_steering: SteeringRule,
    /// The convergence tests; the meeting ends when one is met.
    pub convergence: Option<Convergence>,
}

/// The tests by which a meeting counts as converged; one is enough. They are applied after each round from
/// `min_rounds` on. The meeting also ends when artifacts that were requested early have passed the gate and
/// no message followed them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Convergence {
    /// The largest number of open questions.
    pub max_open_questions: u32,
    /// The largest number of disagreements.
    pub max_disagreements: u32,
    /// The number of consecutive rounds in which no recommendation changed, 2-20.
    pub stable_rounds: u32,
}

impl Default for Convergence {
    fn default() -> Self {
        Self { max_open_questions: 2, max_disagreements: 1, stable_rounds: 2 }
    }
}

/// Who joins, stays and leaves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct RosterRules {
    /// Whether a team is assembled from the topic when the meeting has no participants.
    pub assemble: bool,
    /// The size of an assembled team, 1-16.
    pub team_size: u32,
    /// Whether a person approves candidates and departures before they take effect.
    pub approve: bool,
    /// Whether all participants are marked 0-10 after each round, hidden from them.
    pub evaluate: bool,
    /// The mark below which a participant may be proposed to leave, one per round; 0 turns this off.
    pub leave_below: u8,
    /// Whether new participants may be proposed between rounds.
    pub newcomers: bool,
    /// The smallest size of the team: nobody has to leave a team of this size.
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

/// What is written when the meeting ends.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct ClosingRules {
    /// The artifacts that must pass the gate before the meeting is finished, in this order.
    pub artifacts: Vec<ArtifactKind>,
    /// The number of best ideas that the conclusion names, besides a wildcard; 0 names none.
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

/// The limits and budgets of a meeting. Budgets are reserved before each call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct LimitRules {
    /// The largest number of discussion rounds; the blind round does not count.
    pub max_rounds: u32,
    /// The token budget of the whole meeting, input and output.
    pub tokens: Option<u64>,
    /// The cost budget in millionths of the currency.
    pub cost_micros: Option<u64>,
    /// The time budget in milliseconds since the start, without pauses. The last fifth of it, at most 90
    /// seconds, is reserved for the conclusion: the discussion ends that much earlier.
    pub wall_ms: Option<u64>,
    /// The largest number of tokens in one answer.
    pub answer_tokens: u32,
    /// Whether the meeting ends or pauses when a budget is reached. During the pause, the budget can be
    /// raised.
    pub when_reached: BudgetAction,
    /// The number of rounds without a message of a person after which the meeting pauses; 0 sets no limit.
    pub rounds_alone: u32,
    /// The number of consecutive rounds without new content after which the meeting pauses; 0 sets no limit.
    /// With a limit, the meeting also pauses after a round that all participants skip, until somebody sends a
    /// message.
    pub rounds_stale: u32,
    /// How long the meeting waits before it pauses when no provider is reachable, in milliseconds; 0 pauses
    /// at once.
    pub provider_wait_ms: u64,
    /// The largest number of calls of tools in the meeting; 0 allows none.
    pub tool_calls: u32,
    /// The largest number of calls of tools in one turn; 0 allows none.
    pub tool_calls_per_turn: u32,
    /// The time limit of one call of a tool, in milliseconds.
    pub tool_timeout_ms: u64,
}

/// What happens when a budget is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum BudgetAction {
    /// The meeting ends with the best available conclusion.
    End,
    /// The meeting pauses and asks for a larger budget.
    Pause,
}

impl Default for LimitRules {
    fn default() -> Self {
        Self {
            max_rounds: 8,
            tokens: None,
            cost_micros: None,
            wall_ms: None,
            answer_tokens: 1500,
            when_reached: BudgetAction::End,
            rounds_alone: 0,
            rounds_stale: 0,
            provider_wait_ms: 600_000,
            tool_calls: 100,
            tool_calls_per_turn: 8,
            tool_timeout_ms: 30_000,
        }
    }
}
