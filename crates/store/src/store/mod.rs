//! The public interface of the store.

pub(crate) mod accounts;
pub(crate) mod agent_seats;
pub(crate) mod agents;
pub(crate) mod audit;
pub(crate) mod backup;
pub(crate) mod context_cursors;
pub(crate) mod credentials;
pub(crate) mod delete;
pub(crate) mod faults;
pub(crate) mod find;
pub(crate) mod idempotency;
pub(crate) mod issued_tokens;
pub(crate) mod learned_models;
pub(crate) mod log;
pub(crate) mod meeting_labels;
pub(crate) mod meeting_passwords;
pub(crate) mod mentions;
pub(crate) mod nodes;
pub(crate) mod outbox;
pub(crate) mod pages;
pub(crate) mod person_settings;
pub(crate) mod result_links;
mod running;
pub(crate) mod salvage;
pub(crate) mod settings;
pub(crate) mod signing;
pub(crate) mod snapshot;
pub(crate) mod templates;
pub(crate) mod text_search;
pub(crate) mod tokens;
pub(crate) mod uploads;
pub(crate) mod vault;
pub(crate) mod webhook_calls;
pub(crate) mod webhook_events;
pub(crate) mod webhook_message;
pub(crate) mod webhook_standing;
pub(crate) mod webhooks;

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError};

use futures::future::BoxFuture;
use quorate_contract::MeetingId;
use quorate_engine::{Fault, Journal, JournalError, Record, Resumed, Snapshot};
use quorate_messages::{as_said, message};
use tokio::sync::{Semaphore, oneshot, watch};

use crate::append::Append;
use crate::audit_log::AuditEntry;
use crate::error::{StoreError, contract_broken, unavailable};
use crate::files::Files;
use crate::health::Health;
use crate::location::DatabaseLocation;
use crate::meeting_summary::MeetingSummary;
use crate::postgres::PostgresDatabase;
use crate::search::index;
use crate::sql::Connection;
use crate::sqlite::in_line::{Disk, DiskGate};
use crate::sqlite::writer::Writer;
use crate::sqlite::{SqliteDatabase, readers, writer_is_gone};
use crate::starting_meetings::StartingMeetings;
use crate::{catalogue, mention_index, rebuild};

/// The number of concurrent reads of a database on a server; each has a connection.
const POSTGRES_READS: usize = 12;

/// The meetings of one database, and all that is kept beside them. Cheap to clone; all clones share its connections.
///
/// When the last clone is dropped, what is still queued is written; that drop waits for one flush of the disk. A database
/// file is then free for another process.
#[derive(Debug, Clone)]
pub struct Store(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    location: DatabaseLocation,
    database: Database,
    /// Limits concurrent reads of meetings, and with them the number of connections.
    reads: Arc<Semaphore>,
    /// The meetings that are about to run, of a database file.
    starting: StartingMeetings,
    /// The number of requests with a key that were begun.
    attempts: AtomicU64,
}

#[derive(Debug)]
pub(crate) enum Database {
    Sqlite(SqliteDatabase),
    Postgres(PostgresDatabase),
}

impl Store {
    /// Opens a database to write in it; an older one is migrated. A file is made for this user alone when it does not
    /// exist, with its folder, and has one writer at a time; in a database on a server the tables are made, and several
    /// processes may write.
    ///
    /// Blocks for some milliseconds.
    ///
    /// # Errors
    /// When another process is the writer of the file, when the database is not ours or was written by a newer quorate
    /// (it is then not changed), when the disk fails, or the server cannot be reached.
    pub fn open(location: impl Into<DatabaseLocation>) -> Result<Self, StoreError> {
        let location = location.into();
        let database = match &location {
            DatabaseLocation::File(path) => Database::Sqlite(SqliteDatabase::open(path, prepare)?),
            DatabaseLocation::Postgres { url, beside } => {
                Database::Postgres(PostgresDatabase::open(url, beside, prepare)?)
            }
        };
        Ok(Self::over(location, database))
    }

