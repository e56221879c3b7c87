//! The durable, append-only log of meetings.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use futures::future::BoxFuture;
use quorate_core::{Event, MeetingId};

/// An event together with the line of JSON that is stored, streamed and replayed for it.
/// The line is written once, so that all three are the same bytes.
#[derive(Debug, Clone)]
pub struct Record {
    /// The event.
    pub event: Arc<Event>,
    /// Its JSON, one line, without the line feed.
    pub line: Arc<str>,
}

impl Record {
    /// Writes the event's line.
    pub fn of(event: Event) -> Self {
        let line = event.to_json().into();
        Self { event: Arc::new(event), line }
    }
}

/// Why a journal could not take or give events.
#[derive(Debug, Clone, thiserror::Error)]
pub enum JournalError {
    /// Somebody else has appended in between; nothing was written.
    #[error("meeting {meeting} has {found} events where {expected} were expected")]
    Conflict {
        /// The meeting.
        meeting: MeetingId,
        /// The number of events the writer knew of.
        expected: u64,
        /// The number of events there are.
        found: u64,
    },
    /// There is no such meeting.
    #[error("there is no meeting {0}")]
    NoSuchMeeting(MeetingId),
    /// The storage failed: full, read-only, gone.
    #[error("the journal cannot be written: {detail}")]
    Unavailable {
        /// What the storage said.
        detail: String,
        /// What to do about it.
        hint: String,
    },
    /// What is stored is not what was written.
    #[error("event {seq} of meeting {meeting} cannot be read: {detail}")]
    Damaged {
        /// The meeting.
        meeting: MeetingId,
        /// The event.
        seq: u64,
        /// What is wrong with it.
        detail: String,
    },
}

impl JournalError {
    /// What to do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::Conflict { .. } => {
                "another process works on this meeting; read it again and repeat".to_owned()
            }
            Self::NoSuchMeeting(_) => "`quorate list` shows the meetings there are".to_owned(),
            Self::Unavailable { hint, .. } => hint.clone(),
            Self::Damaged { .. } => {
                "`quorate verify` shows the extent; restore the file from a backup".to_owned()
            }
        }
    }
}

/// Keeps the events of meetings. What `append` has acknowledged is durable.
pub trait Journal: Send + Sync {
    /// Appends records whose sequence numbers follow `expected`, all or none. Appending the same
    /// again with the same `expected` is a [`JournalError::Conflict`] and writes nothing.
    fn append(
        &self,
        meeting: MeetingId,
        expected: u64,
        records: Vec<Record>,
    ) -> BoxFuture<'static, Result<(), JournalError>>;

    /// Reads the records after sequence number `after`, in order.
    fn read(&self, meeting: MeetingId, after: u64) -> BoxFuture<'static, Result<Vec<Record>, JournalError>>;
}

/// A journal in memory: for tests, and for meetings that are to leave nothing on disk.
#[derive(Debug, Clone, Default)]
pub struct MemoryJournal(Arc<Mutex<HashMap<MeetingId, Vec<Record>>>>);

impl Journal for MemoryJournal {
    fn append(
        &self,
        meeting: MeetingId,
        expected: u64,
        records: Vec<Record>,
    ) -> BoxFuture<'static, Result<(), JournalError>> {
        let mut all = self.0.lock().expect("nobody panics while holding the journal");
        let log = all.entry(meeting.clone()).or_default();
        let found = log.len() as u64;
        let result = if found == expected {
            log.extend(records);
            Ok(())
        } else {
            Err(JournalError::Conflict { meeting, expected, found })
        };
        Box::pin(std::future::ready(result))
    }

    fn read(&self, meeting: MeetingId, after: u64) -> BoxFuture<'static, Result<Vec<Record>, JournalError>> {
        let all = self.0.lock().expect("nobody panics while holding the journal");
        let result = match all.get(&meeting) {
            Some(log) => Ok(log.iter().skip(after as usize).cloned().collect()),
            None => Err(JournalError::NoSuchMeeting(meeting)),
        };
        Box::pin(std::future::ready(result))
    }
}
