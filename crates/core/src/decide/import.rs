//! The log of a meeting that was held elsewhere.

use quorate_contract::{Event, EventBody, MeetingId, RunId, Timestamp};

use super::envelope::Envelope;
use crate::policy::queue;
use crate::state::{Meeting, actor_of, apply};

/// The cause of all events of an import.
const CAUSE: &str = "import";

/// A meeting under import: each event is folded at once, so that the next one fits.
#[derive(Debug, Clone, PartialEq)]
pub struct Import {
    meeting: Meeting,
    log: Vec<Event>,
}

impl Import {
    /// An import as a new meeting, without an event yet.
    pub fn begin(id: MeetingId, run: RunId) -> Self {
        Self { meeting: Meeting::blank(id, run), log: Vec::new() }
    }

    /// Makes something that happened elsewhere the next event. Whoever left or is offline leaves the queue with the one
    /// after it.
    ///
    /// The time of the log never runs backwards: an earlier `at` becomes the time of the event before.
    pub fn add(&mut self, at: Timestamp, body: EventBody) {
        let leaves = matches!(body, EventBody::ParticipantLeft { .. } | EventBody::PresenceChanged { .. });
        self.put(at, body);
        let last = self.log.last().filter(|_| leaves);
        let changed = last.and_then(|event| queue::change_after(&self.meeting, &event.body));
        changed.into_iter().for_each(|changed| self.put(at, changed));
    }

    fn put(&mut self, at: Timestamp, body: EventBody) {
        let meeting = &self.meeting;
        let (seq, at, actor) = (meeting.seq + 1, at.max(meeting.updated_at), actor_of(&body));
        let event =
            Envelope { meeting: &meeting.id, run: &meeting.run, cause: CAUSE }.around(body, seq, at, actor);
        apply(&mut self.meeting, &event);
        self.log.push(event);
    }

    /// The meeting so far.
    pub fn meeting(&self) -> &Meeting {
        &self.meeting
    }

    /// The events so far, the first one included.
    pub fn log(&self) -> &[Event] {
        &self.log
    }

    /// The meeting after its last event, and the whole log.
    pub fn into_parts(self) -> (Meeting, Vec<Event>) {
        (self.meeting, self.log)
    }
}
