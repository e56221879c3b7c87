//! Where a meeting comes from that was not created: a folder of files, or another meeting.

use serde::{Deserialize, Serialize};

use crate::ids::TaskId;

/// The layout of meeting files for import and export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum LayoutKind {
    /// `agents/*.json` and `meetings/*.json`.
    Meetings,
    /// `agents.json`, `rooms.json`, `room_messages/` and `messages/`.
    Rooms,
}

/// What a fork takes over from the original meeting besides its events.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CarriedSpending {
    /// The input and output tokens that count towards the budget of the fork.
    pub tokens: u64,
    /// The cost that counts towards the budget of the fork, in millionths of the currency; `null` when it is
    /// not known.
    pub cost_micros: Option<u64>,
    /// How long the original meeting had run, in milliseconds.
    pub ran_ms: u64,
    /// The number of calls that had ended.
    pub calls: u32,
    /// The tasks whose calls were in progress. They are asked again when the fork continues, and the lost
    /// attempts are not charged.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asked_anew: Vec<TaskId>,
}
