//! Meetings as folders of JSON files, in the layouts of requirements 000 and 002.
//!
//! The log is the truth; these folders carry it to other programs and bring theirs here. What a
//! layout has no field for is not in it (docs/layout.md lists that). No key is ever in a file that
//! is written, and none is taken from a file that is read.

mod check;
mod error;
mod export;
mod export_meeting;
mod export_room;
mod files;
mod import;
mod import_meeting;
mod import_room;
mod meetings;
mod names;
mod rooms;
mod secrets;
mod time;

use std::collections::BTreeMap;

pub use error::LayoutError;
pub use export::export;
pub use files::{FILE_MAX_BYTES, Files, files, merge, read};
pub use import::{Imported, import};
pub use import_meeting::newcomers;
pub use meetings::*;
pub use rooms::*;

use quorate_contract::{MeetingId, MessageId, Timestamp, TurnId};

/// What lies in a folder, in either layout or both.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Layout {
    /// `agents/*.json` of requirement 000, in the order of their ids.
    pub agents: Vec<AgentFile>,
    /// `meetings/*.json` of requirement 000.
    pub meetings: Vec<MeetingFile>,
    /// `agents.json` of requirement 002.
    pub room_agents: Vec<RoomAgent>,
    /// `rooms.json` of requirement 002.
    pub rooms: Vec<Room>,
    /// `room_messages/{room_id}.json` and `messages/{message_id}.json`, by room.
    pub messages: BTreeMap<String, Vec<RoomMessage>>,
}

/// A moment as the files spell it, ISO 8601 in UTC: `2026-03-01T08:30:00.000Z`.
pub fn iso(at: Timestamp) -> String {
    time::iso(at)
}

/// The UUID of a message in files; the same message always has the same.
pub fn message_uuid(meeting: &MeetingId, message: MessageId) -> String {
    names::uuid(&["message", meeting.as_str(), &message.to_string()])
}

/// The UUID of the message that stands in files for a turn that was let go by.
pub fn passed_uuid(meeting: &MeetingId, turn: TurnId) -> String {
    names::uuid(&["turn", meeting.as_str(), &turn.to_string()])
}
