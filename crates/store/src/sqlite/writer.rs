//! The writer thread, and the group commit.
//!
//! A commit costs a flush of the disk, however much it carries. So the writer takes all waiting appends
//! (while one group is flushed, the next one gathers), commits them at once, and only then answers. A single
//! append does not wait: there is no window in which a group is collected.
//!
//! **After a failure** nothing is assumed. All appends of the group fail. The connection is dropped, because
//! a flush that failed once may report success when it is repeated. The next group opens a new connection,
//! and first writes the write-ahead log again and moves all of it into the database file, with flushes of its own: no append
//! is acknowledged on top of pages that may not have reached the disk. Requests that arrive in the meantime, and
//! within a moment, get the same error, so that they do not wait for a queue of attempts that fail alike.
//!
//! **A missing file** takes all writes to it along, and SQLite does not notice. So the writer checks that the
//! file is in its place before a commit and again before the commit is acknowledged. The connection is kept:
//! when the same file comes back, it continues. When only the write-ahead log was removed, all of it is moved
//! into the database before an append is acknowledged.
//!
//! **Checkpoints** (moving the write-ahead log into the database) are made by this thread, after the answers,
//! when the queue is empty and the log has 4 MiB; under continuous load, at 64 MiB. SQLite's automatic
//! checkpoint would run inside a commit every 4 MiB. A larger log is cheaper, since a page that changed ten
//! times moves once, and its cost is bounded: 64 MiB are read at the next start in well under a second.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;

use quorate_contract::MeetingId;
use quorate_engine::{JournalError, StorageFault};
use quorate_messages::message;
use rusqlite::wal::CheckpointMode;
use tokio::sync::mpsc;
use tokio::time::Instant;

use crate::append::{Append, GROUP_APPENDS, GROUP_BYTES, MeetingHead, insert};
use crate::audit_log::{self, UnsureAttempt, Waiting};

use super::in_line::DiskGate;
use super::place::wal_of;
use super::schema;
use super::unprepared::Unprepared;
use crate::error::{StoreError, contract_broken, unavailable};
use crate::health::{FileId, Health};
use crate::search::{Follower, index};
use crate::sql::{self, Behavior, Connection, Transaction};
use crate::sqlite::readers::Readers;
use crate::{audit_spool, catalogue, missing_rows, rebuild};

/// The length of the queue; when it is full, senders wait.
pub(crate) const QUEUE: usize = 1024;
/// The number of meetings whose row state is cached (some 200 bytes each).
const REMEMBERED: usize = 16_384;
/// Pages of 4 KiB in the write-ahead log from which on it is checkpointed when the queue is empty …
const CHECKPOINT_WHEN_IDLE: i32 = 1_000;
/// … and from which on it is emptied in any case.
const CHECKPOINT_AT_LAST: i32 = 16_000;

/// How long after a failed attempt other requests get the same error.
const SAME_ANSWER: Duration = Duration::from_millis(200);
/// How long the writer goes on indexing after its last sender is gone.
const LAST_INDEXING: Duration = Duration::from_secs(1);

/// A request to the writer.
pub(crate) enum Job {
    Append(Append),
    /// Index some of the new events.
    Index,
    /// Write the queued audit entries.
    Audit,
    /// Something was wrong: it is time to see whether it still is.
    Probe,
    /// A change outside the log, which answers its caller by itself.
    Change(Box<dyn FnOnce(&mut Writer) + Send>),
}

pub(crate) struct Writer {
    path: PathBuf,
    connection: Option<Connection>,
    known: HashMap<MeetingId, MeetingHead>,
    readers: Arc<Readers>,
    audit: Waiting,
    /// Attempts to write what waits that were reported as failed, and may be kept.
    audit_unsure: Vec<UnsureAttempt>,
    health: Health,
    /// The last failure and its time, while no later attempt has succeeded.
    failed: Option<(JournalError, Instant)>,
    /// The write-ahead log that commits go to; `None` before the first one.
    wal: Option<FileId>,
    /// `None` when nothing is indexed.
    search: Option<Follower>,
    /// The number of pages in the write-ahead log.
    log_pages: Arc<AtomicI32>,
    /// The number of pages from which on the next checkpoint is worth trying when the queue is empty.
    checkpoint_from: i32,
    /// What is asked about each commit.
    disk: DiskGate,
    /// What is to be done before the first write.
    unprepared: Option<Unprepared>,
}

