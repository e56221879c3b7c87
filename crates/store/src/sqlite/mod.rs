//! The database as one file of SQLite: its one writer, its readers, and whether the file is still there.

pub(crate) mod file_monitor;
pub(crate) mod in_line;
pub(crate) mod lock;
mod migrations;
pub(crate) mod place;
pub(crate) mod readers;
pub(crate) mod schema;
pub(crate) mod unprepared;
pub(crate) mod wal;
pub(crate) mod writer;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;

use quorate_engine::{JournalError, StorageFault};
use quorate_messages::{as_said, message};
use tokio::sync::{mpsc, oneshot};

use self::file_monitor::FileMonitor;
use self::in_line::{DiskGate, InLineWriter, SYSTEM_DISK};
use self::lock::WriterLock;
use self::place::{existing, keep_damaged_log, keep_log_without_database, place};
use self::readers::Readers;
use self::unprepared::{Prepare, Unprepared};
use self::writer::{Job, QUEUE, Writer};
use crate::append::Append;
use crate::audit_log::{AuditEntry, Waiting};
use crate::audit_spool;
use crate::error::{StoreError, contract_broken};
use crate::files::Files;
use crate::health::Health;
use crate::search::Follower;
use crate::sql::Connection;

/// A database file, open.
#[derive(Debug)]
pub(crate) struct SqliteDatabase {
    path: PathBuf,
    readers: Arc<Readers>,
    audit: Waiting,
    health: Health,
    /// `None` when the database was opened only to be read.
    writer: Option<WriterHandle>,
}

/// The way to the writer.
#[derive(Debug)]
enum WriterHandle {
    Thread(WriterThread),
    InLine(Box<InLineWriter>),
}

#[derive(Debug)]
struct WriterThread {
    queue: Option<mpsc::Sender<Job>>,
    thread: Option<JoinHandle<()>>,
    indexer: Option<JoinHandle<()>>,
    monitor: Option<FileMonitor>,
    _lock: WriterLock,
}

impl SqliteDatabase {
    /// Opens the database at `path` as its one writer, which is a thread.
    pub(crate) fn open(path: &Path, prepare: Prepare) -> Result<Self, StoreError> {
        let (path, lock, connection, unprepared) = Self::take(path, prepare, &SYSTEM_DISK)?;
        let readers = Arc::new(Readers::beside_a_writer(path.clone(), SYSTEM_DISK.clone())?);
        let (queue, jobs) = mpsc::channel(QUEUE);
        let audit = Waiting::default();
        let unreachable = |source| StoreError::Unreachable { path: path.clone(), source };
        let jobs_to_ask = queue.downgrade();
        let ask_to_index =
            move || jobs_to_ask.upgrade().is_some_and(|jobs| jobs.blocking_send(Job::Index).is_ok());
        let (search, indexer) = Follower::start(ask_to_index).map_err(unreachable)?;
        let health = Health::of(&path);
        let monitor = FileMonitor::start(health.clone(), queue.downgrade()).map_err(unreachable)?;
        let writer = Writer::new(
            path.clone(),
            connection,
            Arc::clone(&readers),
            audit.clone(),
            health.clone(),
            Some(search),
        )
        .unprepared(unprepared);
        let thread = std::thread::Builder::new()
            .name("quorate-journal".to_owned())
            .spawn(move || writer.run(jobs))
            .map_err(unreachable)?;
        let writer = WriterThread {
            queue: Some(queue),
            thread: Some(thread),
            indexer: Some(indexer),
            monitor: Some(monitor),
            _lock: lock,
        };
        Ok(Self { path, readers, audit, health, writer: Some(WriterHandle::Thread(writer)) })
    }

    /// Opens the database at `path` as its one writer, which does each request on the caller's thread and asks `disk` about
    /// each commit.
    pub(crate) fn open_in_line(path: &Path, prepare: Prepare, disk: DiskGate) -> Result<Self, StoreError> {
        let (path, lock, connection, unprepared) = Self::take(path, prepare, &disk)?;
        let readers = Arc::new(Readers::beside_a_writer(path.clone(), disk.clone())?);
        let audit = Waiting::default();
        let health = Health::of(&path);
        let writer =
            Writer::new(path.clone(), connection, Arc::clone(&readers), audit.clone(), health.clone(), None)
                .unprepared(unprepared);
        let writer = WriterHandle::InLine(Box::new(InLineWriter::new(writer.over(disk), lock)));
        Ok(Self { path, readers, audit, health, writer: Some(writer) })
    }

