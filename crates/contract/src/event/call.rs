//! Calls: how one ends, what follows from a failure, and what a call shows about its model.

use serde::{Deserialize, Serialize};

use crate::outcome::FailureKind;

/// The way in which a call ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "ended", rename_all = "snake_case")]
pub enum CallEnd {
    /// An answer came.
    Answered,
    /// It failed.
    Failed {
        /// The kind of failure.
        kind: FailureKind,
    },
    /// The meeting no longer needed it.
    Cancelled,
    /// The process that had started it is gone, and with it the answer.
    Lost,
}

/// An action of the failure policy after a failed call, in the order in which they are tried. Each is taken
/// at most once for a task, except `shorter`.
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

/// A model's context window, and a prompt that met it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WindowMet {
    /// The most tokens that prompt and answer may have together, as the server says.
    pub tokens: u64,
    /// The number of tokens in the prompt, as counted by the server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_tokens: Option<u64>,
    /// The number of tokens in the prompt, as estimated here.
    pub estimated_tokens: u64,
    /// The number of tokens that the server is expected to count where a thousand are estimated here. Logs before
    /// version 4 do not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_mille: Option<u64>,
}

/// What a call has shown about whether its model can be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Reach {
    /// The provider answered, if only with a refusal.
    Reached,
    /// The provider cannot be reached.
    ProviderUnreachable,
    /// The provider has no capacity for this model.
    ModelUnreachable,
}

/// What follows from the failure of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum AfterFailure {
    /// It is not asked for again by itself: the rules do the work, or a person decides.
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
pub enum Mend {
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
    /// Tokens, read and written.
    pub tokens: u64,
    /// Money in millionths; 0 when the price is not known.
    pub cost_micros: u64,
}
