//! The durable, append-only log of meetings.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use futures::future::BoxFuture;
use quorate_core::{Event, Meeting, MeetingId, STATE_FORMAT};

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

    /// Whether [`keep_snapshot`](Self::keep_snapshot) does anything for this meeting.
    fn keeps_snapshots(&self, meeting: &MeetingId) -> bool {
        let _ = meeting;
        false
    }

    /// The last snapshot of a meeting that is in [`STATE_FORMAT`] and stands at a prefix of its log,
    /// with the records after it; without one, all records.
    fn resume(&self, meeting: MeetingId) -> BoxFuture<'static, Result<Resumed, JournalError>> {
        let all = self.read(meeting, 0);
        Box::pin(async move { Ok((None, all.await?)) })
    }

    /// Keeps a snapshot in the place of older ones. The log is the truth: losing a snapshot costs
    /// time and nothing else.
    fn keep_snapshot(
        &self,
        meeting: MeetingId,
        snapshot: Snapshot,
    ) -> BoxFuture<'static, Result<(), JournalError>> {
        let _ = (meeting, snapshot);
        Box::pin(std::future::ready(Ok(())))
    }
}

/// The last snapshot of a meeting that can be used, and the records after it.
pub type Resumed = (Option<Snapshot>, Vec<Record>);

/// What a meeting's log came to by some event, so that it need not be folded from the first one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The last event that was folded.
    pub seq: u64,
    /// What the bytes mean: [`STATE_FORMAT`].
    pub format: String,
    /// SHA-256 of the bytes: the meeting's `state_hash`.
    pub state_hash: String,
    /// The state.
    pub state: Vec<u8>,
}

impl Snapshot {
    /// Takes one. Costs about as much as writing the meeting as JSON.
    pub fn of(meeting: &Meeting) -> Self {
        let (state, state_hash) = meeting.to_state();
        Self { seq: meeting.seq, format: STATE_FORMAT.to_owned(), state_hash, state }
    }

    /// The meeting, when the snapshot is one of it that can be relied on.
    pub fn meeting(&self, id: &MeetingId) -> Option<Meeting> {
        if self.format != STATE_FORMAT {
            return None;
        }
        let meeting = Meeting::from_state(&self.state, &self.state_hash);
        let meeting =
            meeting.inspect_err(|error| tracing::warn!(%error, %id, "a snapshot is left aside")).ok()?;
        (meeting.id == *id && meeting.seq == self.seq).then_some(meeting)
    }
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
