//! The public interface of the store.

use std::fs::OpenOptions;
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;

use futures::future::BoxFuture;
use quorate_contract::MeetingId;
use quorate_engine::{Fault, Journal, JournalError, Record, Resumed, Snapshot, StorageFault};
use quorate_messages::{as_said, message};
use tokio::sync::{Semaphore, mpsc, oneshot, watch};

use crate::append::Append;
use crate::audit::{AuditEntry, Waiting};
use crate::error::{StoreError, contract_broken, unavailable};
use crate::files::Files;
use crate::meeting_summary::MeetingSummary;
use crate::search::{Follower, index};
use crate::sql::Connection;
use crate::sqlite::health::{Guard, Health};
use crate::sqlite::lock::WriterLock;
use crate::sqlite::readers::Readers;
use crate::sqlite::writer::{Job, QUEUE, Writer};
use crate::sqlite::{readers, schema, wal};
use crate::{audit_spool, backup, catalogue, find, idempotency, log, mention_index, rebuild, snapshot};

/// The meetings of one database file. Cheap to clone; all clones share one writer.
///
/// When the last clone is dropped, what is still queued is written, the writer ends, and the
/// database is free for another process; that drop waits for one flush of the disk.
#[derive(Debug, Clone)]
pub struct SqliteStore(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    path: PathBuf,
    readers: Arc<Readers>,
    /// Limits concurrent reads of meetings, and with them the number of connections.
    reads: Arc<Semaphore>,
    audit: Waiting,
    health: Health,
    /// `None` when the store was opened only to be read.
    writer: Option<WriterHandle>,
}

#[derive(Debug)]
struct WriterHandle {
    queue: Option<mpsc::Sender<Job>>,
    thread: Option<JoinHandle<()>>,
    indexer: Option<JoinHandle<()>>,
    guard: Option<Guard>,
    _lock: WriterLock,
}

