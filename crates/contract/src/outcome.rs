//! What comes back from a call: an answer or a failure, and what it used.

use serde::{Deserialize, Serialize};

use crate::wording::Wording;

/// What one call used, as counted by the provider, or estimated when it did not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct Usage {
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written, reasoning included.
    pub output_tokens: u64,
    /// Of those written, the ones that were reasoning.
    #[serde(skip_serializing_if = "is_zero")]
    pub reasoning_tokens: u64,
    /// Of those read, the ones the provider had cached.
    #[serde(skip_serializing_if = "is_zero")]
    pub cached_tokens: u64,
    /// Of those read, the ones that the provider put into its cache for a price.
    #[serde(skip_serializing_if = "is_zero")]
    pub cache_write_tokens: u64,
    /// Whether the provider did not count and this is an estimate.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Usage {
    /// All tokens, read and written.
    pub fn total(&self) -> u64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }
}

/// Why an answer ended where it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// It was complete.
    Stop,
    /// It reached the most tokens that one answer may have.
    Length,
    /// The provider withheld it.
    ContentFilter,
}

/// An answer as it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The words, reasoning taken out.
    pub text: String,
    /// What the model thought on the way, when it shows it.
    pub reasoning: Option<String>,
    /// What it used.
    pub usage: Usage,
    /// Why it ended.
    pub stop: StopReason,
    /// From the request to the last byte.
    pub latency_ms: u64,
    /// The provider's own name for the request (003 §8, `provider_request_id`).
    pub request_id: Option<String>,
}

/// What somebody could do something about when a call fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// The key is missing, wrong or expired.
    Authentication,
    /// The provider asks to slow down and did not recover within its retries.
    RateLimit,
    /// No credit left.
    Quota,
    /// The provider has too much to do or is down.
    Overloaded,
    /// The prompt does not fit the model.
    ContextTooLong,
    /// The provider will not answer this.
    ContentRefused,
    /// There is no such model.
    ModelUnknown,
    /// The provider does not accept the request.
    BadRequest,
    /// The provider could not be reached, or the connection broke.
    Network,
    /// Nothing came in time.
    TimedOut,
    /// What came could not be read, twice.
    Malformed,
    /// An empty answer came.
    Empty,
    /// The participant left while it had the floor.
    Left,
    /// The budget did not allow the call.
    Budget,
    /// Nobody is configured who could answer.
    NotConfigured,
}

/// A call that brought no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// What kind of trouble.
    pub kind: FailureKind,
    /// One line for people, without keys, addresses of people, or whole bodies.
    pub detail: String,
    /// What to do about it; it becomes part of a meeting in the meeting's language.
    pub hint: Wording,
    /// What was used all the same, when it is known.
    pub usage: Option<Usage>,
    /// From the request to the end.
    pub latency_ms: u64,
    /// The provider's own name for the request, as far as there was one.
    pub request_id: Option<String>,
    /// Whether it is not known if the provider did the work, and asking once more may help.
    pub doubtful: bool,
    /// The model's context window as the server named it when the prompt did not fit.
    pub window: Option<ContextWindow>,
}

/// A model's context window, as a server names it when a prompt does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContextWindow {
    /// The most tokens that prompt and answer may have together.
    pub tokens: u64,
    /// How many the prompt had, as the server counted.
    pub prompt_tokens: Option<u64>,
}

impl Failure {
    /// A failure before anything was sent.
    pub fn unsent(kind: FailureKind, detail: impl Into<String>, hint: impl Into<Wording>) -> Self {
        let (detail, hint) = (detail.into(), hint.into());
        let usage = Some(Usage::default());
        Self { kind, detail, hint, usage, latency_ms: 0, request_id: None, doubtful: false, window: None }
    }
}

/// A request within a call that brought no answer and is sent again, because nothing was done or
/// because it was not worded as the provider takes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retry {
    /// Which request of the call failed, counted from 1.
    pub request: u32,
    /// What kind of trouble it was.
    pub kind: FailureKind,
    /// One line for people, without keys.
    pub detail: String,
    /// How long until the next request.
    pub wait_ms: u64,
    /// What was used all the same.
    pub usage: Usage,
}

/// What came back from a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// An answer, good or garbage: that is for `interpret` to say.
    Answered(Answer),
    /// No answer.
    Failed(Failure),
}