    /// Opens a database file to write in it, with all of its work done on the thread of whoever asks for it, and `disk` asked
    /// about each commit. One request is done after the other, in the order in which they are made, so that what happens
    /// follows from them alone. The search index is not kept up to date.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_in_line(path: &Path, disk: Arc<dyn Disk>) -> Result<Self, StoreError> {
        let location = DatabaseLocation::File(path.to_owned());
        let database = SqliteDatabase::open_in_line(path, prepare, DiskGate(Some(disk)))?;
        Ok(Self::over(location, Database::Sqlite(database)))
    }

    /// Opens a database only to read it, whether or not another process writes it.
    ///
    /// # Errors
    /// When there is no database, or it is not ours, newer, or older than can be read.
    pub fn open_read_only(location: impl Into<DatabaseLocation>) -> Result<Self, StoreError> {
        let location = location.into();
        let database = match &location {
            DatabaseLocation::File(path) => Database::Sqlite(SqliteDatabase::open_read_only(path)?),
            DatabaseLocation::Postgres { url, beside } => {
                Database::Postgres(PostgresDatabase::open_read_only(url, beside)?)
            }
        };
        Ok(Self::over(location, database))
    }

    fn over(location: DatabaseLocation, database: Database) -> Self {
        let location = match (&database, location) {
            (Database::Sqlite(database), _) => DatabaseLocation::File(database.path().to_owned()),
            (_, location) => location,
        };
        let reads = match &database {
            Database::Sqlite(_) => readers::KEPT,
            Database::Postgres(_) => POSTGRES_READS,
        };
        let (reads, starting) = (Arc::new(Semaphore::new(reads)), StartingMeetings::default());
        Self(Arc::new(Inner { location, database, reads, starting, attempts: AtomicU64::new(0) }))
    }

    /// Where the database is; of a file, the path with all links resolved.
    pub fn location(&self) -> &DatabaseLocation {
        &self.0.location
    }

    /// The path of the database, with all links resolved; of a database on a server, the path beside which this machine
    /// keeps what belongs to it.
    pub fn path(&self) -> &Path {
        match &self.0.database {
            Database::Sqlite(database) => database.path(),
            Database::Postgres(database) => database.path(),
        }
    }

    pub(crate) fn database(&self) -> &Database {
        &self.0.database
    }

    pub(crate) fn starting(&self) -> &StartingMeetings {
        &self.0.starting
    }

    fn health(&self) -> &Health {
        match &self.0.database {
            Database::Sqlite(database) => database.health(),
            Database::Postgres(database) => database.health(),
        }
    }

    /// The present storage fault, as the last attempt to write and the last check have shown; both are at most a second
    /// old.
    pub fn trouble(&self) -> Option<JournalError> {
        self.health().trouble()
    }

    /// A receiver of the storage fault, as it changes.
    pub fn watch_trouble(&self) -> watch::Receiver<Option<JournalError>> {
        self.health().watch()
    }

    /// Checks that the database can be read and written now, and that there is space for the next writes.
    ///
    /// # Errors
    /// The fault.
    pub async fn check(&self) -> Result<(), JournalError> {
        let health = self.health().clone();
        self.reading(move |connection| {
            if connection.sqlite().is_some()
                && let Err(error) = health.has_space()
            {
                health.failed(&error);
                return Err(error);
            }
            connection
                .query_row("SELECT EXISTS (SELECT 1 FROM meeting)", [], |_| Ok(()))
                .map_err(|error| unavailable(&error))
        })
        .await?;
        self.trouble().map_or(Ok(()), Err)
    }

    /// At most `limit` meetings, newest first, `offset` of them left out.
    pub async fn meetings(&self, limit: u32, offset: u32) -> Result<Vec<MeetingSummary>, StoreError> {
        self.reading(move |connection| catalogue::list(connection, limit, offset)).await
    }

    /// The meeting whose id begins with `prefix`; `last` is the newest one.
    ///
    /// # Errors
    /// When no meeting begins like this, or several do; those are then named.
    pub async fn find(&self, prefix: &str) -> Result<MeetingId, StoreError> {
        let prefix = prefix.to_owned();
        self.reading(move |connection| find::find(connection, &prefix)).await
    }

    /// The lines of the events after sequence number `after`, as they were written, each with
    /// its number. Checksums are verified; nothing is decoded.
    pub async fn lines(&self, meeting: &MeetingId, after: u64) -> Result<Vec<(u64, String)>, JournalError> {
        let meeting = meeting.clone();
        self.reading(move |connection| log::lines(connection, &meeting, after)).await
    }

    /// Deletes a meeting with all its events and files, for good: it is then neither listed nor loadable.
    /// Other meetings, forks of it among them, stay as they are.
    ///
    /// # Errors
    /// When there is no such meeting.
    pub async fn delete_meeting(&self, meeting: &MeetingId) -> Result<(), StoreError> {
        let meeting = meeting.clone();
        match &self.0.database {
            Database::Sqlite(database) => {
                let files = Files::of(database.path());
                let task = move |writer: &mut Writer| {
                    writer.forget(&meeting);
                    let unneeded = writer.change(|connection| delete::delete(connection, &meeting))?;
                    unneeded.iter().for_each(|sha256| files.remove(sha256));
                    writer.empty_log();
                    Ok(())
                };
                database.with_writer(task).await
            }
            Database::Postgres(database) => {
                database.change(move |connection| delete::delete(connection, &meeting)).await?;
                Ok(())
            }
        }
    }

    /// Rebuilds the catalogue of meetings from the log, and returns their number.
    ///
    /// # Errors
    /// When the log itself is damaged; the catalogue then stays as it is.
    pub async fn rebuild_catalogue(&self) -> Result<u64, StoreError> {
        match &self.0.database {
            Database::Sqlite(database) => database.with_writer(|writer| writer.rebuild_catalogue()).await,
            Database::Postgres(database) => database.change(rebuild::rebuild).await,
        }
    }

    /// Copies the present state of the database to a file at `to`, while it is in use.
    ///
    /// # Errors
    /// When `to` exists already or cannot be written; nothing of that name is then left behind.
    pub async fn backup(&self, to: impl Into<PathBuf>) -> Result<(), StoreError> {
        let to = to.into();
        self.reading(move |connection| backup::backup(connection, &to)).await
    }

    /// Makes a change beside the log, in a transaction of its own. It may be made several times, of which the last one
    /// counts.
    pub(crate) async fn change<T: Send + 'static>(
        &self,
        change: impl Fn(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let made = Slot::default();
        let result = made.clone();
        self.make(Box::new(move |connection| {
            result.put(change(connection)?);
            Ok(())
        }))
        .await?;
        made.take().ok_or_else(|| writer_is_gone().into())
    }

    /// Makes a change whose result goes elsewhere. There are a hundred kinds of changes, and each crate that waits for one
    /// compiles all that is generic in it, so this is not.
    fn make(&self, change: Change) -> BoxFuture<'_, Result<(), StoreError>> {
        match &self.0.database {
            Database::Sqlite(database) => Box::pin(database.change(change)),
            Database::Postgres(database) => Box::pin(database.change(change)),
        }
    }

    /// Leaves an entry for the audit log, which is written soon.
    pub(crate) fn note(&self, entry: AuditEntry) {
        match &self.0.database {
            Database::Sqlite(database) => database.note(entry),
            Database::Postgres(database) => database.note(entry),
        }
    }

    /// Reads on a thread that may wait for the disk or the server.
    pub(crate) async fn reading<T, E>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<JournalError> + Send + 'static,
    {
        let found = Slot::default();
        let result = found.clone();
        self.read_aside(Box::new(move |connection| {
            let outcome = read(connection);
            let succeeded = outcome.is_ok();
            result.put(outcome);
            succeeded
        }))
        .await?;
        found.take().unwrap_or_else(|| Err(writer_is_gone().into()))
    }

    /// Reads what goes elsewhere, and is no more generic than [`Self::make`].
    fn read_aside(&self, read: Read) -> BoxFuture<'_, Result<(), JournalError>> {
        Box::pin(async move {
            let inner = Arc::clone(&self.0);
            // The semaphore is never closed; without a permit there would merely be more connections.
            let permit = Arc::clone(&inner.reads).acquire_owned().await.ok();
            if let Database::Sqlite(database) = &inner.database
                && database.is_in_line()
            {
                return Unread::no_matter(database.read(|connection| Unread::of(read(connection))));
            }
            let outcome = tokio::task::spawn_blocking(move || {
                let _permit = permit;
                let read = |connection: &Connection| Unread::of(read(connection));
                match &inner.database {
                    Database::Sqlite(database) => database.read(read),
                    Database::Postgres(database) => database.read(read),
                }
            });
            let outcome = outcome
                .await
                .unwrap_or_else(|stopped| Err(contract_broken(message!("app-broken-off", %stopped)).into()));
            Unread::no_matter(outcome)
        })
    }
}

