//! Calls in flight, and what was learned from those that failed.

use std::collections::BTreeMap;

use quorate_contract::{Action, FailureAction, FailureKind, Phrase, Reserve, Timestamp};
use serde::{Deserialize, Serialize};

/// The state of a meeting that waits because no provider is reachable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ProviderWait {
    /// The providers or models: `ollama`, `openai/gpt-5`.
    pub waiting_for: Vec<String>,
    /// The kind of the last failure.
    pub kind: FailureKind,
    /// When the wait began.
    #[serde(rename = "started_at")]
    pub since: Timestamp,
    /// When the last attempt was made.
    pub tried_at: Timestamp,
    /// The number of attempts.
    pub tries: u32,
    /// When the next attempt is made.
    pub next_try_at: Timestamp,
}

/// The failure of a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TaskFailure {
    /// The kind of failure.
    pub kind: FailureKind,
    /// A one-line description for people.
    pub detail: Phrase,
}

/// A call in progress.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CallInProgress {
    /// The attempt, counted from 1.
    pub attempt: u32,
    /// The reserve.
    pub reserved: Reserve,
    /// When it started.
    #[serde(rename = "started_at")]
    pub since: Timestamp,
    /// The latest retry within the call, whose request may have been sent by now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry: Option<CallRetry>,
    /// The actions of an agent about which a person was asked, by their numbers.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[cfg_attr(feature = "openapi", schema(ignore))]
    pub permissions: BTreeMap<u32, Action>,
    /// The number of reports of actions within the call.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[cfg_attr(feature = "openapi", schema(ignore))]
    pub action_reports: u32,
}

/// A retry within a call: a request brought no answer, and the next one is sent after a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CallRetry {
    /// The failure of the request before.
    pub kind: FailureKind,
    /// When that request failed.
    #[serde(rename = "started_at")]
    pub since: Timestamp,
    /// When the next request is sent.
    pub next_try_at: Timestamp,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// The actions of the failure policy that were taken for a task (`accounting/failure_policy.rs`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FailureActions {
    /// Whether it was asked again, without knowing whether the work was done.
    pub again: bool,
    /// How often its context was shortened.
    pub shorter: u32,
    /// Whether the fallback model is asked.
    pub fallback: bool,
    /// The time of the present model's attempts that share one limit with the next, in milliseconds.
    pub took_ms: u64,
}

impl FailureActions {
    /// Marks an action as taken.
    pub(crate) fn take(&mut self, action: FailureAction) {
        match action {
            FailureAction::Again => self.again = true,
            FailureAction::Shorter => self.shorter += 1,
            FailureAction::Fallback => self.fallback = true,
            FailureAction::Wait => *self = Self::default(),
        }
    }
}

/// The known properties of a model's context window (`prompt/windows.rs`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Window {
    /// The most tokens that prompt and answer may have together.
    pub tokens: u64,
    /// The number of tokens that the server counts where a thousand are estimated here.
    pub per_mille: u64,
}

/// The repair of an unreadable answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Repair {
    /// What was wrong.
    pub problem: Phrase,
    /// The beginning of the answer.
    pub excerpt: String,
}
