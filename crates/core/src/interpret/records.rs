//! Reads minutes and artifacts, and lets them through the gate or says what is wrong with them.

use quorate_contract::{ArtifactKind, Minutes};
use quorate_messages::Message;
use serde_json::Value;

use super::response::ParsedResponse;
use crate::records;
use crate::state::Meeting;

/// Reads minutes, each line of which cites existing messages.
pub(super) fn minutes(heard: &ParsedResponse<'_>, meeting: &Meeting) -> Result<Minutes, Message> {
    let marks: &[&str] = &["content", "summary", "decisions", "actions", "risks"];
    records::read_minutes(meeting, &heard.object(&[marks])?)
}

/// Reads an artifact that fits the schema of its kind and cites existing messages.
pub(super) fn artifact(
    heard: &ParsedResponse<'_>,
    meeting: &Meeting,
    kind: ArtifactKind,
) -> Result<Value, Message> {
    let marks: &[&str] = match kind {
        ArtifactKind::Adr => &["title", "status", "context", "decision", "options", "consequences"],
        ArtifactKind::Tasks => &["tasks"],
        ArtifactKind::Risks => &["risks"],
        ArtifactKind::Minutes => &["content", "summary", "decisions", "actions", "risks"],
        ArtifactKind::Summary => &["summary", "key_points", "open_questions"],
    };
    records::read_artifact(meeting, kind, heard.object(&[marks])?)
}
