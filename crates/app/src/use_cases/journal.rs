//! The location of a meeting's log: the database, or, off the record, the memory of this process.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use futures::future::BoxFuture;
use quorate_contract::MeetingId;
use quorate_engine::{Fault, Journal, JournalError, MemoryJournal, Record, Resumed, Snapshot};
use quorate_store::{MeetingSummary, Store};
use tokio::sync::Notify;

/// A meeting off the record, which leaves nothing on the disk.
#[derive(Clone, Default)]
struct OffRecord {
    log: MemoryJournal,
    password: Option<String>,
}

/// The database, and beside it the meetings that never come there.
pub struct RoutedJournal {
    store: Store,
    /// The journal of the meetings that are stored.
    stored: Arc<dyn Journal>,
    off: RwLock<OffRecordMeetings>,
    /// Notified of events in the database.
    appended: Arc<Notify>,
}

/// The meetings that never come to the database.
#[derive(Default)]
struct OffRecordMeetings {
    held: HashMap<MeetingId, OffRecord>,
    /// Deleted meetings. A loop may outlive its log by a moment, and its late events must not be stored. An
    /// id takes a hundred bytes for as long as the process lives.
    forgotten: HashSet<MeetingId>,
}

/// The location of a meeting's log.
enum LogLocation {
    Memory(MemoryJournal),
    /// The meeting was off the record and has been deleted.
    Nowhere,
    Store,
}

impl RoutedJournal {
    /// A journal over a database, with nothing beside it yet; `stored` keeps the logs there, when it is not the database
    /// itself.
    pub fn over(store: Store, stored: Option<Arc<dyn Journal>>) -> Self {
        let stored = stored.unwrap_or_else(|| Arc::new(store.clone()));
        Self { store, stored, off: RwLock::default(), appended: Arc::default() }
    }

    /// Notified of events in the database, for one listener.
    pub(crate) fn appended(&self) -> Arc<Notify> {
        Arc::clone(&self.appended)
    }

    /// Keeps the log of a meeting here alone, from its first event on.
    pub fn keep_off_record(&self, meeting: MeetingId) {
        self.writing().held.insert(meeting, OffRecord::default());
    }

    pub(crate) fn is_off_record(&self, meeting: &MeetingId) -> bool {
        self.reading().held.contains_key(meeting)
    }

    /// Deletes the events of a meeting. Returns whether there was such a meeting.
    pub(crate) fn forget(&self, meeting: &MeetingId) -> bool {
        let mut off = self.writing();
        let was_there = off.held.remove(meeting).is_some();
        if was_there {
            off.forgotten.insert(meeting.clone());
        }
        was_there
    }

    /// The hash of a meeting's password, when it has one.
    pub(crate) async fn password_hash(
        &self,
        meeting: &MeetingId,
    ) -> Result<Option<String>, quorate_store::StoreError> {
        let off = self.reading().held.get(meeting).map(|off| off.password.clone());
        match off {
            Some(password) => Ok(password),
            None => self.store.password_hash(meeting).await,
        }
    }

    /// Keeps the hash of a meeting's password, or forgets it.
    pub(crate) async fn set_password_hash(
        &self,
        meeting: &MeetingId,
        hash: Option<String>,
    ) -> Result<(), quorate_store::StoreError> {
        {
            let mut off = self.writing();
            if let Some(off) = off.held.get_mut(meeting) {
                off.password = hash;
                return Ok(());
            }
            if off.forgotten.contains(meeting) {
                return Err(JournalError::NoSuchMeeting(meeting.clone()).into());
            }
        }
        self.store.set_password_hash(meeting, hash).await
    }

    /// The meetings off the record as a list shows them, newest first.
    pub(crate) async fn summaries(&self) -> Vec<MeetingSummary> {
        let logs: Vec<(MeetingId, MemoryJournal)> =
            self.reading().held.iter().map(|(id, off)| (id.clone(), off.log.clone())).collect();
        let mut rows = Vec::with_capacity(logs.len());
        for (id, log) in logs {
            // One that is just being created has no event yet.
            let records = log.read(id.clone(), 0).await.unwrap_or_default();
            rows.extend(MeetingSummary::of(&id, records.iter().map(|record| &*record.event)));
        }
        rows.sort_by(|a, b| b.created_ms.cmp(&a.created_ms).then_with(|| b.id.cmp(&a.id)));
        rows
    }

    fn place(&self, meeting: &MeetingId) -> LogLocation {
        let off = self.reading();
        match off.held.get(meeting) {
            Some(off) => LogLocation::Memory(off.log.clone()),
            None if off.forgotten.contains(meeting) => LogLocation::Nowhere,
            None => LogLocation::Store,
        }
    }