impl SqliteStore {
    /// Opens the database at `path` as its one writer. The file and its folder are created when they do not
    /// exist, for this user alone; an older database is migrated.
    ///
    /// Blocks for some milliseconds.
    ///
    /// # Errors
    /// When another process is the writer, when the file is not ours or was written by a newer quorate (it is
    /// then not changed), or when the disk fails.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let path = place(path.as_ref())?;
        keep_log_without_database(&path)?;
        let lock = WriterLock::take(&path)?;
        keep_damaged_log(&path);
        if !path.exists() {
            create_private(&path)?;
        }
        let connection = schema::open_for_writing(&path).map(Connection::Sqlite).inspect_err(|error| {
            if matches!(error, StoreError::NotOurs { .. }) {
                lock.leave_no_trace();
            }
        })?;
        idempotency::abandon(&connection)?;
        rebuild::restore_missing(&connection)?;
        index::check(&connection)?;
        mention_index::check(&connection)?;
        Files::of(&path).clear_incoming();
        let readers = Arc::new(Readers::of(path.clone()));
        let (queue, jobs) = mpsc::channel(QUEUE);
        let audit = Waiting::default();
        let unreachable = |source| StoreError::Unreachable { path: path.clone(), source };
        let jobs_to_ask = queue.downgrade();
        let ask_to_index =
            move || jobs_to_ask.upgrade().is_some_and(|jobs| jobs.blocking_send(Job::Index).is_ok());
        let (search, indexer) = Follower::start(ask_to_index).map_err(unreachable)?;
        let health = Health::of(&path);
        let guard = Guard::start(health.clone(), queue.downgrade()).map_err(unreachable)?;
        let writer = Writer::new(
            path.clone(),
            connection,
            Arc::clone(&readers),
            audit.clone(),
            health.clone(),
            Some(search),
        );
        let thread = std::thread::Builder::new()
            .name("quorate-journal".to_owned())
            .spawn(move || writer.run(jobs))
            .map_err(unreachable)?;
        let writer = WriterHandle {
            queue: Some(queue),
            thread: Some(thread),
            indexer: Some(indexer),
            guard: Some(guard),
            _lock: lock,
        };
        Ok(Self::over(path, readers, audit, health, Some(writer)))
    }

    /// Opens the database at `path` only to read it, whether or not another process writes it.
    ///
    /// # Errors
    /// When there is no database, or it is not ours, newer, or older than can be read.
    pub fn open_read_only(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        keep_log_without_database(path.as_ref())?;
        let path = existing(path.as_ref())?;
        drop(schema::open_to_read_only(&path)?);
        let readers = Arc::new(Readers::of(path.clone()));
        let health = Health::of(&path);
        Ok(Self::over(path, readers, Waiting::default(), health, None))
    }

    fn over(
        path: PathBuf,
        readers: Arc<Readers>,
        audit: Waiting,
        health: Health,
        writer: Option<WriterHandle>,
    ) -> Self {
        let reads = Arc::new(Semaphore::new(readers::KEPT));
        Self(Arc::new(Inner { path, readers, reads, audit, health, writer }))
    }

    /// The present storage fault, as the last attempt to write and the last check of the file have shown;
    /// both are at most a second old.
    pub fn trouble(&self) -> Option<JournalError> {
        self.0.health.trouble()
    }

    /// A receiver of the storage fault, as it changes.
    pub fn watch_trouble(&self) -> watch::Receiver<Option<JournalError>> {
        self.0.health.watch()
    }

    /// Checks that the database can be read and written now, and that there is space for the next writes.
    ///
    /// # Errors
    /// The fault.
    pub async fn check(&self) -> Result<(), JournalError> {
        let health = self.0.health.clone();
        self.reading(move |connection| {
            if let Err(error) = health.has_space() {
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

    /// The path of the database, with all links resolved.
    pub fn path(&self) -> &Path {
        &self.0.path
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
        self.with_writer(move |writer| writer.delete_meeting(&meeting)).await
    }

    /// Rebuilds the catalogue of meetings from the log, and returns their number.
    ///
    /// # Errors
    /// When the log itself is damaged; the catalogue then stays as it is.
    pub async fn rebuild_catalogue(&self) -> Result<u64, StoreError> {
        let (reply, answer) = oneshot::channel();
        self.0.ask(Job::RebuildCatalogue(reply)).await?;
        answer.await.unwrap_or_else(|_| Err(writer_is_gone().into()))
    }

    /// Copies the present state of the database to `to`, while it is in use.
    ///
    /// # Errors
    /// When `to` exists already or cannot be written; nothing of that name is then left behind.
    pub async fn backup(&self, to: impl Into<PathBuf>) -> Result<(), StoreError> {
        let to = to.into();
        self.reading(move |connection| backup::backup(connection, &to)).await
    }

    /// Makes a change beside the log, in a transaction of its own.
    pub(crate) async fn change<T: Send + 'static>(
        &self,
        change: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.with_writer(move |writer| writer.change(change)).await
    }

    /// Leaves an entry for the audit log with the writer, in this process or another. When its queue is full, it is at work
    /// and looks at what has gathered afterwards.
    pub(crate) fn note(&self, entry: AuditEntry) {
        let Some(queue) = self.0.writer.as_ref().and_then(|writer| writer.queue.as_ref()) else {
            if let Err(error) = audit_spool::leave(&self.0.path, &entry) {
                tracing::warn!(action = entry.action, %error, "a call is not audited: the folder of the database cannot be written");
            }
            return;
        };
        if self.0.audit.add(entry) {
            let _ = queue.try_send(Job::Audit);
        }
    }

    /// Queues work for the writer.
    pub(crate) async fn with_writer<T: Send + 'static>(
        &self,
        task: impl FnOnce(&mut Writer) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (reply, answer) = oneshot::channel();
        let job = Job::Change(Box::new(move |writer| {
            // The work is done also when the caller is gone.
            let _ = reply.send(task(writer));
        }));
        self.0.ask(job).await?;
        answer.await.unwrap_or_else(|_| Err(writer_is_gone().into()))
    }

    /// Reads on a thread that may wait for the disk.
    pub(crate) async fn reading<T, E>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<JournalError> + Send + 'static,
    {
        let inner = Arc::clone(&self.0);
        // The semaphore is never closed; without a permit there would merely be more connections.
        let permit = Arc::clone(&inner.reads).acquire_owned().await.ok();
        tokio::task::spawn_blocking(move || {
            let _permit = permit;
            inner.health.still_there().inspect_err(|error| inner.health.failed(error))?;
            inner.readers.with(read)
        })
        .await
        .unwrap_or_else(|stopped| {
            let detail = message!("app-broken-off", %stopped);
            Err(contract_broken(detail).into())
        })
    }
}

impl Journal for SqliteStore {
    /// An [`Unavailable`](JournalError::Unavailable) says that the events may not be relied on.
    /// When the disk failed in the middle of the flush they may still be there after a restart:
    /// read the meeting before appending again.
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
            inner.ask(Job::Append(Append { meeting, expected, records, reply })).await?;
            answer.await.unwrap_or_else(|_| Err(writer_is_gone()))
        })
    }

    fn read(&self, meeting: MeetingId, after: u64) -> BoxFuture<'static, Result<Vec<Record>, JournalError>> {
        let store = self.clone();
        Box::pin(
            async move { store.reading(move |connection| log::records(connection, &meeting, after)).await },
        )
    }

    fn keeps_snapshots(&self, _: &MeetingId) -> bool {
        self.0.writer.is_some()
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

impl Inner {
    async fn ask(&self, job: Job) -> Result<(), JournalError> {
        let Some(writer) = &self.writer else {
            return Err(contract_broken(message!("store-only-read")));
        };
        match &writer.queue {
            Some(queue) => queue.send(job).await.map_err(|_| writer_is_gone()),
            None => Err(writer_is_gone()),
        }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        // The writer closes last, because only it can empty the write-ahead log.
        self.readers.close_idle();
        if let Some(writer) = &mut self.writer {
            drop(writer.guard.take());
            writer.queue = None;
            if let Some(thread) = writer.thread.take()
                && thread.join().is_err()
            {
                tracing::error!("the journal's writer had panicked");
            }
            // The thread has no writer left to wake.
            let _ = writer.indexer.take().map(JoinHandle::join);
        }
    }
}

fn writer_is_gone() -> JournalError {
    JournalError::Unavailable { fault: StorageFault::Stopped, detail: as_said("") }
}

/// Keeps a copy of a damaged write-ahead log. SQLite reads such a log up to the damage, and then overwrites
/// it; `verify` names the copy.
fn keep_damaged_log(path: &Path) {
    let Ok(Some(damage)) = wal::damage(path) else { return };
    match wal::keep_copy(path) {
        Ok(copy) => {
            tracing::error!(%damage, copy = %copy.display(), "acknowledged events are lost; the log was kept")
        }
        Err(error) => {
            tracing::error!(%damage, %error, "acknowledged events are lost; the log could not be kept")
        }
    }
}

/// Refuses a place where only the write-ahead log of a database is left: SQLite would throw it away, with the
/// events that it holds.
pub(crate) fn keep_log_without_database(path: &Path) -> Result<(), StoreError> {
    let length = |path: &Path| std::fs::metadata(path).map_or(0, |found| found.len());
    let log = wal_of(path);
    match length(path) == 0 && length(&log) > WAL_HEADER {
        true => Err(StoreError::LogWithoutDatabase { path: path.to_owned(), log }),
        false => Ok(()),
    }
}

/// The path of the write-ahead log of the database at `path`.
pub(crate) fn wal_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push("-wal");
    name.into()
}

