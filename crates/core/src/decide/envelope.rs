//! The envelope of an event: which meeting and run it belongs to, its number, its time, and who it is ascribed to.
//!
//! Envelopes are made here and nowhere else (`cargo xtask tidy` checks it).

use quorate_contract::{Actor, ContractVersion, Event, EventBody, MeetingId, RunId, Timestamp};

/// What the envelopes of one step or one import have in common.
pub(super) struct Envelope<'a> {
    pub(super) meeting: &'a MeetingId,
    pub(super) run: &'a RunId,
    pub(super) cause: &'a str,
}

impl Envelope<'_> {
    /// Event `seq` of the log.
    pub(super) fn around(&self, body: EventBody, seq: u64, at: Timestamp, actor: Actor) -> Event {
        Event {
            version: ContractVersion,
            seq,
            meeting_id: self.meeting.clone(),
            run_id: self.run.clone(),
            ts_ms: at,
            actor,
            cause: self.cause.to_owned(),
            body,
        }
    }

    /// The same event in the log of this meeting, which begins with a copy of another's.
    pub(super) fn readdressed(&self, event: Event) -> Event {
        Event { meeting_id: self.meeting.clone(), ..event }
    }
}
