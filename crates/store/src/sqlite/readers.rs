//! Connections that only read.
//!
//! A few are kept open between reads, since opening one costs more than a short read. They see
//! what was committed when their read began, and never wait for the writer.
//!
//! Beside the writer of this process one connection stays open that nobody reads with. It keeps the index of the write-ahead
//! log, which knows no commit that failed. Whoever opened the database without it would take such a commit from the log for
//! one that was stored, and nobody knows whether it is on the disk.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use quorate_engine::JournalError;

use super::in_line::DiskGate;
use super::schema;
use crate::error::unavailable;
use crate::sql::Connection;

/// The number of idle connections that are kept.
pub(crate) const KEPT: usize = 4;

#[derive(Debug)]
pub(crate) struct Readers {
    path: PathBuf,
    disk: DiskGate,
    /// Whether this process writes the database.
    beside_a_writer: bool,
    /// Keeps the index of the write-ahead log.
    anchor: Mutex<Option<Connection>>,
    idle: Mutex<Vec<Connection>>,
    /// Changes when all connections have to be opened again.
    generation: AtomicU64,
}

impl Readers {
    /// Readers beside the writer of this process, which has opened the database.
    pub(crate) fn beside_a_writer(path: PathBuf, disk: DiskGate) -> rusqlite::Result<Self> {
        let readers = Self { disk, beside_a_writer: true, ..Self::of(path) };
        readers.keep_index()?;
        Ok(readers)
    }

    /// Sees to it that the index of the write-ahead log stays, beside the writer of this process.
    pub(crate) fn keep_index(&self) -> rusqlite::Result<()> {
        let mut anchor = self.anchor.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if self.beside_a_writer && anchor.is_none() {
            let connection = schema::open_beside_a_writer(&self.path, &self.disk)?;
            // The first read finds the index.
            connection.pragma_query_value(None, "schema_version", |row| row.get::<_, i64>(0))?;
            *anchor = Some(Connection::Sqlite(connection));
        }
        Ok(())
    }

    /// Readers of a database that this process does not write.
    pub(crate) fn of(path: PathBuf) -> Self {
        let (idle, generation) = (Mutex::default(), AtomicU64::new(0));
        let (disk, anchor) = (DiskGate::default(), Mutex::default());
        Self { path, disk, beside_a_writer: false, anchor, idle, generation }
    }

    fn open(&self) -> rusqlite::Result<rusqlite::Connection> {
        match self.beside_a_writer {
            // What cannot be read as long as something is written beside it cannot be read at all.
            true => schema::open_beside_a_writer(&self.path, &self.disk),
            false => schema::open_for_reading(&self.path, &self.disk),
        }
    }

    /// Reads with one connection. After an error it is closed, so that its fault does not affect later reads.
    pub(crate) fn with<T, E: From<JournalError>>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, E>,
    ) -> Result<T, E> {
        let generation = self.generation.load(Ordering::Acquire);
        let kept = self.idle().pop();
        let connection = match kept {
            Some(connection) => connection,
            None => self.open().map(Connection::Sqlite).map_err(|error| unavailable(&error.into()))?,
        };
        let result = read(&connection)?;
        let mut idle = self.idle();
        if idle.len() < KEPT && generation == self.generation.load(Ordering::Acquire) {
            idle.push(connection);
        }
        Ok(result)
    }

    /// Closes idle connections now, and the others as soon as they are done.
    pub(crate) fn close_idle(&self) {
        self.generation.fetch_add(1, Ordering::AcqRel);
        self.idle().clear();
    }

    /// Closes all connections, since the files are not those any more that they have open, or nobody needs them.
    pub(crate) fn close(&self) {
        self.close_idle();
        *self.anchor.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = None;
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
