//! Markdown of participants as pages of a PDF.

use std::borrow::Cow;
use std::sync::LazyLock;

use quorate_contract::{Event, EventBody, MeetingId, RunId};
use quorate_core::{Meeting, apply};
use quorate_print::{RenderJob, RenderRefusal, render};

static LOG: LazyLock<Vec<Event>> = LazyLock::new(|| crate::fixtures::log("en/room"));

/// Takes one input.
///
/// # Panics
/// When something does not hold.
pub fn pdf(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut meeting = Meeting::blank(MeetingId::new("m"), RunId::new("r"));
    let mut is_used = false;
    for event in LOG.iter() {
        let mut event = event.clone();
        match &mut event.body {
            // Once: setting pages is slow.
            EventBody::AgentMessage { message, .. } if !is_used => {
                (message.content, is_used) = (text.clone().into_owned(), true);
            }
            _ => {}
        }
        apply(&mut meeting, &event);
    }
    let job = RenderJob { meeting: Cow::Owned(meeting), with_marks: false, note: None, record: Vec::new() };
    match render(&job, None) {
        Ok(pages) => assert!(pages.starts_with(b"%PDF-"), "it is a PDF"),
        Err(RenderRefusal::NoChineseFont) => {}
        Err(refusal) => panic!("{refusal:?}"),
    }
}