impl Writer {
    pub(crate) fn new(
        path: PathBuf,
        connection: Connection,
        readers: Arc<Readers>,
        audit: Waiting,
        health: Health,
        search: Option<Follower>,
    ) -> Self {
        let mut writer = Self {
            path,
            connection: None,
            known: HashMap::new(),
            readers,
            audit,
            audit_unsure: Vec::new(),
            health,
            failed: None,
            wal: None,
            search,
            log_pages: Arc::default(),
            checkpoint_from: CHECKPOINT_WHEN_IDLE,
            disk: DiskGate::default(),
            unprepared: None,
        };
        writer.connection = writer.watch(connection).ok();
        writer
    }

    /// The same, with something to be done before the first write.
    pub(crate) fn unprepared(mut self, unprepared: Option<Unprepared>) -> Self {
        if let Some(error) = unprepared.as_ref().and_then(|unprepared| unprepared.error.clone()) {
            self.note_failure(error);
        }
        self.unprepared = unprepared;
        self
    }

    /// The same, asking `disk` about each commit.
    pub(crate) fn over(mut self, disk: DiskGate) -> Self {
        self.disk = disk;
        self
    }

    /// Does one job where there is no queue.
    pub(crate) fn work_alone(&mut self, job: Job) {
        match job {
            Job::Append(append) => self.append(&mut vec![append]),
            Job::Index => _ = self.index(false),
            Job::Audit => self.drain_audit(),
            Job::Probe => self.probe(),
            Job::Change(change) => change(self),
        }
        self.write_audit();
        self.checkpoint_if_worth_it(true);
    }

    /// Runs until all senders are gone.
    pub(crate) fn run(mut self, mut queue: mpsc::Receiver<Job>) {
        let mut group = Vec::with_capacity(GROUP_APPENDS);
        self.drain_audit();
        let mut next = queue.blocking_recv();
        while let Some(job) = next.take() {
            match job {
                Job::Append(first) => {
                    next = gather(first, &mut group, &mut queue);
                    self.append(&mut group);
                }
                Job::Index => _ = self.index(!queue.is_empty()),
                // What waits here is written below, as after any job.
                Job::Audit => self.drain_audit(),
                Job::Probe => self.probe(),
                Job::Change(change) => change(&mut self),
            }
            self.write_audit();
            let idle = next.is_none() && queue.is_empty();
            self.checkpoint_if_worth_it(idle);
            next = next.or_else(|| queue.blocking_recv());
        }
        self.write_audit();
        // The last appends are indexed, so that the next search finds them.
        let begun = Instant::now();
        while self.index(false) && begun.elapsed() < LAST_INDEXING {}
    }

    /// Writes the entries for the audit log that have gathered. What cannot be written is tried
    /// again after the next job.
    pub(crate) fn write_audit(&mut self) {
        if self.audit.is_empty() {
            return;
        }
        let (entries, lost) = self.audit.take();
        let mut unsure = std::mem::take(&mut self.audit_unsure);
        let written = self.change(|connection| {
            // An attempt that was reported as failed may be there all the same; its checksum covers all of it.
            let (_, end) = missing_rows::end_of_audit(connection)?;
            unsure.retain(|attempt| attempt.end == end);
            let (known, known_lost) = unsure.last().map_or((0, 0), |kept| (kept.entries, kept.lost));
            let end = audit_log::write(connection, &entries[known..], lost - known_lost)?;
            unsure.push(UnsureAttempt { end, entries: entries.len(), lost });
            Ok(())
        });
        if let Err(error) = written {
            tracing::warn!(%error, entries = entries.len(), "the audit log could not be written");
            self.audit.put_back(entries, lost);
            self.audit_unsure = unsure;
        }
    }

