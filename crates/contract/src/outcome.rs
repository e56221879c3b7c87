//! The outcome of a call: an answer or a failure, and its usage.

use serde::{Deserialize, Serialize};

use crate::phrase::Phrase;
use crate::tool::ToolRequests;
use crate::web::WebFindings;

/// The token usage of calls, as counted by the provider, or an estimate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct Usage {
    /// Input tokens.
    pub input_tokens: u64,
    /// The number of output tokens, including reasoning.
    pub output_tokens: u64,
    /// The number of output tokens that were reasoning.
    #[serde(skip_serializing_if = "is_zero")]
    pub reasoning_tokens: u64,
    /// The number of input tokens that were read from the provider's cache.
    #[serde(skip_serializing_if = "is_zero")]
    pub cached_tokens: u64,
    /// The number of input tokens that the provider wrote to its cache for a price.
    #[serde(skip_serializing_if = "is_zero")]
    pub cache_write_tokens: u64,
    /// The number of web searches that the provider made and charges for.
    #[serde(skip_serializing_if = "is_none")]
    pub searches: u32,
    /// Whether the numbers are an estimate because the provider did not count.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
}

fn is_none(count: &u32) -> bool {
    *count == 0
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

/// The reason why an answer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// The answer was complete.
    Stop,
    /// The answer reached its token limit.
    Length,
    /// The provider withheld it.
    ContentFilter,
}

/// An answer as it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The words, reasoning taken out.
    pub text: String,
    /// The model's reasoning, when it shows it.
    pub reasoning: Option<String>,
    /// What the provider's own web search found for it.
    pub web: WebFindings,
    /// The usage.
    pub usage: Usage,
    /// Why the answer ended.
    pub stop: StopReason,
    /// The time from the request to the last byte, in milliseconds.
    pub latency_ms: u64,
    /// The provider's id of the request.
    pub request_id: Option<String>,
}

/// The kind of a failure, by what a person can do to resolve it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// The key is missing, wrong or expired.
    Authentication,
    /// The provider asks to slow down and did not recover within its retries.
    RateLimit,
    /// The account has no credit left.
    Quota,
    /// The provider has too much to do or is down.
    Overloaded,
    /// The prompt does not fit the model.
    ContextTooLong,
    /// The provider will not answer this.
    ContentRefused,
    /// The provider does not know the model.
    ModelUnknown,
    /// The provider does not accept the request.
    BadRequest,
    /// The provider could not be reached, or the connection broke.
    Network,
    /// No answer came in time.
    TimedOut,
    /// The answer could not be read, twice.
    Malformed,
    /// An empty answer came.
    Empty,
    /// The participant left while it had the floor.
    Left,
    /// The budget did not allow the call.
    Budget,
    /// No provider is configured that could answer.
    NotConfigured,
    /// Who was asked was reached and failed: an agent reports an error, a process ends.
    AgentFailed,
}

/// A failed call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The kind of failure.
    pub kind: FailureKind,
    /// A one-line description for people, without keys, personal addresses, or whole bodies.
    pub detail: Phrase,
    /// What a person can do about it.
    pub hint: Phrase,
    /// The usage of the failed call, when it is known.
    pub usage: Option<Usage>,
    /// The time from the request to the end of the call, in milliseconds.
    pub latency_ms: u64,
    /// The provider's own name for the request, as far as there was one.
    pub request_id: Option<String>,
    /// Whether it is unknown if the provider did the work. A second attempt may help.
    pub doubtful: bool,
    /// The model's context window as the server named it when the prompt did not fit.
    pub window: Option<ContextWindow>,
}

/// A model's context window, as a server names it when a prompt does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContextWindow {
    /// The most tokens that prompt and answer may have together.
    pub tokens: u64,
    /// The number of tokens in the prompt, as counted by the provider.
    pub prompt_tokens: Option<u64>,
}

impl Failure {
    /// A failure before anything was sent.
    pub fn unsent(kind: FailureKind, detail: impl Into<Phrase>, hint: impl Into<Phrase>) -> Self {
        let (detail, hint) = (detail.into(), hint.into());
        let usage = Some(Usage::default());
        Self { kind, detail, hint, usage, latency_ms: 0, request_id: None, doubtful: false, window: None }
    }
}

/// A request within a call that brought no answer and is sent again, because it was not carried out, or
/// because the provider did not accept its form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retry {
    /// Which request of the call failed, counted from 1.
    pub request: u32,
    /// The kind of failure.
    pub kind: FailureKind,
    /// A one-line description for people, without keys.
    pub detail: Phrase,
    /// The time until the next request, in milliseconds.
    pub wait_ms: u64,
    /// The usage of the failed request.
    pub usage: Usage,
}

/// The outcome of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// An answer, good or garbage: that is for `interpret` to say.
    Answered(Answer),
    /// An answer that calls tools; its text is what was said before the calls.
    CalledTools(Answer, ToolRequests),
    /// A failure.
    Failed(Failure),
}