/// A change whose result goes elsewhere.
type Change = Box<dyn Fn(&Connection) -> Result<(), StoreError> + Send>;

/// A read whose result goes elsewhere; whether it succeeded.
type Read = Box<dyn FnOnce(&Connection) -> bool + Send>;

/// Where a result is put on one thread, and taken from on another.
struct Slot<T>(Arc<Mutex<Option<T>>>);

impl<T> Slot<T> {
    fn put(&self, value: T) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
    }

    fn take(&self) -> Option<T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl<T> Default for Slot<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T> Clone for Slot<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

/// Why nothing was read.
enum Unread {
    /// There was no connection.
    Journal(JournalError),
    /// The read failed, and its error is where its result goes.
    Told,
}

impl Unread {
    fn of(succeeded: bool) -> Result<(), Self> {
        if succeeded { Ok(()) } else { Err(Self::Told) }
    }

    fn no_matter(outcome: Result<(), Self>) -> Result<(), JournalError> {
        match outcome {
            Ok(()) | Err(Self::Told) => Ok(()),
            Err(Self::Journal(error)) => Err(error),
        }
    }
}

impl From<JournalError> for Unread {
    fn from(error: JournalError) -> Self {
        Self::Journal(error)
    }
}

/// What is done in a database before the first request: what processes that are gone have left is finished.
fn prepare(connection: &Connection) -> Result<(), StoreError> {
    idempotency::abandon(connection)?;
    index::check(connection)?;
    mention_index::check(connection)?;
    Ok(())
}