    /// Writes the entries for the audit log that processes beside this one have left. What cannot be written stays
    /// there.
    fn drain_audit(&mut self) {
        // What waits here is at the end of the audit log or not; nothing may come after it before that is known.
        self.write_audit();
        if !self.audit_unsure.is_empty() {
            return;
        }
        let taken = audit_spool::SpooledEntries::take(&self.path).map_err(|error| unwritten(&error));
        let Ok(Some(left)) = taken else { return };
        let written =
            self.change(|connection| Ok(audit_log::write(connection, &left.entries, 0).map(|_| ())?));
        match written {
            Ok(()) => _ = left.done().map_err(|error| unwritten(&error)),
            Err(error) => unwritten(&error),
        }
    }

    /// Commits a group and answers all its callers.
    fn append(&mut self, group: &mut Vec<Append>) {
        match self.commit(group) {
            Ok(verdicts) => {
                if let Some(search) = &mut self.search {
                    search.appended();
                }
                for (append, verdict) in group.drain(..).zip(verdicts) {
                    // Who has gone away finds the events when it reads.
                    let _ = append.reply.send(verdict);
                }
            }
            Err(error) => {
                tracing::debug!(%error, appends = group.len(), "nothing of this group is acknowledged");
                for append in group.drain(..) {
                    let _ = append.reply.send(Err(error.clone()));
                }
            }
        }
    }

    /// Commits the whole group in one transaction, and returns the result of each append. On an error,
    /// nothing of the group may be taken as stored.
    fn commit(&mut self, group: &[Append]) -> Result<Vec<Result<(), JournalError>>, JournalError> {
        let connection = self.open()?;
        let mut known = std::mem::take(&mut self.known);
        if known.len() > REMEMBERED {
            known.clear();
        }
        let committed = (|| {
            connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
            let mut verdicts = Vec::with_capacity(group.len());
            for append in group {
                verdicts.push(insert(&connection, &mut known, append)?);
            }
            for append in group {
                if let Some(meeting) = known.get_mut(&append.meeting)
                    && std::mem::take(&mut meeting.behind)
                {
                    catalogue::update(&connection, meeting.key, &meeting.standing)?;
                }
            }
            self.disk.before_commit()?;
            connection.prepare_cached("COMMIT")?.execute([])?;
            self.disk.after_commit()?;
            Ok(verdicts)
        })();
        let verdicts = committed.map_err(|error| self.gave_up(&error))?;
        self.believe(connection)?;
        self.known = known;
        Ok(verdicts)
    }

    /// Takes out the connection. After a success, [`Self::believe`] puts it back, so that no failure can
    /// leave a doubtful one behind.
    fn open(&mut self) -> Result<Connection, JournalError> {
        self.health.still_there().map_err(|error| self.note_failure(error))?;
        if let Some((error, at)) = &self.failed
            && at.elapsed() < SAME_ANSWER
        {
            return Err(error.clone());
        }
        if let Some(connection) = self.connection.take() {
            return self.prepared(connection);
        }
        self.readers.close_idle();
        let opened = (|| {
            // Before anything of the log is moved, all of it is on the disk.
            self.disk.write_again(&wal_of(&self.path))?;
            let connection = schema::connect_for_writing(&self.path, &self.disk)?;
            connection.wal_checkpoint_v2(None::<&str>, CheckpointMode::TRUNCATE)?;
            self.readers.keep_index()?;
            Ok(self.watch(Connection::Sqlite(connection))?)
        })();
        self.wal = None;
        let connection = opened.map_err(|error| self.gave_up(&error))?;
        self.prepared(connection)
    }

    /// The connection, when what is to be done before the first write is done.
    fn prepared(&mut self, connection: Connection) -> Result<Connection, JournalError> {
        let Some(unprepared) = &self.unprepared else { return Ok(connection) };
        match unprepared.finish(&connection) {
            Ok(()) => {
                self.unprepared = None;
                Ok(connection)
            }
            Err(StoreError::Journal(error)) => {
                self.forget_everything();
                Err(self.note_failure(error))
            }
            Err(error) => {
                self.forget_everything();
                let detail = message!("app-broken-off", stopped = %error);
                Err(self.note_failure(contract_broken(detail)))
            }
        }
    }

