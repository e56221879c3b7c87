//! The exported part of a log, and its chain of checksums.
//!
//! An event with a hidden part is exported as its checksum alone. Where the rest of it may be read, it is
//! added and marked as partial: the checksum does not cover it.

use quorate_contract::{BallotId, Event, EventBody, chain};
use quorate_core::Meeting;
use quorate_views::{Hidden, hidden, hidden_ballot};
use serde::Serialize;
use serde_json::Value;

/// One exported event.
#[derive(Debug, Serialize)]
pub(crate) struct Kept {
    /// The checksum of this event and of all before it, in hexadecimal digits.
    hash: String,
    /// The line as it was written; none when it is withheld.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<String>,
    /// The visible part of a withheld event.
    #[serde(skip_serializing_if = "Option::is_none")]
    shown: Option<Value>,
    /// Whether `shown` is the event without its hidden part, rather than its type alone.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    partly: bool,
}

impl Kept {
    /// The event as far as it is handed on.
    pub(crate) fn event(&self) -> Value {
        match (&self.line, &self.shown) {
            (Some(line), _) => serde_json::from_str(line).unwrap_or_default(),
            (None, shown) => shown.clone().unwrap_or_default(),
        }
    }
}

/// The lines of a complete log, in order, each with its checksum; hidden parts are left out unless
/// `with_marks`. A resume token is a key, and is always left out.
pub(crate) fn kept<'a>(
    meeting: &Meeting,
    log: impl IntoIterator<Item = (&'a str, &'a Event)>,
    with_marks: bool,
) -> Vec<Kept> {
    let open = hidden_ballot(meeting);
    let mut hash = chain::beginning(&meeting.id);
    let one = |(line, event): (&str, &Event)| {
        hash = chain::next(&hash, line.as_bytes());
        let hash = hash.iter().map(|byte| format!("{byte:02x}")).collect();
        let (shown, partly) = match left_out(&event.body, open, with_marks) {
            Hidden::Nothing => {
                return Kept { hash, line: Some(line.to_owned()), shown: None, partly: false };
            }
            Hidden::Field(field) => (without(event, Some(field)), true),
            Hidden::Payload => (without(event, None), false),
        };
        Kept { hash, line: None, shown: Some(shown), partly }
    };
    log.into_iter().map(one).collect()
}

/// The part of an event that is left out. A resume token is a key, so no reader gets it.
fn left_out(body: &EventBody, open: Option<BallotId>, with_marks: bool) -> Hidden {
    match (body, with_marks) {
        (EventBody::Pause { .. }, _) => Hidden::Field("resume_token"),
        (_, true) => Hidden::Nothing,
        (_, false) => hidden(body, open),
    }
}

/// The event without one field of its payload, or without any.
fn without(event: &Event, field: Option<&str>) -> Value {
    let mut value = serde_json::to_value(event).expect("an event has only text keys");
    if let Some(payload) = value["payload"].as_object_mut() {
        match field {
            Some(field) => drop(payload.remove(field)),
            None => payload.clear(),
        }
    }
    value
}
