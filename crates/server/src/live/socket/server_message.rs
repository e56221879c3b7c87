//! What the server sends over a WebSocket.

use quorate_contract::{Event, MeetingId, ParticipantId};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::live::data::ResyncReason;
use crate::problem::Problem;

/// A message of the server.
///
/// Messages that answer one of the client's carry its `id`.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum ServerMessage {
    /// The message was carried out.
    Ack {
        /// The `id` of the message that is answered.
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<Value>,
        /// The last event after it, by its sequence number; of a subscription, where it begins.
        #[serde(skip_serializing_if = "Option::is_none")]
        seq: Option<u64>,
    },
    /// The message was refused.
    Problem {
        /// The `id` of the message that is answered.
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<Value>,
        /// Why, and what helps.
        problem: Box<Problem>,
    },
    /// The answer to `ping`.
    Pong {
        /// The `id` of the message that is answered.
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<Value>,
    },
    /// An event of a meeting, as it is stored.
    #[expect(dead_code, reason = "written once for all listeners, from its line")]
    Event {
        /// The meeting.
        meeting: MeetingId,
        /// The event.
        event: Box<Event>,
    },
    /// A piece of an answer in progress.
    #[expect(dead_code, reason = "written once for all listeners, from its frame")]
    Token {
        /// The meeting.
        meeting: MeetingId,
        /// The call that the answer belongs to: `speak:r1t2`.
        task: String,
        /// The turn, when it is one: `r1t2`.
        #[serde(skip_serializing_if = "Option::is_none")]
        turn: Option<String>,
        /// The attempt at the call, from 1.
        attempt: u32,
        /// The participant who answers; `null` for the facilitator.
        #[schema(required)]
        participant: Option<ParticipantId>,
        /// `answer`, or `reasoning` for those who may see it.
        kind: String,
        /// Where the piece begins in the answer, in bytes of UTF-8; at 0 it replaces what was told before.
        offset: usize,
        /// Where it ends.
        end: usize,
        /// The piece.
        text: String,
    },
    /// Pieces of answers were lost, because the listener was too slow; those in progress follow from their beginning.
    Resync {
        /// The meeting.
        meeting: MeetingId,
        /// The last event that was told, by its sequence number.
        last_seq: u64,
        /// Why.
        reason: ResyncReason,
    },
    /// The database of the meeting cannot be written or read at the moment, or can be again.
    #[expect(dead_code, reason = "written once for all listeners, in each language")]
    Trouble {
        /// The meeting.
        meeting: MeetingId,
        /// What is wrong; absent when it is over.
        #[serde(skip_serializing_if = "Option::is_none")]
        problem: Option<Box<Problem>>,
        /// Whether it is over.
        over: bool,
    },
    /// The meeting is over, and everything was told.
    Finished {
        /// The meeting.
        meeting: MeetingId,
        /// Its last event, by its sequence number.
        last_seq: u64,
    },
    /// The meeting is told no longer on this connection.
    Unsubscribed {
        /// The meeting.
        meeting: MeetingId,
        /// The last event that was told, by its sequence number.
        last_seq: u64,
        /// Why.
        reason: UnsubscribedReason,
        /// The same for people, with what helps.
        problem: Box<Problem>,
    },
}

impl ServerMessage {
    pub(super) fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a message is plain data")
    }
}

/// Why a meeting is told no longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum UnsubscribedReason {
    /// It asks for a password now.
    PasswordRequired,
    /// It was deleted, or unloaded; subscribe again.
    Unloaded,
    /// The server stops.
    Stopping,
    /// It cannot be read.
    Failed,
}