    /// Accepts a connection after a commit, if the committed data is where the next start looks for it.
    fn believe(&mut self, connection: Connection) -> Result<(), JournalError> {
        if let Err(error) = self.health.still_there() {
            // The file may come back, and no other process has its contents.
            self.connection = Some(connection);
            self.known.clear();
            return Err(self.note_failure(error));
        }
        let wal = FileId::of(&wal_of(&self.path));
        if self.wal.is_some() && wal != self.wal {
            return self.rescue(connection);
        }
        self.wal = wal;
        self.connection = Some(connection);
        self.failed = None;
        self.health.succeeded();
        Ok(())
    }

    /// The write-ahead log is not where it was. Its content can still be reached through the connection: it
    /// is moved into the database, and the next commit begins another one.
    fn rescue(&mut self, connection: Connection) -> Result<(), JournalError> {
        let moved = checkpoint(&connection, CheckpointMode::TRUNCATE);
        self.known.clear();
        match moved {
            Ok(_) => {
                tracing::warn!(
                    path = %self.path.display(),
                    "the write-ahead log was removed while it was in use; what it held is in the database"
                );
                drop(connection);
                self.readers.close();
                (self.wal, self.failed) = (None, None);
                self.health.succeeded();
                Ok(())
            }
            Err(error) => {
                self.connection = Some(connection);
                let detail = message!("store-log-removed", %error);
                Err(self.note_failure(JournalError::Unavailable { fault: StorageFault::Gone, detail }))
            }
        }
    }

    /// An attempt failed: nothing is assumed any more.
    fn gave_up(&mut self, error: &sql::Error) -> JournalError {
        self.forget_everything();
        let error = self.health.explain(unavailable(error));
        self.note_failure(error)
    }

    /// Publishes a failure.
    fn note_failure(&mut self, error: JournalError) -> JournalError {
        let is_of_storage = !matches!(error, JournalError::Unavailable { fault: StorageFault::Bug, .. });
        if is_of_storage {
            self.failed = Some((error.clone(), Instant::now()));
            self.health.failed(&error);
        }
        error
    }

    /// Checks whether the database can be written again. Only a write can tell, and a small commit may
    /// succeed where the next answer would not: there has to be some space besides.
    fn probe(&mut self) {
        self.failed = None;
        if let Err(error) = self.health.has_space() {
            self.note_failure(error);
            return;
        }
        // What went wrong is known by now.
        let _ = self.change(|connection| {
            connection.execute("UPDATE search_state SET place = place", [])?;
            Ok(())
        });
    }

    /// Counts the pages of the write-ahead log, in the place of SQLite's automatic checkpoint.
    fn watch(&self, mut connection: Connection) -> rusqlite::Result<Connection> {
        self.log_pages.store(0, Ordering::Relaxed);
        let log_pages = Arc::clone(&self.log_pages);
        if let Connection::Sqlite(connection) = &mut connection {
            connection.wal_hook(Some(move |_: &mut _, pages| {
                log_pages.store(pages, Ordering::Relaxed);
                Ok(())
            }))?;
        }
        Ok(connection)
    }

    fn forget_everything(&mut self) {
        self.connection = None;
        self.known.clear();
    }

    fn checkpoint_if_worth_it(&mut self, idle: bool) {
        let pages = self.log_pages.load(Ordering::Relaxed);
        let worth_it = if idle {
            pages >= self.checkpoint_from
        } else {
            pages >= CHECKPOINT_AT_LAST.max(self.checkpoint_from)
        };
        if !worth_it {
            return;
        }
        let Some(connection) = &self.connection else {
            return;
        };
        match checkpoint(connection, CheckpointMode::PASSIVE) {
            Ok((in_log, moved)) if moved >= in_log => {
                // The next commit restarts the log.
                self.log_pages.store(0, Ordering::Relaxed);
                self.checkpoint_from = CHECKPOINT_WHEN_IDLE;
            }
            // A reader still needs the log as it is; try again when it has grown.
            Ok(_) => self.checkpoint_from = pages.saturating_add(CHECKPOINT_WHEN_IDLE),
            Err(error) => {
                // All that was acknowledged is in the write-ahead log still.
                tracing::warn!(%error, "the write-ahead log could not be emptied");
                self.forget_everything();
            }
        }
    }

