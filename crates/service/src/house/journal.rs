//! Where the log of a meeting lies: in the database, or, off the record, in this process alone.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use futures::future::BoxFuture;
use quorate_core::MeetingId;
use quorate_engine::{Journal, JournalError, MemoryJournal, Record, Resumed, Snapshot};
use quorate_store::{MeetingSummary, SqliteStore};

/// A meeting that leaves nothing on the disk (003 §15).
#[derive(Clone, Default)]
struct OffRecord {
    log: MemoryJournal,
    password: Option<String>,
}

/// The database, and beside it the meetings that never come there.
pub struct RoutedJournal {
    store: SqliteStore,
    off: RwLock<HashMap<MeetingId, OffRecord>>,
}

impl RoutedJournal {
    /// A journal over a database, with nothing beside it yet.
    pub fn over(store: SqliteStore) -> Self {
        Self { store, off: RwLock::default() }
    }

    /// Keeps the log of a meeting here alone, from its first event on.
    pub fn keep_off_record(&self, meeting: MeetingId) {
        self.writing().insert(meeting, OffRecord::default());
    }

    pub(crate) fn is_off_record(&self, meeting: &MeetingId) -> bool {
        self.reading().contains_key(meeting)
    }

    /// Lets go of all that was said at it. Says whether there was such a meeting.
    pub(crate) fn forget(&self, meeting: &MeetingId) -> bool {
        self.writing().remove(meeting).is_some()
    }

    /// The hash of a meeting's password, when it has one.
    pub(crate) async fn password_hash(
        &self,
        meeting: &MeetingId,
    ) -> Result<Option<String>, quorate_store::StoreError> {
        let off = self.reading().get(meeting).map(|off| off.password.clone());
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
        if let Some(off) = self.writing().get_mut(meeting) {
            off.password = hash;
            return Ok(());
        }
        self.store.set_password_hash(meeting, hash).await
    }

    /// The meetings off the record as a list shows them, newest first.
    pub(crate) async fn summaries(&self) -> Vec<MeetingSummary> {
        let logs: Vec<(MeetingId, MemoryJournal)> =
            self.reading().iter().map(|(id, off)| (id.clone(), off.log.clone())).collect();
        let mut rows = Vec::with_capacity(logs.len());
        for (id, log) in logs {
            // One that is just being created has no event yet.
            let records = log.read(id.clone(), 0).await.unwrap_or_default();
            rows.extend(MeetingSummary::of(&id, records.iter().map(|record| &*record.event)));
        }
        rows.sort_by(|a, b| b.created_ms.cmp(&a.created_ms).then_with(|| b.id.cmp(&a.id)));
        rows
    }

    fn memory(&self, meeting: &MeetingId) -> Option<MemoryJournal> {
        self.reading().get(meeting).map(|off| off.log.clone())
    }

    fn reading(&self) -> RwLockReadGuard<'_, HashMap<MeetingId, OffRecord>> {
        self.off.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn writing(&self) -> RwLockWriteGuard<'_, HashMap<MeetingId, OffRecord>> {
        self.off.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Journal for RoutedJournal {
    fn append(
        &self,
        meeting: MeetingId,
        expected: u64,
        records: Vec<Record>,
    ) -> BoxFuture<'static, Result<(), JournalError>> {
        match self.memory(&meeting) {
            Some(log) => log.append(meeting, expected, records),
            // A loop that outlives its forgotten log expects events where the database has none: a conflict.
            None => self.store.append(meeting, expected, records),
        }
    }

    fn read(&self, meeting: MeetingId, after: u64) -> BoxFuture<'static, Result<Vec<Record>, JournalError>> {
        match self.memory(&meeting) {
            Some(log) => log.read(meeting, after),
            None => self.store.read(meeting, after),
        }
    }

    fn keeps_snapshots(&self, meeting: &MeetingId) -> bool {
        self.memory(meeting).is_none() && self.store.keeps_snapshots(meeting)
    }

    fn resume(&self, meeting: MeetingId) -> BoxFuture<'static, Result<Resumed, JournalError>> {
        match self.memory(&meeting) {
            Some(log) => log.resume(meeting),
            None => self.store.resume(meeting),
        }
    }

    fn keep_snapshot(
        &self,
        meeting: MeetingId,
        snapshot: Snapshot,
    ) -> BoxFuture<'static, Result<(), JournalError>> {
        match self.memory(&meeting) {
            Some(log) => log.keep_snapshot(meeting, snapshot),
            None => self.store.keep_snapshot(meeting, snapshot),
        }
    }
}
