//! The durable, append-only log of meetings.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{Read, Write};
use std::sync::{Arc, Mutex};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use futures::future::BoxFuture;
use quorate_contract::{Event, MeetingId};
use quorate_core::{Meeting, STATE_FORMAT};
use quorate_messages::{Language, Message};

use crate::stored_fault::Fault;

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

/// The reason why a journal could not append or read events.
#[derive(Debug, Clone, thiserror::Error)]
pub enum JournalError {
    /// Another process has appended in between; nothing was written.
    #[error("meeting {meeting} has {found} events where {expected} were expected")]
    Conflict {
        /// The meeting.
        meeting: MeetingId,
        /// The number of events the writer knew of.
        expected: u64,
        /// The number of events there are.
        found: u64,
    },
    /// Another process runs the meeting; nothing was written.
    #[error("meeting {meeting} runs at node {node}")]
    Elsewhere {
        /// The meeting.
        meeting: MeetingId,
        /// The name of the process.
        node: String,
        /// Where it is reached over HTTP, if it is.
        address: Option<String>,
    },
    /// The meeting does not exist.
    #[error("there is no meeting {0}")]
    NoSuchMeeting(MeetingId),
    /// The storage did not do its part. Nothing of what was asked may be relied on.
    #[error("{}", fault.situation(detail))]
    Unavailable {
        /// The storage fault.
        fault: StorageFault,
        /// The error text of the storage; may be empty.
        detail: Message,
    },
    /// The stored data is not what was written.
    #[error("event {seq} of meeting {meeting} cannot be read: {}", detail.text(Language::En))]
    Damaged {
        /// The meeting.
        meeting: MeetingId,
        /// The event.
        seq: u64,
        /// What is wrong with it.
        detail: Message,
    },
}

impl JournalError {
    /// What to do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::Conflict { .. } => {
                "another process works on this meeting; read it again and repeat".to_owned()
            }
            Self::Elsewhere { .. } => {
                "ask that node; or wait until it is done, or gone for ten seconds".to_owned()
            }
            Self::NoSuchMeeting(_) => "look at the list of meetings".to_owned(),
            Self::Unavailable { fault, .. } => fault.hint().to_owned(),
            Self::Damaged { .. } => {
                "what comes before it can still be exported; restore the database from a backup, or have the \
                 operator verify it"
                    .to_owned()
            }
        }
    }

    /// Whether a retry can help, and what has to happen before.
    pub fn recovery(&self) -> Recovery {
        match self {
            Self::Unavailable { fault, .. } => fault.recovery(),
            Self::Conflict { .. }
            | Self::Elsewhere { .. }
            | Self::NoSuchMeeting(_)
            | Self::Damaged { .. } => Recovery::Never,
        }
    }
}

/// A fault of the storage of a journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StorageFault {
    /// There is no space left, or the quota is used up.
    Full,
    /// The storage is read-only.
    ReadOnly,
    /// The file was removed, moved away or replaced while it was in use.
    Gone,
    /// The storage cannot be opened: permissions, a missing folder.
    Inaccessible,
    /// Another program holds it.
    Busy,
    /// The server of the database cannot be reached.
    Unreachable,
    /// The disk reports an error.
    Disk,
    /// The structure of the database is damaged, not merely one event.
    Corrupt,
    /// There is not enough memory.
    OutOfMemory,
    /// The thread that writes has ended.
    Stopped,
    /// A fault of Quorate: something was asked of the storage that it cannot do.
    Bug,
}

/// What has to happen before a retry of a journal operation can help.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Recovery {
    /// Time alone: asking again in a moment may do.
    Soon,
    /// A person has to repair the storage: free space, put the file back. After that the same process can
    /// continue.
    WhenMended,
    /// Asking again does not help in this process.
    Never,
}