    /// Runs a change that is no append in one transaction. A refused change leaves everything as it was;
    /// after an error of the database nothing is assumed, as after any failed commit.
    pub(crate) fn change<T>(
        &mut self,
        change: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let connection = self.open()?;
        let changed = (|| {
            let transaction = Transaction::begin(&connection, Behavior::Change)?;
            let done = change(&transaction)?;
            self.disk.before_commit().map_err(sql::Error::from)?;
            transaction.commit()?;
            self.disk.after_commit().map_err(sql::Error::from)?;
            Ok(done)
        })();
        match changed {
            Ok(done) => {
                self.believe(connection)?;
                Ok(done)
            }
            Err(StoreError::Journal(error @ JournalError::Unavailable { .. })) => {
                self.forget_everything();
                let error = self.health.explain(error);
                Err(self.note_failure(error).into())
            }
            Err(refused) => {
                self.connection = Some(connection);
                Err(refused)
            }
        }
    }

    /// Indexes some of what was appended. The step is not flushed: the next commit of an append
    /// flushes it with its own, and what is lost is indexed again. Says whether there may be more.
    fn index(&mut self, others_wait: bool) -> bool {
        let begun = Instant::now();
        let Ok(connection) = self.open() else {
            // Indexing continues with the next append.
            if let Some(search) = &mut self.search {
                search.stepped(begun.elapsed(), false, others_wait);
            }
            return false;
        };
        let stepped = (|| {
            connection.execute_batch("PRAGMA synchronous = NORMAL;")?;
            let more = {
                let transaction = Transaction::begin(&connection, Behavior::Change)?;
                let more = index::step(&transaction)?;
                transaction.commit()?;
                more
            };
            // A connection that does not flush is never handed on.
            connection.execute_batch("PRAGMA synchronous = FULL;")?;
            Ok::<_, sql::Error>(more)
        })();
        let stepped = match stepped {
            Ok(more) => self.believe(connection).map(|()| more),
            Err(error) => Err(self.gave_up(&error)),
        };
        let more = stepped.unwrap_or_else(|error| {
            tracing::warn!(%error, "the search index could not be brought up to date");
            false
        });
        if let Some(search) = &mut self.search {
            search.stepped(begun.elapsed(), more, others_wait);
        }
        more
    }

    /// Forgets how a meeting stood, before it is deleted.
    pub(crate) fn forget(&mut self, meeting: &MeetingId) {
        self.known.remove(meeting);
    }

    /// Moves the write-ahead log into the database and empties it, so that what was deleted is gone from it as well. A
    /// reader that is still at it, or a disk that refuses, only makes that happen later.
    pub(crate) fn empty_log(&self) {
        if let Some(connection) = &self.connection
            && let Err(error) = checkpoint(connection, CheckpointMode::TRUNCATE)
        {
            tracing::debug!(%error, "the write-ahead log is emptied later");
        }
    }

    /// Rebuilds the catalogue from the log, and returns the number of meetings.
    pub(crate) fn rebuild_catalogue(&mut self) -> Result<u64, StoreError> {
        self.known.clear();
        self.change(rebuild::rebuild)
    }
}

/// Takes what waits, up to the size of a group; gives back what does not belong into it.
fn gather(first: Append, group: &mut Vec<Append>, queue: &mut mpsc::Receiver<Job>) -> Option<Job> {
    let mut bytes = first.bytes();
    group.push(first);
    while group.len() < GROUP_APPENDS && bytes < GROUP_BYTES {
        match queue.try_recv() {
            Ok(Job::Append(append)) => {
                bytes += append.bytes();
                group.push(append);
            }
            Ok(other) => return Some(other),
            Err(_) => return None,
        }
    }
    None
}

/// Moves what it can of the write-ahead log into the database; says how many pages the log has, and how many were moved.
fn checkpoint(connection: &Connection, mode: CheckpointMode) -> rusqlite::Result<(i32, i32)> {
    connection.sqlite().map_or(Ok((0, 0)), |connection| connection.wal_checkpoint_v2(None::<&str>, mode))
}

fn unwritten(error: &dyn std::error::Error) {
    tracing::warn!(%error, "what other processes left for the audit log could not be taken over");
}

#[cfg(test)]
mod tests {
    use quorate_contract::{Actor, ContractVersion, Event, EventBody, RunId, Timestamp};
    use quorate_engine::Record;
    use tokio::sync::oneshot;

