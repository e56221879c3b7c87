//! The thread that does what nobody waits for: it writes the audit log, indexes what was appended, and looks whether the
//! server can be reached.

use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use quorate_engine::Recovery;

use super::pool::Pool;
use super::repeated;
use crate::audit_log::{self, Waiting};
use crate::error::{StoreError, unavailable};
use crate::health::Health;
use crate::search::index;
use crate::sql::Connection;

/// How often it looks when nobody wakes it.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How long appends gather before they are indexed.
const GATHER: Duration = Duration::from_millis(200);
/// How long it goes on indexing after the database was closed.
const LAST_INDEXING: Duration = Duration::from_secs(1);

/// What the thread is to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tasks {
    All,
    /// For a process that only reads: its calls are audited all the same.
    AuditAlone,
}

/// Why the thread was woken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wake {
    /// There are entries for the audit log.
    Audit,
    /// There is something to index.
    Index,
}

/// The thread. It ends when this is dropped, after it has done what was left.
#[derive(Debug)]
pub(super) struct Keeper {
    wake: Option<mpsc::Sender<Wake>>,
    thread: Option<JoinHandle<()>>,
}

impl Keeper {
    pub(super) fn start(
        pool: &Arc<Pool>,
        audit: &Waiting,
        health: &Health,
        tasks: Tasks,
    ) -> std::io::Result<Self> {
        let (wake, woken) = mpsc::channel();
        let (pool, audit, health) = (Arc::clone(pool), audit.clone(), health.clone());
        let thread = std::thread::Builder::new()
            .name("quorate-storage".to_owned())
            .spawn(move || run(&pool, &audit, &health, tasks, &woken))?;
        Ok(Self { wake: Some(wake), thread: Some(thread) })
    }

    /// Wakes the thread when there is something to index.
    pub(super) fn waker(&self) -> impl Fn() + Send + 'static {
        let wake = self.wake.clone();
        move || {
            if let Some(wake) = &wake {
                // A thread that is gone leaves the index behind; the next start makes up for it.
                let _ = wake.send(Wake::Index);
            }
        }
    }

    /// Wakes the thread to write the audit log.
    pub(super) fn wake(&self) {
        if let Some(wake) = &self.wake {
            let _ = wake.send(Wake::Audit);
        }
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.wake = None;
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

fn run(pool: &Pool, audit: &Waiting, health: &Health, tasks: Tasks, woken: &mpsc::Receiver<Wake>) {
    let mut index_from = (tasks == Tasks::All).then(Instant::now);
    loop {
        let pause = index_from.map_or(LOOK_EVERY, |from| from.saturating_duration_since(Instant::now()));
        let is_over = match woken.recv_timeout(pause) {
            Ok(wake) => {
                note(wake, &mut index_from);
                woken.try_iter().for_each(|wake| note(wake, &mut index_from));
                false
            }
            Err(mpsc::RecvTimeoutError::Timeout) => false,
            Err(mpsc::RecvTimeoutError::Disconnected) => true,
        };
        if health.trouble().is_some_and(|error| error.recovery() != Recovery::Never) {
            probe(pool, health);
        }
        if !audit.is_empty() && health.trouble().is_none() {
            let written = pool.with(|connection| write_audit(connection, audit));
            if let Err(error) = written {
                tracing::warn!(%error, "the audit log could not be written");
            }
        }
        if is_over {
            if tasks == Tasks::All {
                let begun = Instant::now();
                while matches!(index_step(pool), Ok(true)) && begun.elapsed() < LAST_INDEXING {}
            }
            return;
        }
        if index_from.is_some_and(|from| from <= Instant::now()) && health.trouble().is_none() {
            index_from = match index_step(pool) {
                Ok(true) => Some(Instant::now()),
                Ok(false) => None,
                Err(error) => {
                    tracing::warn!(%error, "the search index could not be brought up to date");
                    Some(Instant::now() + LOOK_EVERY)
                }
            };
        }
    }
}

fn note(wake: Wake, index_from: &mut Option<Instant>) {
    if wake == Wake::Index {
        index_from.get_or_insert_with(|| Instant::now() + GATHER);
    }
}

/// Sees whether the server can be reached again.
fn probe(pool: &Pool, health: &Health) {
    let looked = pool.take().and_then(|connection| {
        connection.query_row("SELECT count(*) FROM search_state", [], |row| row.get::<_, i64>(0))?;
        pool.put_back(connection);
        Ok(())
    });
    match looked {
        Ok(()) => health.succeeded(),
        Err(error) => health.failed(&unavailable(&error)),
    }
}

/// Indexes some events, and says whether there may be more. When another node is at it, it does the work.
fn index_step(pool: &Pool) -> Result<bool, StoreError> {
    pool.with(|connection| repeated(connection, |connection| Ok(index::step(connection)?)))
}

/// Writes the entries for the audit log that have gathered. What cannot be written waits.
pub(super) fn write_audit(connection: &Connection, audit: &Waiting) -> Result<(), StoreError> {
    let _writing = audit.writing();
    let (entries, lost) = audit.take();
    if entries.is_empty() {
        return Ok(());
    }
    repeated(connection, |connection| Ok(audit_log::write(connection, &entries, lost).map(|_| ())?))
        .inspect_err(|_| audit.put_back(entries.clone(), lost))
}