/// A write-ahead log that is no longer than its header holds nothing.
pub(crate) const WAL_HEADER: u64 = 32;

/// The size of the smallest SQLite database that holds anything, in bytes.
const SMALLEST: u64 = 512;

/// The database at `path`, which has to be there, with all links resolved.
pub(crate) fn existing(path: &Path) -> Result<PathBuf, StoreError> {
    let unreachable = |source| StoreError::Unreachable { path: path.to_owned(), source };
    let resolved = path.canonicalize().map_err(|error| match error.kind() {
        ErrorKind::NotFound => StoreError::NoDatabase { path: path.to_owned() },
        _ => unreachable(error),
    })?;
    let metadata = resolved.metadata().map_err(unreachable)?;
    if metadata.is_dir() {
        return Err(unreachable(ErrorKind::IsADirectory.into()));
    }
    // SQLite takes a file of one byte for an empty one, and would write over it.
    if (1..SMALLEST).contains(&metadata.len()) {
        return Err(StoreError::NotOurs { path: resolved, detail: message!("store-no-sqlite") });
    }
    Ok(resolved)
}

/// The path of the database, with all links resolved and its folder made.
pub(crate) fn place(path: &Path) -> Result<PathBuf, StoreError> {
    match existing(path) {
        Err(StoreError::NoDatabase { .. }) => {}
        known => return known,
    }
    let unreachable = |source| StoreError::Unreachable { path: path.to_owned(), source };
    let folder = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    if let Ok(target) = path.read_link() {
        // A link that points to where nothing is yet; links in a circle ended above.
        return place(&folder.join(target));
    }
    let Some(name) = path.file_name() else {
        return Err(unreachable(Error::new(ErrorKind::InvalidInput, "this names no file")));
    };
    make_folder(folder).map_err(unreachable)?;
    Ok(folder.canonicalize().map_err(unreachable)?.join(name))
}

/// Makes the folder and those above it, so that they outlast a power cut. (The entries within it
/// are SQLite's care: it flushes the folder with the first flush of a new write-ahead log.)
fn make_folder(folder: &Path) -> std::io::Result<()> {
    let missing = folder.ancestors().take_while(|ancestor| !ancestor.exists()).count();
    std::fs::create_dir_all(folder)?;
    folder.ancestors().skip(1).take(missing).try_for_each(flush_folder)
}

/// Flushes the entries of a folder, where the system supports it.
pub(crate) fn flush_folder(folder: &Path) -> std::io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    let here = if folder == Path::new("") { Path::new(".") } else { folder };
    std::fs::File::open(here)?.sync_all()
}

/// Makes an empty file that only this user may read; an existing one stays as it is.
pub(crate) fn create_private(path: &Path) -> Result<(), StoreError> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Err(source) if source.kind() != ErrorKind::AlreadyExists => {
            Err(StoreError::Unreachable { path: path.to_owned(), source })
        }
        _ => Ok(()),
    }
}