    use super::super::in_line::SYSTEM_DISK;
    use super::*;

    fn writer() -> (tempfile::TempDir, Writer) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("meetings.db");
        std::fs::write(&path, b"").unwrap();
        let connection = schema::open_for_writing(&path, &SYSTEM_DISK).unwrap();
        let readers = Arc::new(Readers::of(path.clone()));
        let health = Health::of(&path);
        let connection = Connection::Sqlite(connection);
        (dir, Writer::new(path, connection, readers, Waiting::default(), health, None))
    }

    type Answer = oneshot::Receiver<Result<(), JournalError>>;

    fn append(meeting: &str, expected: u64) -> (Append, Answer) {
        let (reply, answer) = oneshot::channel();
        let meeting = MeetingId::new(meeting);
        let event = Event {
            version: ContractVersion,
            seq: expected + 1,
            meeting_id: meeting.clone(),
            run_id: RunId::new("run-1"),
            ts_ms: Timestamp(1),
            actor: Actor::System,
            cause: "test".to_owned(),
            body: EventBody::Recovered { idle_ms: None },
        };
        (Append { meeting, expected, records: vec![Record::of(event)], reply }, answer)
    }

    /// Passes a group to the writer and returns the answers.
    fn told(writer: &mut Writer, commands: &[(&str, u64)]) -> Vec<Result<(), JournalError>> {
        let (mut group, answers): (Vec<_>, Vec<_>) =
            commands.iter().map(|(meeting, expected)| append(meeting, *expected)).unzip();
        writer.append(&mut group);
        answers.into_iter().map(|mut answer| answer.try_recv().expect("everybody is told")).collect()
    }

    fn stored(writer: &Writer) -> i64 {
        let reader = schema::open_for_reading(&writer.path, &SYSTEM_DISK).unwrap();
        reader.query_row("SELECT count(*) FROM event", [], |row| row.get(0)).unwrap()
    }

    #[test]
    fn when_a_commit_fails_the_whole_group_hears_it_and_the_next_one_starts_afresh() {
        let (_dir, mut writer) = writer();
        assert!(told(&mut writer, &[("a", 0)]).iter().all(Result::is_ok));
        let Some(Connection::Sqlite(connection)) = &mut writer.connection else { panic!("it is open") };
        connection.commit_hook(Some(|| true)).unwrap();
        for verdict in told(&mut writer, &[("a", 1), ("b", 0), ("a", 2)]) {
            let error = verdict.unwrap_err();
            assert!(matches!(error, JournalError::Unavailable { .. }), "{error}");
            assert!(!error.hint().is_empty());
        }
        assert_eq!(stored(&writer), 1, "nothing of the group is there");
        assert!(writer.connection.is_none(), "the doubtful connection is gone");
        let same_again = told(&mut writer, &[("a", 1), ("b", 0), ("a", 2)]);
        assert!(same_again.iter().all(Result::is_ok), "{same_again:?}");
        assert_eq!(stored(&writer), 4);
    }

    #[test]
    fn appends_of_one_group_to_one_meeting_follow_each_other() {
        let (_dir, mut writer) = writer();
        let verdicts = told(&mut writer, &[("a", 0), ("a", 0), ("a", 1), ("a", 5)]);
        let succeeded: Vec<_> = verdicts.iter().map(Result::is_ok).collect();
        assert_eq!(succeeded, [true, false, true, false]);
        assert_eq!(stored(&writer), 2);
    }

    #[test]
    fn the_log_is_emptied_when_it_has_grown_and_nobody_waits() {
        let (_dir, mut writer) = writer();
        let mut expected = 0;
        while writer.log_pages.load(Ordering::Relaxed) < CHECKPOINT_WHEN_IDLE {
            assert!(told(&mut writer, &[("a", expected)])[0].is_ok());
            writer.checkpoint_if_worth_it(false);
            expected += 1;
        }
        writer.checkpoint_if_worth_it(true);
        assert_eq!(writer.log_pages.load(Ordering::Relaxed), 0);
        assert!(told(&mut writer, &[("a", expected)])[0].is_ok());
        let pages = writer.log_pages.load(Ordering::Relaxed);
        assert!((1..100).contains(&pages), "the log began anew, with {pages} pages");
    }
}
