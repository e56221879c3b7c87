//! The database on a PostgreSQL server, which several nodes may share.
//!
//! Reads and changes take a connection each. A change that depends on what it reads runs as if it were alone
//! (`SERIALIZABLE`), and is begun again when another one was in its way. Appends of all meetings of this node go through
//! one thread, which commits everything that waits at once (`writer.rs`). A second thread does what nobody waits for: the
//! audit log, the search index, and looking whether the server can be reached.

mod background_writer;
mod catalogue_rows;
mod node;
pub(crate) mod owner_change;
mod pool;
mod provider_lease;
pub(crate) mod running_places;
mod schema;
mod url;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use quorate_contract::MeetingId;
use quorate_engine::JournalError;
use quorate_messages::{as_said, message};
use tokio::sync::mpsc;

use self::background_writer::Keeper;
use self::node::{LeaseThread, ThisNode};
pub use self::node::{Node, NodeStats};
pub use self::owner_change::OwnerChange;
use self::pool::Pool;
pub use self::url::PostgresUrl;
use self::writer::Writer;
use crate::append::Append;
use crate::audit_log::{AuditEntry, Waiting};
use crate::error::{StoreError, contract_broken, unavailable};
use crate::files::Files;
use crate::health::Health;
use crate::key_shares::{KeyNeed, KeyShare};
use crate::rebuild;
use crate::sql::{Behavior, Connection, ErrorKind, Transaction};
use crate::sqlite::place::make_folder;
use crate::sqlite::unprepared::Prepare;
use crate::sqlite::writer_is_gone;

/// The length of the queue of appends; when it is full, senders wait.
const QUEUE: usize = 1024;
/// How often a change is begun again that others were in the way of.
const ATTEMPTS: u32 = 12;

/// A database on a server, open.
#[derive(Debug)]
pub(crate) struct PostgresDatabase {
    /// The path beside which this machine keeps what belongs to it.
    beside: PathBuf,
    pool: Arc<Pool>,
    audit: Waiting,
    health: Health,
    keeper: Option<Keeper>,
    /// The lease of this process; `None` when the database was opened only to be read.
    lease: Option<LeaseThread>,
    /// `None` when the database was opened only to be read.
    writer: Option<WriterHandle>,
}

#[derive(Debug)]
struct WriterHandle {
    queue: Option<mpsc::Sender<Append>>,
    thread: Option<JoinHandle<()>>,
}

impl PostgresDatabase {
    /// Opens the database to write in it, beside other nodes that may do so; its tables are made or brought up to date.
    pub(crate) fn open(url: &PostgresUrl, beside: &Path, prepare: Prepare) -> Result<Self, StoreError> {
        waiting(|| Self::open_waiting(url, beside, prepare))
    }

    fn open_waiting(url: &PostgresUrl, beside: &Path, prepare: Prepare) -> Result<Self, StoreError> {
        let (pool, health) = (Pool::of(url)?, Health::of_server(url));
        let connection = reached(&pool)?;
        schema::migrate(&connection, url)?;
        let folder = beside.parent().unwrap_or(Path::new("."));
        make_folder(folder).map_err(|source| StoreError::Unreachable { path: folder.to_owned(), source })?;
        Files::of(beside).clear_incoming();
        let node = ThisNode::enter(&connection, node_id())?;
        provider_lease::forget_unused(&connection)?;
        owner_change::forget_old(&connection)?;
        pool.speak_for(&node);
        rebuild::restore_missing(&connection)?;
        repeated(&connection, prepare)?;
        // It does not say for which process it is.
        drop(connection);
        let audit = Waiting::default();
        let unreachable = |source| StoreError::Unreachable { path: beside.to_owned(), source };
        let lease = LeaseThread::start(&pool, &node).map_err(unreachable)?;
        let keeper =
            Keeper::start(&pool, &audit, &health, background_writer::Tasks::All).map_err(unreachable)?;
        let (queue, appends) = mpsc::channel(QUEUE);
        let writer = Writer::new(Arc::clone(&pool), Arc::clone(&node), health.clone(), keeper.waker());
        let thread = std::thread::Builder::new()
            .name("quorate-journal".to_owned())
            .spawn(move || writer.run(appends))
            .map_err(unreachable)?;
        let writer = Some(WriterHandle { queue: Some(queue), thread: Some(thread) });
        Ok(Self {
            beside: beside.to_owned(),
            pool,
            audit,
            health,
            keeper: Some(keeper),
            lease: Some(lease),
            writer,
        })
    }

    /// Opens the database only to read it. Nothing is written but entries of the audit log.
    pub(crate) fn open_read_only(url: &PostgresUrl, beside: &Path) -> Result<Self, StoreError> {
        waiting(|| Self::open_read_only_waiting(url, beside))
    }

