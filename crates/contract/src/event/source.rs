//! Where a meeting comes from that was not created: a folder of files, or another meeting.

use serde::{Deserialize, Serialize};

use crate::ids::TaskId;

/// A layout of meeting files outside the database, for import and export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum LayoutKind {
    /// `agents/*.json` and `meetings/*.json`.
    Meetings,
    /// `agents.json`, `rooms.json`, `room_messages/` and `messages/`.
    Rooms,
}

/// The state that a fork takes over from the original meeting besides the messages.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Carried {
    /// Tokens, read and written, that count towards its budget.
    pub tokens: u64,
    /// Money in millionths that counts towards its budget; `None` when it is not known.
    pub cost_micros: Option<u64>,
    /// How long the original meeting had run, in milliseconds.
    pub ran_ms: u64,
    /// Calls that had ended.
    pub calls: u32,
    /// The tasks that were in flight. They are asked again when the fork continues, and the lost attempts are
    /// not charged.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asked_anew: Vec<TaskId>,
}
