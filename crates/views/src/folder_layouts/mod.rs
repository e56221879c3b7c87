//! Meetings as folders of JSON files, in the `meetings/` layout and in the `rooms` layout.
//!
//! The log is the truth; these folders exchange meetings with other programs. Data without a field in a
//! layout is not exported (docs/layout.md lists it). No key is ever written to a file, and none is read from
//! one.

mod check;
mod error;
mod export;
mod export_meeting;
mod export_room;
mod files;
mod folder_export;
mod import;
mod import_meeting;
mod import_room;
mod meetings;
mod names;
mod room_details;
mod rooms;
mod secrets;
mod sources;
mod time;
mod uploads;

use std::collections::BTreeMap;

pub use error::LayoutError;
pub use export::export;
pub use files::{FILE_MAX_BYTES, Files, files, merge, read};
pub use folder_export::{FolderContent, FolderExport, SIGNATURES, WORK, signed_log};
pub use import::{Imported, import};
pub use import_meeting::newcomers;
pub use meetings::*;
pub use room_details::{RoomDisplay, RoomExtension};
pub use rooms::*;
pub use sources::{MessageExtension, MessageSource};
pub use uploads::{CHECKSUMS, UPLOADS, UploadReference, Uploads, read_checksums, upload_references};

use quorate_contract::{AttachedFile, FileId, MeetingId, MessageId, Timestamp, TurnId};

/// The files of a folder, in either layout or both.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Layout {
    /// `agents/*.json` of the `meetings/` layout, in the order of their ids.
    pub agents: Vec<AgentFile>,
    /// `meetings/*.json` of the `meetings/` layout.
    pub meetings: Vec<MeetingFile>,
    /// `agents.json` of the `rooms` layout.
    pub room_agents: Vec<RoomAgent>,
    /// `rooms.json` of the `rooms` layout.
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

/// The UUID of the message that stands for an attached file in files.
pub fn file_uuid(meeting: &MeetingId, file: FileId) -> String {
    names::uuid(&["file", meeting.as_str(), &file.to_string()])
}

/// The place of an attached file's content in the folder: `uploads/MEETING/f1-costs.csv`.
pub fn upload_path(meeting: &MeetingId, file: &AttachedFile) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_');
    let name: String = file.name.chars().map(|c| if is_plain(c) { c } else { '_' }).take(120).collect();
    format!("uploads/{meeting}/{}-{name}", file.id)
}

/// The UUID of the message that stands for a skipped turn in files.
pub fn passed_uuid(meeting: &MeetingId, turn: TurnId) -> String {
    names::uuid(&["turn", meeting.as_str(), &turn.to_string()])
}