    fn open_read_only_waiting(url: &PostgresUrl, beside: &Path) -> Result<Self, StoreError> {
        let (pool, health, audit) = (Pool::of(url)?, Health::of_server(url), Waiting::default());
        let connection = reached(&pool)?;
        schema::check(&connection, url)?;
        pool.put_back(connection);
        let keeper = Keeper::start(&pool, &audit, &health, background_writer::Tasks::AuditAlone)
            .map_err(|source| StoreError::Unreachable { path: beside.to_owned(), source })?;
        Ok(Self {
            beside: beside.to_owned(),
            pool,
            audit,
            health,
            keeper: Some(keeper),
            lease: None,
            writer: None,
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.beside
    }

    pub(crate) fn health(&self) -> &Health {
        &self.health
    }

    pub(crate) fn is_read_only(&self) -> bool {
        self.writer.is_none()
    }

    /// Reads on this thread, which may wait.
    pub(crate) fn read<T, E: From<JournalError>>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, E>,
    ) -> Result<T, E> {
        let connection = self.pool.take().map_err(|error| self.failed(&unavailable(&error)))?;
        let outcome = read(&connection);
        self.pool.put_back(connection);
        outcome
    }

    /// Makes a change beside the log, in a transaction of its own. It is made on a thread that may wait, also when the
    /// caller is gone.
    pub(crate) async fn change<T: Send + 'static>(
        &self,
        change: impl Fn(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        if self.is_read_only() {
            return Err(contract_broken(message!("store-only-read")).into());
        }
        let (pool, health) = (Arc::clone(&self.pool), self.health.clone());
        let changed = tokio::task::spawn_blocking(move || {
            let changed = pool.with(|connection| repeated(connection, change));
            match &changed {
                Ok(_) => health.succeeded(),
                Err(StoreError::Journal(error)) => health.failed(error),
                Err(_) => {}
            }
            changed
        });
        changed
            .await
            .unwrap_or_else(|stopped| Err(contract_broken(message!("app-broken-off", %stopped)).into()))
    }

    /// Queues an append; its result comes over its own channel.
    pub(crate) async fn append(&self, append: Append) -> Result<(), JournalError> {
        let Some(writer) = &self.writer else {
            return Err(contract_broken(message!("store-only-read")));
        };
        match &writer.queue {
            Some(queue) => queue.send(append).await.map_err(|_| writer_is_gone()),
            None => Err(writer_is_gone()),
        }
    }

    /// This process among the others; `None` when the database was opened only to be read.
    pub(crate) fn node(&self) -> Option<&Arc<ThisNode>> {
        self.lease.as_ref().map(LeaseThread::node)
    }

    /// Takes a meeting that is to run here.
    pub(crate) fn claim_to_run(&self, id: &MeetingId) -> Result<(), JournalError> {
        let Some(node) = self.node() else { return Err(contract_broken(message!("store-only-read"))) };
        self.read(|connection| node::claim_to_run(connection, node, id))
    }

    /// Takes over meetings that nobody owns and that are to go on.
    pub(crate) fn claim_free(&self, most: u32) -> Result<Vec<MeetingId>, StoreError> {
        match self.node() {
            Some(node) if !node.is_draining() && !node.is_fenced() => {
                self.read(|connection| Ok(node::claim_free(connection, node, most)?))
            }
            _ => Ok(Vec::new()),
        }
    }

    /// The process that owns a meeting, when it is another one: its name and address.
    pub(crate) fn owner_elsewhere(
        &self,
        id: &MeetingId,
        ended_too: bool,
    ) -> Result<Option<(String, Option<String>)>, StoreError> {
        let node = self.node().map(|node| &**node);
        self.read(|connection| Ok(node::owner_elsewhere(connection, node, id, ended_too)?))
    }

    /// Those of these meetings that another process owns.
    pub(crate) fn owned_elsewhere(&self, ids: &[MeetingId]) -> Result<Vec<MeetingId>, StoreError> {
        match self.node() {
            Some(node) => self.read(|connection| Ok(node::owned_elsewhere(connection, node, ids)?)),
            None => Ok(Vec::new()),
        }
    }

    /// Says what this process needs of the limits of providers, and what it may use from now on.
    pub(crate) fn exchange_shares(&self, needs: &[KeyNeed]) -> Result<Vec<KeyShare>, StoreError> {
        match self.node() {
            Some(node) => self.read(|connection| Ok(provider_lease::exchange(connection, node, needs)?)),
            None => Ok(Vec::new()),
        }
    }

    /// Whether this process does what has to be done once for all of them.
    pub(crate) fn is_leader(&self) -> Result<bool, StoreError> {
        match self.node() {
            Some(node) => self.read(|connection| Ok(node::is_leader(connection, node)?)),
            None => Ok(false),
        }
    }

    /// The processes that write here.
    pub(crate) fn nodes(&self) -> Result<Vec<Node>, StoreError> {
        let node = self.node().map(|node| &**node);
        self.read(|connection| Ok(node::list(connection, node)?))
    }

    /// Which meetings have gone over from one process to another, the newest first.
    pub(crate) fn owner_changes(
        &self,
        meeting: Option<&MeetingId>,
        most: u32,
    ) -> Result<Vec<OwnerChange>, StoreError> {
        self.read(|connection| Ok(owner_change::list(connection, meeting, most)?))
    }

    /// Leaves an entry for the audit log.
    pub(crate) fn note(&self, entry: AuditEntry) {
        if self.audit.add(entry)
            && let Some(keeper) = &self.keeper
        {
            keeper.wake();
        }
    }

    /// Writes the entries for the audit log that have gathered.
    pub(crate) fn write_audit(&self) -> Result<(), StoreError> {
        self.pool.with(|connection| background_writer::write_audit(connection, &self.audit))
    }

    fn failed(&self, error: &JournalError) -> JournalError {
        self.health.failed(error);
        error.clone()
    }
}

impl Drop for PostgresDatabase {
    fn drop(&mut self) {
        if let Some(writer) = &mut self.writer {
            writer.queue = None;
            if let Some(thread) = writer.thread.take()
                && thread.join().is_err()
            {
                tracing::error!("the journal's writer had panicked");
            }
        }
        // After the last append: what is still to be written and indexed is.
        drop(self.keeper.take());
        drop(self.lease.take());
        waiting(|| self.pool.close());
    }
}

/// The name of this process: as `QUORATE_NODE` says, else the machine's with the number of the process.
fn node_id() -> String {
    let named = std::env::var("QUORATE_NODE").ok().filter(|name| !name.trim().is_empty());
    named.unwrap_or_else(|| {
        let host = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
        let host = host.or_else(|| std::env::var("COMPUTERNAME").ok()).unwrap_or_default();
        let host: String =
            host.trim().chars().filter(|letter| letter.is_ascii_alphanumeric() || *letter == '-').collect();
        match host.as_str() {
            "" => format!("node-{}", std::process::id()),
            host => format!("{host}-{}", std::process::id()),
        }
    })
}

/// Does something that waits for the server on a thread of its own: the client has a runtime inside, and this may be called
/// from a task of another one.
fn waiting<T: Send>(action: impl FnOnce() -> T + Send) -> T {
    let done = std::thread::scope(|scope| scope.spawn(action).join());
    done.unwrap_or_else(|panicked| std::panic::resume_unwind(panicked))
}

/// Does something with a connection to a database that is opened only for it.
pub(crate) fn with_connection<T: Send>(
    url: &PostgresUrl,
    action: impl FnOnce(&Connection) -> Result<T, StoreError> + Send,
) -> Result<T, StoreError> {
    waiting(|| action(&connection(url)?))
}

/// A connection to a database that is opened only for it, on a thread that may wait.
pub(crate) fn connection(url: &PostgresUrl) -> Result<Connection, StoreError> {
    let connection = reached(&*Pool::of(url)?)?;
    schema::check(&connection, url)?;
    Ok(connection)
}

/// The same with a database whose tables are made when they are not there.
pub(crate) fn with_new_connection<T: Send>(
    url: &PostgresUrl,
    action: impl FnOnce(&Connection) -> Result<T, StoreError> + Send,
) -> Result<T, StoreError> {
    waiting(|| {
        let connection = reached(&*Pool::of(url)?)?;
        schema::migrate(&connection, url)?;
        action(&connection)
    })
}

/// The first connection, or why the server cannot be reached.
fn reached(pool: &Pool) -> Result<Connection, StoreError> {
    pool.connect().map_err(|error| match error.kind() {
        ErrorKind::Unreachable | ErrorKind::Inaccessible => {
            StoreError::ServerUnreachable { url: pool.url().to_string(), detail: as_said(error) }
        }
        _ => error.into(),
    })
}

/// Makes a change in a transaction, and begins again when another one was in its way.
pub(crate) fn repeated<T>(
    connection: &Connection,
    change: impl Fn(&Connection) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    for attempt in 1.. {
        let changed = (|| {
            let transaction = Transaction::begin(connection, Behavior::Change)?;
            let done = change(&transaction)?;
            transaction.commit()?;
            Ok(done)
        })();
        match changed {
            Err(error) if connection.took_conflict() && attempt < ATTEMPTS => {
                tracing::trace!(%error, attempt, "a change is begun again");
                // Different for each thread, so that two do not meet again.
                let spread = u64::from(std::process::id() % 7) + u64::from(attempt) * 5;
                std::thread::sleep(Duration::from_millis(spread));
            }
            changed => return changed,
        }
    }
    unreachable!("the last attempt returns")
}
