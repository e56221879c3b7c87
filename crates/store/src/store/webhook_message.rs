//! A message to a webhook, and an attempt to deliver it.

use crate::sql;
use crate::sql::Row;
use quorate_contract::{MeetingId, Timestamp};

/// The state of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageState {
    /// It is to be sent.
    Waiting,
    /// It was accepted.
    Delivered,
    /// It was given up.
    Failed,
    /// What it is about is over: the turn has ended, or the meeting was deleted.
    Expired,
}

impl MessageState {
    /// The word for it, as in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Delivered => "delivered",
            Self::Failed => "failed",
            Self::Expired => "expired",
        }
    }
}

/// The subject of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MessageSubject {
    /// A turn that waits for its answer.
    Turn {
        /// Its ticket.
        ticket: String,
        /// Its meeting; `None` off the record, of which nothing is stored.
        meeting: Option<MeetingId>,
    },
    /// An event of a meeting.
    Event {
        /// The meeting.
        meeting: MeetingId,
        /// Its sequence number.
        seq: u64,
    },
}

impl MessageSubject {
    /// The type of the message.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Turn { .. } => "turn.requested",
            Self::Event { .. } => "meeting.event",
        }
    }

    pub(crate) fn columns(&self) -> (Option<&str>, Option<u64>, Option<&str>) {
        match self {
            Self::Turn { ticket, meeting } => (meeting.as_ref().map(MeetingId::as_str), None, Some(ticket)),
            Self::Event { meeting, seq } => (Some(meeting.as_str()), Some(*seq), None),
        }
    }
}

/// A message to a webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookMessage {
    /// The row.
    pub key: i64,
    /// The webhook.
    pub webhook: String,
    /// The id by which a receiver knows it again; the same in each attempt.
    pub id: String,
    /// The subject.
    pub subject: MessageSubject,
    /// The attempts so far.
    pub attempts: u32,
    /// When it was queued.
    pub created_ms: Timestamp,
}

/// One attempt to deliver a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookDelivery {
    /// The id of the message.
    pub message: String,
    /// The type of the message.
    pub kind: String,
    /// The meeting that it is about.
    pub meeting: Option<MeetingId>,
    /// The event that it is about.
    pub seq: Option<u64>,
    /// The number of the attempt, from 1.
    pub attempt: u32,
    /// When it was made.
    pub at_ms: Timestamp,
    /// How long it took.
    pub latency_ms: u64,
    /// The outcome: `delivered`, `answered`, `failed` or `expired`.
    pub outcome: String,
    /// The HTTP status of the response.
    pub status: Option<u16>,
    /// The problem, if there was one.
    pub error: Option<String>,
    /// When the next attempt is made, if there is one.
    pub next_ms: Option<Timestamp>,
}

pub(crate) fn message_in(row: &Row<'_>) -> sql::Result<WebhookMessage> {
    let meeting = row.get::<_, Option<String>>(3)?.map(MeetingId::new);
    let (seq, ticket): (Option<u64>, Option<String>) = (row.get(4)?, row.get(5)?);
    let subject = match (meeting, seq, ticket) {
        (Some(meeting), Some(seq), None) => MessageSubject::Event { meeting, seq },
        (meeting, _, ticket) => MessageSubject::Turn { ticket: ticket.unwrap_or_default(), meeting },
    };
    Ok(WebhookMessage {
        key: row.get(0)?,
        webhook: row.get(1)?,
        id: row.get(2)?,
        subject,
        attempts: row.get(6)?,
        created_ms: Timestamp(row.get(7)?),
    })
}

pub(crate) fn delivery_in(row: &Row<'_>) -> sql::Result<(i64, WebhookDelivery)> {
    let delivery = WebhookDelivery {
        message: row.get(1)?,
        kind: row.get(2)?,
        meeting: row.get::<_, Option<String>>(3)?.map(MeetingId::new),
        seq: row.get(4)?,
        attempt: row.get(5)?,
        at_ms: Timestamp(row.get(6)?),
        latency_ms: row.get(7)?,
        outcome: row.get(8)?,
        status: row.get(9)?,
        error: row.get(10)?,
        next_ms: row.get::<_, Option<i64>>(11)?.map(Timestamp),
    };
    Ok((row.get(0)?, delivery))
}
