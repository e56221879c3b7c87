//! What is told beside the events of a meeting, as data: the frames of both transports are written from these types.

use serde::Serialize;
use utoipa::ToSchema;

/// Pieces of answers were lost because the client read too slowly. The answers in progress are sent again
/// from their beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct ResyncFrame {
    /// The sequence number of the last event that was sent.
    pub(crate) last_seq: u64,
    /// The reason.
    pub(crate) reason: ResyncReason,
}

/// The reason why pieces of answers were lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ResyncReason {
    /// The listener did not take them in time.
    TooSlow,
}

/// The database can be read and written again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct RecoveredFrame {
    /// Always `true`.
    pub(crate) over: bool,
    /// What happened, in the language of the connection.
    pub(crate) detail: &'static str,
}
