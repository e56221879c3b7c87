//! Calls: how one ends, what follows from a failure, and what a call shows about its model.

use serde::{Deserialize, Serialize};

use crate::outcome::FailureKind;

/// The way in which a call ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "ended", rename_all = "snake_case")]
pub enum CallEnd {
    /// The call was answered.
    Answered,
    /// The call failed.
    Failed {
        /// The kind of failure.
        kind: FailureKind,
    },
    /// The meeting no longer needed the call.
    Cancelled,
    /// The process that had started the call stopped, and the answer is lost.
    Lost,
}

/// The action after a failed call. The actions are tried in this order, each at most once per task, except
/// `shorter`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum FailureAction {
    /// Asks the same model again. It is unknown whether the first request did the work, so it may be paid
    /// twice.
    Again,
    /// The same model is asked with a shorter context, until it fits or nothing is left to cut.
    Shorter,
    /// Asks the fallback model.
    Fallback,
    /// Asks again when the provider is reachable; until then the meeting waits.
    Wait,
}

/// What a call showed about a model's context window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ContextWindowObservation {
    /// The context window in tokens, as the provider reported it.
    pub tokens: u64,
    /// The number of tokens in the prompt, as counted by the provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_tokens: Option<u64>,
    /// The number of tokens in the prompt, as estimated by Quorate.
    pub estimated_tokens: u64,
    /// The number of tokens that the provider counts per thousand estimated tokens. Absent in logs before
    /// version 4.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_mille: Option<u64>,
}

/// Whether the model of a call was reachable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ModelReachability {
    /// The provider answered, if only with a refusal.
    Reached,
    /// The provider cannot be reached.
    ProviderUnreachable,
    /// The provider has no capacity for this model.
    ModelUnreachable,
}

/// The consequence of a failed task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum TaskFailureConsequence {
    /// The task is not repeated automatically: the rules do the work, or a person decides.
    GivenUp,
    /// The request is withdrawn. It can be made again.
    Withdrawn,
    /// The invitation is closed: no seat is left.
    Closed,
}

/// A repair that was needed before an answer could be read as an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum AnswerRepair {
    /// Prose or a code fence around the object was left out.
    Surroundings,
    /// Thinking that stood before the object was left out.
    Thinking,
    /// The last of several objects was taken.
    SeveralObjects,
    /// Its syntax was repaired: commas, quotes, comments, bare line ends.
    Syntax,
    /// A value of another type was read as the one that was asked for.
    Types,
}

/// The part of a budget that is reserved for a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct Reserve {
    /// The number of input and output tokens.
    pub tokens: u64,
    /// The cost in millionths of the currency; 0 when the price is not known.
    pub cost_micros: u64,
}
