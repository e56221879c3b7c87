//! Why a meeting rests, and what it asks.

use serde::{Deserialize, Serialize};

/// Why a meeting rests (requirement 001 §H).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum PauseReason {
    /// Somebody asked for it.
    UserRequest,
    /// Everybody who had a turn in the round failed.
    NobodyAnswered,
    /// Something that matters is not known.
    MissingInfo,
    /// Before a round: whether the topic still fits, and what is missing.
    CheckIn,
    /// A person is to approve of who comes and goes.
    NeedApproval,
    /// The host is to say who speaks.
    AwaitingHost,
    /// Agents talk among themselves and say nothing new, or have done so for long.
    NothingNew,
    /// An artifact did not pass the gate.
    GateFailed,
    /// A budget is used up.
    BudgetLimit,
}

impl PauseReason {
    /// What whoever resumes does best, as a word for programs (003): `answer_questions`.
    pub fn suggested_next(self) -> &'static str {
        match self {
            Self::UserRequest => "resume",
            Self::NobodyAnswered => "check_providers_then_resume",
            Self::MissingInfo | Self::CheckIn => "answer_questions",
            Self::NeedApproval => "approve_or_reject",
            Self::AwaitingHost => "say_who_speaks",
            Self::NothingNew => "continue_or_end",
            Self::GateFailed => "retry_or_let_the_rules_write",
            Self::BudgetLimit => "raise_the_budget_or_end",
        }
    }
}

/// Why a meeting waits for its providers no longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum WaitEnd {
    /// Somebody can be reached again.
    Reachable,
    /// It has waited as long as its rules allow.
    GaveUp,
    /// Somebody has it try at once.
    Resumed,
}

/// How far a meeting goes on before it rests (003, stepwise running).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Stride {
    /// Until somebody has had a turn, or a ballot is counted.
    Turn,
    /// Until a round is over and summed up.
    Round,
    /// Until a ballot is counted.
    Ballot,
}

/// Something that a person is asked (requirement 001 §H).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Question {
    /// By which it is answered; letters, digits and underscores.
    pub key: String,
    /// The question.
    pub ask: String,
    /// What depends on it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
    /// Whether the meeting cannot go on without an answer, unless it is told to take defaults.
    #[serde(default)]
    pub required: bool,
    /// What answers it.
    #[serde(default)]
    pub kind: QuestionKind,
    /// What holds when it is not answered; without one, that it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<serde_json::Value>,
}

/// What answers a question.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum QuestionKind {
    /// Words.
    #[default]
    Text,
    /// A number.
    Number,
    /// Yes or no.
    Boolean,
    /// One of these.
    Choice {
        /// What there is to choose from.
        choices: Vec<String>,
    },
}