impl Journal for Store {
    /// An [`Unavailable`](JournalError::Unavailable) says that the events may not be relied on.
    /// When the disk failed in the middle of the flush, or the answer of a server was lost, they may still be there
    /// afterwards: read the meeting before appending again.
    ///
    /// The records are queued when the future is first polled, and are written even when it is
    /// dropped after that.
    fn append(
        &self,
        meeting: MeetingId,
        expected: u64,
        records: Vec<Record>,
    ) -> BoxFuture<'static, Result<(), JournalError>> {
        let inner = Arc::clone(&self.0);
        Box::pin(async move {
            let (reply, answer) = oneshot::channel();
            let append = Append { meeting, expected, records, reply };
            match &inner.database {
                Database::Sqlite(database) => database.append(append).await?,
                Database::Postgres(database) => database.append(append).await?,
            }
            answer.await.unwrap_or_else(|_| Err(writer_is_gone()))
        })
    }

    fn read(&self, meeting: MeetingId, after: u64) -> BoxFuture<'static, Result<Vec<Record>, JournalError>> {
        let store = self.clone();
        Box::pin(
            async move { store.reading(move |connection| log::records(connection, &meeting, after)).await },
        )
    }

    fn claim(&self, meeting: &MeetingId) -> BoxFuture<'static, Result<(), JournalError>> {
        let (store, meeting) = (self.clone(), meeting.clone());
        Box::pin(async move {
            match &store.0.database {
                Database::Sqlite(_) => Ok(()),
                Database::Postgres(_) => store.clone().claim_to_run(meeting).await,
            }
        })
    }

    fn keeps_snapshots(&self, _: &MeetingId) -> bool {
        match &self.0.database {
            Database::Sqlite(database) => !database.is_read_only(),
            Database::Postgres(database) => !database.is_read_only(),
        }
    }

    fn resume(&self, meeting: MeetingId) -> BoxFuture<'static, Result<Resumed, JournalError>> {
        let store = self.clone();
        Box::pin(async move { store.reading(move |connection| snapshot::resume(connection, &meeting)).await })
    }

    fn keep_snapshot(
        &self,
        meeting: MeetingId,
        snapshot: Snapshot,
    ) -> BoxFuture<'static, Result<(), JournalError>> {
        let store = self.clone();
        Box::pin(async move {
            let kept = store.change(move |connection| snapshot::keep(connection, &meeting, &snapshot)).await;
            kept.map_err(|error| match error {
                StoreError::Journal(error) => error,
                other => contract_broken(as_said(other)),
            })
        })
    }

    fn keep_fault(
        &self,
        meeting: MeetingId,
        fault: Option<Fault>,
    ) -> BoxFuture<'static, Result<(), JournalError>> {
        let store = self.clone();
        Box::pin(async move { store.set_fault(meeting, fault).await })
    }
}