    /// Takes the database at `path` for the one writer, and brings it into its present form. Where the disk takes nothing now,
    /// what is to be done before the first write comes with it.
    fn take(
        path: &Path,
        prepare: Prepare,
        disk: &DiskGate,
    ) -> Result<(PathBuf, WriterLock, Connection, Option<Unprepared>), StoreError> {
        let path = place(path)?;
        keep_log_without_database(&path, disk)?;
        let lock = WriterLock::take(&path)?;
        keep_damaged_log(&path, disk);
        if !disk.exists(&path) {
            schema::create(&path, disk)?;
        }
        let connection =
            schema::open_for_writing(&path, disk).map(Connection::Sqlite).inspect_err(|error| {
                if matches!(error, StoreError::NotOurs { .. }) {
                    lock.leave_no_trace();
                }
            })?;
        let unprepared = Unprepared::of(prepare);
        let unprepared = match unprepared.finish(&connection) {
            Ok(()) => None,
            // It can be read, and is written when there is room again.
            Err(StoreError::Journal(
                error @ JournalError::Unavailable {
                    fault: StorageFault::Full | StorageFault::ReadOnly, ..
                },
            )) => {
                tracing::warn!(%error, "the database can be read, and not written yet");
                if let Some(connection) = connection.sqlite() {
                    schema::distrust_log(connection);
                }
                Some(unprepared.because_of(error))
            }
            Err(error) => {
                if let Some(connection) = connection.sqlite() {
                    schema::distrust_log(connection);
                }
                return Err(error);
            }
        };
        Files::of(&path).clear_incoming();
        Ok((path, lock, connection, unprepared))
    }

    /// Opens the database at `path` only to read it, whether or not another process writes it.
    pub(crate) fn open_read_only(path: &Path) -> Result<Self, StoreError> {
        keep_log_without_database(path, &SYSTEM_DISK)?;
        let path = existing(path)?;
        drop(schema::open_to_read_only(&path)?);
        let readers = Arc::new(Readers::of(path.clone()));
        let health = Health::of(&path);
        Ok(Self { path, readers, audit: Waiting::default(), health, writer: None })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn health(&self) -> &Health {
        &self.health
    }

    pub(crate) fn is_read_only(&self) -> bool {
        self.writer.is_none()
    }

    /// Whether the work of the database is done on the thread of whoever asks for it.
    pub(crate) fn is_in_line(&self) -> bool {
        matches!(self.writer, Some(WriterHandle::InLine(_)))
    }

    /// Reads on this thread, which may wait.
    pub(crate) fn read<T, E: From<JournalError>>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, E>,
    ) -> Result<T, E> {
        self.health.still_there().inspect_err(|error| self.health.failed(error))?;
        self.readers.with(read)
    }

    /// Makes a change beside the log, in a transaction of its own.
    pub(crate) async fn change<T: Send + 'static>(
        &self,
        change: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.with_writer(move |writer| writer.change(change)).await
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
        self.ask(job).await?;
        answer.await.unwrap_or_else(|_| Err(writer_is_gone().into()))
    }

    /// Queues an append; its result comes over its own channel.
    pub(crate) async fn append(&self, append: Append) -> Result<(), JournalError> {
        self.ask(Job::Append(append)).await
    }

    /// Leaves an entry for the audit log with the writer, in this process or another. When its queue is full, it is
    /// at work and looks at what has gathered afterwards.
    pub(crate) fn note(&self, entry: AuditEntry) {
        let queue = match &self.writer {
            Some(WriterHandle::InLine(writer)) => {
                if self.audit.add(entry) {
                    writer.work(Job::Audit);
                }
                return;
            }
            Some(WriterHandle::Thread(writer)) => writer.queue.as_ref(),
            None => None,
        };
        let Some(queue) = queue else {
            if let Err(error) = audit_spool::leave(&self.path, &entry) {
                tracing::warn!(action = entry.action, %error, "a call is not audited: the folder of the database cannot be written");
            }
            return;
        };
        if self.audit.add(entry) {
            let _ = queue.try_send(Job::Audit);
        }
    }

    async fn ask(&self, job: Job) -> Result<(), JournalError> {
        let Some(writer) = &self.writer else {
            return Err(contract_broken(message!("store-only-read")));
        };
        match writer {
            WriterHandle::InLine(writer) => {
                writer.work(job);
                Ok(())
            }
            WriterHandle::Thread(WriterThread { queue: Some(queue), .. }) => {
                queue.send(job).await.map_err(|_| writer_is_gone())
            }
            WriterHandle::Thread(WriterThread { queue: None, .. }) => Err(writer_is_gone()),
        }
    }
}

impl Drop for SqliteDatabase {
    fn drop(&mut self) {
        // The writer closes last, because only it can empty the write-ahead log.
        self.readers.close();
        if let Some(WriterHandle::Thread(writer)) = &mut self.writer {
            drop(writer.monitor.take());
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

/// The thread that writes has ended.
pub(crate) fn writer_is_gone() -> JournalError {
    JournalError::Unavailable { fault: StorageFault::Stopped, detail: as_said("") }
}
