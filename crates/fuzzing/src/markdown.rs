//! Markdown of participants, as the page of an export, as a report and as a transcript.

use std::sync::LazyLock;

use quorate_contract::{Event, EventBody, MeetingId, RunId};
use quorate_core::{Meeting, apply};
use quorate_print::Options;

static LOG: LazyLock<Vec<Event>> = LazyLock::new(|| crate::fixtures::log("en/room"));

/// Takes one input.
///
/// # Panics
/// When something does not hold.
pub fn markdown(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut meeting = Meeting::blank(MeetingId::new("m"), RunId::new("r"));
    let mut events = Vec::new();
    for event in LOG.iter() {
        let mut event = event.clone();
        match &mut event.body {
            EventBody::AgentMessage { message, .. } => message.content = text.clone().into_owned(),
            EventBody::ConclusionWritten { conclusion, .. } => *conclusion = text.clone().into_owned(),
            _ => {}
        }
        apply(&mut meeting, &event);
        events.push((event.to_json(), event));
    }
    let options = Options::default();
    let page =
        quorate_print::html(&meeting, events.iter().map(|(line, event)| (line.as_str(), event)), &options);
    assert_eq!(page.matches("<script").count(), EMPTY.matches("<script").count(), "no text opens a script");
    quorate_print::markdown(&meeting, &options);
}

/// The same page with harmless texts.
static EMPTY: LazyLock<String> = LazyLock::new(|| {
    let mut meeting = Meeting::blank(MeetingId::new("m"), RunId::new("r"));
    LOG.iter().for_each(|event| apply(&mut meeting, event));
    let lines: Vec<String> = LOG.iter().map(Event::to_json).collect();
    quorate_print::html(&meeting, lines.iter().map(String::as_str).zip(LOG.iter()), &Options::default())
});