impl StorageFault {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Full,
        Self::ReadOnly,
        Self::Gone,
        Self::Inaccessible,
        Self::Busy,
        Self::Unreachable,
        Self::Disk,
        Self::Corrupt,
        Self::OutOfMemory,
        Self::Stopped,
        Self::Bug,
    ];

    /// Its name in JSON and metrics: `full`, `read_only`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::ReadOnly => "read_only",
            Self::Gone => "gone",
            Self::Inaccessible => "inaccessible",
            Self::Busy => "busy",
            Self::Unreachable => "unreachable",
            Self::Disk => "disk",
            Self::Corrupt => "corrupt",
            Self::OutOfMemory => "out_of_memory",
            Self::Stopped => "stopped",
            Self::Bug => "bug",
        }
    }

    /// Whether a retry can help, and what has to happen before.
    pub fn recovery(self) -> Recovery {
        match self {
            Self::Busy | Self::OutOfMemory => Recovery::Soon,
            Self::Full
            | Self::ReadOnly
            | Self::Gone
            | Self::Inaccessible
            | Self::Unreachable
            | Self::Disk => Recovery::WhenMended,
            Self::Corrupt | Self::Stopped | Self::Bug => Recovery::Never,
        }
    }

    /// A description in a few words.
    pub fn description(self) -> &'static str {
        match self {
            Self::Full => "the disk of the database is full",
            Self::ReadOnly => "the database is read-only",
            Self::Gone => "the file of the database is gone",
            Self::Inaccessible => "the database cannot be opened",
            Self::Busy => "another program holds the database",
            Self::Unreachable => "the server of the database cannot be reached",
            Self::Disk => "the disk of the database reports an error",
            Self::Corrupt => "the database is damaged",
            Self::OutOfMemory => "there is not enough memory",
            Self::Stopped => "the writer of the database has stopped",
            Self::Bug => "the database refuses",
        }
    }

    /// The same with what the storage itself said.
    fn situation(self, detail: &Message) -> String {
        match detail.text(Language::En).as_str() {
            "" => self.description().to_owned(),
            detail => format!("{} ({detail})", self.description()),
        }
    }

    /// What to do about it.
    pub fn hint(self) -> &'static str {
        match self {
            Self::Full => {
                "free some space on the disk of the database; meetings then go on by themselves, and nothing \
                 that was acknowledged is lost"
            }
            Self::ReadOnly => {
                "check the permissions of the database and its folder, and that the disk is not mounted \
                 read-only; meetings then go on by themselves"
            }
            Self::Gone => {
                "put the same file back where it was, and meetings go on; or stop Quorate, restore a backup, and \
                 start it again"
            }
            Self::Inaccessible => "check that the file exists and that its folder may be written",
            Self::Unreachable => {
                "check that the server of the database runs and can be reached from here; meetings then go on by \
                 themselves, and nothing that was acknowledged is lost"
            }
            Self::Busy => "close what else has the database open, then try again",
            Self::Disk => {
                "check the disk and its limits, then verify the database; what was acknowledged was on the disk"
            }
            Self::Corrupt => "verify the database to see the extent, and restore it from a backup",
            Self::OutOfMemory => "close other programs, then try again",
            Self::Stopped => "start Quorate again and continue the meeting; this is a bug, please report it",
            Self::Bug => {
                "verify the database; if nothing is found, this is a bug in Quorate: please report it"
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

    /// Takes a meeting that is to run in this process, where several processes share the journal.
    ///
    /// # Errors
    /// [`JournalError::Elsewhere`] when another one runs it.
    fn claim(&self, meeting: &MeetingId) -> BoxFuture<'static, Result<(), JournalError>> {
        let _ = meeting;
        Box::pin(std::future::ready(Ok(())))
    }

    /// Whether [`keep_snapshot`](Self::keep_snapshot) has an effect for this meeting.
    fn keeps_snapshots(&self, meeting: &MeetingId) -> bool {
        let _ = meeting;
        false
    }

    /// The last snapshot of a meeting in [`STATE_FORMAT`] that matches a prefix of its log, with the records
    /// after it; without one, all records.
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

    /// Keeps beside the log why a meeting runs no more, or with `None` that it runs again.
    fn keep_fault(
        &self,
        meeting: MeetingId,
        fault: Option<Fault>,
    ) -> BoxFuture<'static, Result<(), JournalError>> {
        let _ = (meeting, fault);
        Box::pin(std::future::ready(Ok(())))
    }
}

/// The last snapshot of a meeting that can be used, and the records after it.
pub type Resumed = (Option<Snapshot>, Vec<Record>);

/// The state of a meeting after some event, so that its log need not be folded from the first one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The last event that was folded.
    pub seq: u64,
    /// The format of the bytes: [`STATE_FORMAT`].
    pub format: String,
    /// SHA-256 of the state as JSON: the meeting's `state_hash`.
    pub state_hash: String,
    /// The state as JSON, compressed with gzip. Those of older versions are not compressed.
    pub state: Vec<u8>,
}

/// The first bytes of gzip.
const GZIP: [u8; 2] = [0x1f, 0x8b];
/// The largest state that is read, in bytes of JSON.
const MOST_STATE: u64 = 1 << 30;

impl Snapshot {
    /// Takes one. Costs somewhat more than writing the meeting as JSON.
    pub fn of(meeting: &Meeting) -> Self {
        let (state, state_hash) = meeting.to_state();
        let mut compressed = GzEncoder::new(Vec::with_capacity(state.len() / 4), Compression::fast());
        let compressed = compressed.write_all(&state).and_then(|()| compressed.finish());
        // Memory takes whatever is written to it.
        let state = compressed.unwrap_or(state);
        Self { seq: meeting.seq, format: STATE_FORMAT.to_owned(), state_hash, state }
    }

    /// The meeting, when the snapshot is one of it that can be relied on.
    pub fn meeting(&self, id: &MeetingId) -> Option<Meeting> {
        if self.format != STATE_FORMAT {
            return None;
        }
        let state = self.json().inspect_err(|error| tracing::warn!(%error, %id, "a snapshot is left aside"));
        let meeting = Meeting::from_state(&state.ok()?, &self.state_hash);
        let meeting =
            meeting.inspect_err(|error| tracing::warn!(%error, %id, "a snapshot is left aside")).ok()?;
        (meeting.id == *id && meeting.seq == self.seq).then_some(meeting)
    }

    /// About how many bytes the state has as JSON.
    pub fn size(&self) -> usize {
        // The end of gzip says how much it was.
        match self.state.last_chunk::<4>() {
            Some(length) if self.state.starts_with(&GZIP) => {
                usize::try_from(u32::from_le_bytes(*length)).unwrap_or(usize::MAX)
            }
            _ => self.state.len(),
        }
    }

    fn json(&self) -> std::io::Result<Cow<'_, [u8]>> {
        if !self.state.starts_with(&GZIP) {
            return Ok(Cow::Borrowed(&self.state));
        }
        let mut state = Vec::new();
        GzDecoder::new(&*self.state).take(MOST_STATE).read_to_end(&mut state)?;
        Ok(Cow::Owned(state))
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
