//! What is told beside the events of a meeting, as data: the frames of both transports are written from these types.

use quorate_contract::Event;
use serde::Serialize;
use utoipa::ToSchema;

use super::frame::TokenFrame;
use crate::problem::Problem;
use crate::rest::MeetingView;

/// Pieces of answers were lost, because the listener was too slow; those in progress follow from their beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct ResyncFrame {
    /// The last event that was told, by its sequence number.
    pub(crate) last_seq: u64,
    /// Why.
    pub(crate) reason: ResyncReason,
}

/// Why pieces of answers were lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ResyncReason {
    /// The listener did not take them in time.
    TooSlow,
}

/// The database can be written and read again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct RecoveredFrame {
    /// Always `true`.
    pub(crate) over: bool,
    /// What happened, in the language of the connection.
    pub(crate) detail: &'static str,
}

/// The `data` of a frame of the stream; the frame's `event` tells which it is.
///
/// `token` has a [`TokenFrame`], `resync` a [`ResyncFrame`], `trouble` a problem or, when it is over, a
/// [`RecoveredFrame`], `snapshot` a [`MeetingView`]; every other name is the type of an event.
#[derive(ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "describes what is written by its parts")]
pub(crate) enum StreamFrame {
    /// An event of the meeting.
    Event(Event),
    /// A piece of an answer in progress.
    Token(TokenFrame),
    /// Pieces were lost.
    Resync(ResyncFrame),
    /// The database cannot be written or read at the moment.
    Trouble(Problem),
    /// It can be written and read again.
    Recovered(RecoveredFrame),
    /// How the meeting stands.
    Snapshot(MeetingView),
}
