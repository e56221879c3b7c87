//! Webhooks, their attempts and tests, as they are shown.

use quorate_contract::{Language, MeetingId, Timestamp};
use quorate_runners::Secret;
use quorate_store::{StopReason, WebhookDelivery};
use serde::{Deserialize, Serialize};

use super::error_text;

/// A webhook, without its secret.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WebhookView {
    /// The id.
    pub id: String,
    /// The URL.
    pub url: String,
    /// The agent that the webhook answers for; `null` for none.
    pub agent: Option<String>,
    /// Whether the agent's turns are sent.
    pub turns: bool,
    /// The types of events that are sent; `*` for all.
    pub events: Vec<String>,
    /// The only meeting whose messages are sent; `null` for all meetings.
    pub meeting: Option<MeetingId>,
    /// Whether messages are sent to the webhook.
    pub enabled: bool,
    /// Why the server disabled the webhook; `null` when it did not.
    pub disabled_because: Option<WebhookStopReason>,
    /// Whether the webhook's only meeting is off the record: turns are sent, but no events.
    pub off_record: bool,
    /// When deliveries resume, after they kept failing; `null` when they are not paused.
    pub resumes_at: Option<Timestamp>,
    /// The person who created the token and for whom it acts.
    pub by: String,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// The reason why the server disabled a webhook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum WebhookStopReason {
    /// The receiver answered 410: it wants nothing more.
    Gone,
    /// A message could not be delivered for days.
    Failing,
    /// The token that created it was revoked.
    TokenRevoked,
    /// The token that created it has expired.
    TokenExpired,
    /// The account in whose name it acted was deleted.
    AccountDeleted,
    /// The agent that it answers for was deleted from the library.
    AgentDeleted,
}

impl WebhookStopReason {
    pub(super) fn of(reason: StopReason) -> Self {
        match reason {
            StopReason::Gone => Self::Gone,
            StopReason::Failing => Self::Failing,
            StopReason::TokenRevoked => Self::TokenRevoked,
            StopReason::TokenExpired => Self::TokenExpired,
            StopReason::AccountDeleted => Self::AccountDeleted,
            StopReason::AgentDeleted => Self::AgentDeleted,
        }
    }
}

/// A secret that is shown this once.
#[derive(Debug, Clone)]
pub struct NewSecret {
    /// The secret.
    pub secret: Secret,
    /// When the previous secret expires, if there was one.
    pub previous_expires_at: Option<Timestamp>,
}

/// The outcome of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum WebhookOutcome {
    /// The receiver accepted the message.
    Delivered,
    /// The receiver answered the turn in its response.
    Answered,
    /// The receiver was not reached, or refused the message.
    Failed,
    /// What the message was about was over before it could be delivered.
    Expired,
}

impl WebhookOutcome {
    /// The word for it, as in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Delivered => "delivered",
            Self::Answered => "answered",
            Self::Failed => "failed",
            Self::Expired => "expired",
        }
    }

    fn of(word: &str) -> Self {
        let all = [Self::Delivered, Self::Answered, Self::Expired];
        all.into_iter().find(|outcome| outcome.as_str() == word).unwrap_or(Self::Failed)
    }
}

/// One attempt to deliver a message.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WebhookDeliveryView {
    /// The id of the message in the header `webhook-id`; the same in each attempt.
    pub message: String,
    /// The type of the message: `turn.requested`, `meeting.event` or `webhook.test`.
    pub r#type: String,
    /// The meeting that the message is about; `null` for none.
    pub meeting: Option<MeetingId>,
    /// The sequence number of the event in the message; `null` for other messages.
    pub seq: Option<u64>,
    /// The number of the attempt, counted from 1.
    pub attempt: u32,
    /// When the attempt was made.
    pub attempted_at: Timestamp,
    /// The duration in milliseconds.
    pub latency_ms: u64,
    /// The outcome.
    pub outcome: WebhookOutcome,
    /// The HTTP status of the response; `null` when there was none.
    pub status: Option<u16>,
    /// The error; `null` when there was none.
    pub error: Option<String>,
    /// When the next attempt is made; `null` when there is none.
    pub next_attempt_at: Option<Timestamp>,
}

impl WebhookDeliveryView {
    pub(super) fn of(delivery: WebhookDelivery, language: Language) -> Self {
        Self {
            message: delivery.message,
            r#type: delivery.kind,
            meeting: delivery.meeting,
            seq: delivery.seq,
            attempt: delivery.attempt,
            attempted_at: delivery.at_ms,
            latency_ms: delivery.latency_ms,
            outcome: WebhookOutcome::of(&delivery.outcome),
            status: delivery.status,
            error: delivery.error.map(|kept| error_text::text(kept, language)),
            next_attempt_at: delivery.next_ms,
        }
    }
}

/// Whether a webhook accepts messages.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WebhookTestResult {
    /// Whether it answered with a status of 200 to 299.
    pub ok: bool,
    /// The HTTP status of the response; `null` when there was none.
    pub status: Option<u16>,
    /// How long it took, in milliseconds.
    pub latency_ms: u64,
    /// The problem; `null` when there was none.
    pub error: Option<String>,
}
