//! Reads minutes and artifacts, and lets them through the gate or says what is wrong with them.

use serde_json::Value;

use super::forms::object;
use crate::event::{ArtifactKind, Minutes};
use crate::meeting::Meeting;
use crate::records;

/// Minutes, each line of which rests on messages that are there (000 §13; 001 §J2).
pub(super) fn minutes(text: &str, meeting: &Meeting) -> Result<Minutes, String> {
    records::read_minutes(meeting, &object(text, meeting.language())?)
}

/// An artifact that fits the schema of its kind and rests on messages that are there.
pub(super) fn artifact(text: &str, meeting: &Meeting, kind: ArtifactKind) -> Result<Value, String> {
    records::read_artifact(meeting, kind, object(text, meeting.language())?)
}