    fn reading(&self) -> RwLockReadGuard<'_, OffRecordMeetings> {
        self.off.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn writing(&self) -> RwLockWriteGuard<'_, OffRecordMeetings> {
        self.off.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The error for a meeting that has been deleted.
fn gone<T: Send + 'static>(meeting: MeetingId) -> BoxFuture<'static, Result<T, JournalError>> {
    Box::pin(std::future::ready(Err(JournalError::NoSuchMeeting(meeting))))
}

impl Journal for RoutedJournal {
    fn append(
        &self,
        meeting: MeetingId,
        expected: u64,
        records: Vec<Record>,
    ) -> BoxFuture<'static, Result<(), JournalError>> {
        match self.place(&meeting) {
            LogLocation::Memory(log) => log.append(meeting, expected, records),
            LogLocation::Nowhere => gone(meeting),
            LogLocation::Store => {
                let stored = self.stored.append(meeting, expected, records);
                let appended = Arc::clone(&self.appended);
                Box::pin(async move {
                    let stored = stored.await;
                    appended.notify_one();
                    stored
                })
            }
        }
    }

    fn read(&self, meeting: MeetingId, after: u64) -> BoxFuture<'static, Result<Vec<Record>, JournalError>> {
        match self.place(&meeting) {
            LogLocation::Memory(log) => log.read(meeting, after),
            LogLocation::Nowhere => gone(meeting),
            LogLocation::Store => self.stored.read(meeting, after),
        }
    }

    fn claim(&self, meeting: &MeetingId) -> BoxFuture<'static, Result<(), JournalError>> {
        match self.place(meeting) {
            LogLocation::Memory(_) => Box::pin(std::future::ready(Ok(()))),
            LogLocation::Nowhere => gone(meeting.clone()),
            LogLocation::Store => self.stored.claim(meeting),
        }
    }

    fn keeps_snapshots(&self, meeting: &MeetingId) -> bool {
        matches!(self.place(meeting), LogLocation::Store) && self.stored.keeps_snapshots(meeting)
    }

    fn resume(&self, meeting: MeetingId) -> BoxFuture<'static, Result<Resumed, JournalError>> {
        match self.place(&meeting) {
            LogLocation::Memory(log) => log.resume(meeting),
            LogLocation::Nowhere => gone(meeting),
            LogLocation::Store => self.stored.resume(meeting),
        }
    }

    fn keep_snapshot(
        &self,
        meeting: MeetingId,
        snapshot: Snapshot,
    ) -> BoxFuture<'static, Result<(), JournalError>> {
        match self.place(&meeting) {
            LogLocation::Memory(log) => log.keep_snapshot(meeting, snapshot),
            LogLocation::Nowhere => gone(meeting),
            LogLocation::Store => self.stored.keep_snapshot(meeting, snapshot),
        }
    }

    fn keep_fault(
        &self,
        meeting: MeetingId,
        fault: Option<Fault>,
    ) -> BoxFuture<'static, Result<(), JournalError>> {
        match self.place(&meeting) {
            LogLocation::Store => self.stored.keep_fault(meeting, fault),
            // What the process does not outlive needs not be known after it.
            LogLocation::Memory(_) | LogLocation::Nowhere => Box::pin(std::future::ready(Ok(()))),
        }
    }
}

#[cfg(test)]
mod tests {
    use quorate_contract::{Actor, ContractVersion, Event, EventBody, RunId, Timestamp};
    use quorate_core::Meeting;

    use super::*;

    #[tokio::test]
    async fn what_a_forgotten_meeting_still_writes_comes_to_no_disk() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(folder.path().join("quorate.db")).expect("a database");
        let journal = RoutedJournal::over(store.clone(), None);
        let id = MeetingId::new("m-zanzibar");
        journal.keep_off_record(id.clone());
        let event = |seq| Event {
            version: ContractVersion,
            seq,
            meeting_id: id.clone(),
            run_id: RunId::new("r"),
            ts_ms: Timestamp(1),
            actor: Actor::person("mia", "mia"),
            cause: "test".to_owned(),
            body: EventBody::Recovered { idle_ms: None },
        };
        let records = |seq| vec![Record::of(event(seq))];
        journal.append(id.clone(), 0, records(1)).await.expect("it is kept in memory");
        assert!(journal.forget(&id) && !journal.forget(&id));

        // The loop that held it does not know yet.
        assert!(!journal.keeps_snapshots(&id));
        let snapshot = Snapshot::of(&Meeting::blank(id.clone(), RunId::new("r")));
        let gone = |result: Result<(), JournalError>| {
            assert!(matches!(result, Err(JournalError::NoSuchMeeting(_))), "{result:?}");
        };
        gone(journal.keep_snapshot(id.clone(), snapshot).await);
        gone(journal.append(id.clone(), 1, records(2)).await);
        gone(journal.append(id.clone(), 0, records(1)).await);
        gone(journal.read(id.clone(), 0).await.map(|_| ()));
        gone(journal.resume(id.clone()).await.map(|_| ()));
        assert!(journal.set_password_hash(&id, Some("hash".to_owned())).await.is_err());
        assert_eq!(store.password_hash(&id).await.expect("a store"), None);
        assert!(store.meetings(10, 0).await.expect("a list").is_empty());
        for entry in std::fs::read_dir(folder.path()).expect("a folder") {
            let bytes = std::fs::read(entry.expect("an entry").path()).expect("a file");
            assert!(!bytes.windows(10).any(|window| window == b"m-zanzibar"));
        }
    }
}
