//! What the server sends over a WebSocket.

use quorate_app::OpenTurn;
use quorate_contract::{Event, MeetingId, ParticipantId};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::live::data::ResyncReason;
use crate::problem::Problem;
use crate::rest::MeetingContext;

/// A message from the server.
///
/// A reply to a message of the client has its `id`.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum ServerMessage {
    /// The message was carried out.
    Ack {
        /// The `id` of the message that is answered.
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<Value>,
        /// The sequence number of the last event that the message caused; for a subscription, the event after
        /// which it begins.
        #[serde(skip_serializing_if = "Option::is_none")]
        seq: Option<u64>,
    },
    /// The message was refused.
    Problem {
        /// The `id` of the message that is answered.
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<Value>,
        /// The reason, and how to resolve it.
        problem: Box<Problem>,
    },
    /// The reply to `turns`.
    Turns {
        /// The `id` of the message that is answered.
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<Value>,
        /// The open turns, the oldest first.
        items: Vec<OpenTurn>,
    },
    /// The reply to `context`.
    Context {
        /// The `id` of the message that is answered.
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<Value>,
        /// What a participant needs to know.
        context: Box<MeetingContext>,
    },
    /// The answer to a turn was accepted.
    Answered {
        /// The `id` of the message that is answered.
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<Value>,
        /// The meeting.
        meeting: MeetingId,
        /// The sequence number of the last event that the answer caused.
        seq: u64,
        /// Whether the turn is offered once more because the answer could not be read.
        asked_again: bool,
        /// What was wrong with the answer, when the turn is offered once more.
        #[serde(skip_serializing_if = "Option::is_none")]
        problem: Option<String>,
    },
    /// A turn of the caller's own seats opened after `turns` was asked for.
    #[expect(dead_code, reason = "written from its JSON, which may come from another node")]
    Turn {
        /// The turn.
        turn: Box<OpenTurn>,
    },
    /// The reply to `ping`.
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
        /// The turn that is answered: `r1t2`; absent for other tasks.
        #[serde(skip_serializing_if = "Option::is_none")]
        turn: Option<String>,
        /// The attempt, counted from 1.
        attempt: u32,
        /// The participant who answers; `null` for the facilitator.
        #[schema(required)]
        participant: Option<ParticipantId>,
        /// `answer`, or `reasoning` for callers who may see it.
        kind: String,
        /// The position in the answer at which the piece begins, in bytes of UTF-8. A piece with the offset 0
        /// replaces all earlier pieces.
        offset: usize,
        /// The position in the answer at which the piece ends, in bytes of UTF-8.
        end: usize,
        /// The text of the piece.
        text: String,
    },
    /// Pieces of answers were lost because the client read too slowly. The answers in progress are sent again
    /// from their beginning.
    Resync {
        /// The meeting.
        meeting: MeetingId,
        /// The sequence number of the last event that was sent.
        last_seq: u64,
        /// The reason.
        reason: ResyncReason,
    },
    /// The database cannot be read or written, or can be again.
    #[expect(dead_code, reason = "written once for all listeners, in each language")]
    MeetingProblem {
        /// The meeting.
        meeting: MeetingId,
        /// The problem; absent when it is over.
        #[serde(skip_serializing_if = "Option::is_none")]
        problem: Option<Box<Problem>>,
        /// Whether the problem is over.
        over: bool,
    },
    /// The meeting has ended, and all of its events were sent.
    Finished {
        /// The meeting.
        meeting: MeetingId,
        /// The sequence number of the last event.
        last_seq: u64,
    },
    /// The subscription to a meeting ended.
    Unsubscribed {
        /// The meeting.
        meeting: MeetingId,
        /// The sequence number of the last event that was sent.
        last_seq: u64,
        /// The reason.
        reason: UnsubscribedReason,
        /// The reason as a text, and how to resolve it.
        problem: Box<Problem>,
    },
}

impl ServerMessage {
    pub(super) fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a message is plain data")
    }
}

/// The reason why a subscription ended.
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
