//! The exported part of a log, and its chain of checksums.
//!
//! An event with a hidden part is exported as its checksum alone. Where the rest of it may be read, it is
//! added and marked as partial: the checksum does not cover it.

use quorate_contract::hex::to_hex;
use quorate_contract::{CONTRACT_VERSION, Event, chain};
use quorate_core::Meeting;
use quorate_views::Viewer;
use serde::Serialize;
use serde_json::Value;

/// One exported event.
#[derive(Debug, Serialize)]
pub(crate) struct ExportedEvent {
    /// The checksum of this event and of all before it, in hexadecimal digits: all 64, or the first [`chain::BEGUN_DIGITS`].
    hash: String,
    /// The line as it is stored; none when it is withheld.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<String>,
    /// The visible part of a withheld event, or an event that an older version wrote, as the present one reads it.
    #[serde(skip_serializing_if = "Option::is_none")]
    shown: Option<Value>,
    /// Whether `shown` is the event without its hidden part, rather than its type alone.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    partly: bool,
}

impl ExportedEvent {
    /// The event as far as it is handed on.
    pub(crate) fn event(&self) -> Value {
        match (&self.shown, &self.line) {
            (Some(shown), _) => shown.clone(),
            (None, line) => {
                line.as_ref().and_then(|line| serde_json::from_str(line).ok()).unwrap_or_default()
            }
        }
    }
}

/// The stored lines of a complete log, in order, each with its checksum, as far as a reader may see them.
pub(crate) fn kept<'a>(
    meeting: &Meeting,
    log: impl IntoIterator<Item = (&'a str, &'a Event)>,
    reader: Viewer,
) -> Vec<ExportedEvent> {
    let mut hash = chain::beginning(&meeting.id);
    let present = format!("{{\"version\":{CONTRACT_VERSION},");
    let one = |(line, event): (&str, &Event)| {
        hash = chain::next(&hash, line.as_bytes());
        let hash = to_hex(&hash);
        let Some(shown) = reader.line(event) else {
            let shown = (!line.starts_with(&present)).then(|| whole(event));
            return ExportedEvent { hash, line: Some(line.to_owned()), shown, partly: false };
        };
        let shown: Value = serde_json::from_str(&shown).expect("a line is JSON");
        let partly = shown["payload"]["withheld"] != true;
        ExportedEvent { hash, line: None, shown: Some(shown), partly }
    };
    log.into_iter().map(one).collect()
}

/// One checksum in so many stays whole.
const WHOLE_EVERY: usize = 64;

/// The size of the lines, in bytes.
pub(crate) fn bytes(events: &[ExportedEvent]) -> usize {
    events.iter().filter_map(|event| event.line.as_ref()).map(String::len).sum()
}

/// Shortens the checksums that follow from the lines; no compression makes them smaller, and they are the larger part of
/// a long page. The last one of all and the last one before a withheld event stay whole: nothing after them would
/// show a change. The signature is about all of them, as the reader works them out.
pub(crate) fn shorten(events: &mut [ExportedEvent]) {
    for place in 0..events.len() {
        let is_followed = events.get(place + 1).is_some_and(|next| next.line.is_some());
        let event = &mut events[place];
        if is_followed && event.line.is_some() && !(place + 1).is_multiple_of(WHOLE_EVERY) {
            event.hash.truncate(chain::BEGUN_DIGITS);
        }
    }
}

fn whole(event: &Event) -> Value {
    serde_json::to_value(event).expect("an event has only text keys")
}
