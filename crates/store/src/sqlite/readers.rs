//! Connections that only read.
//!
//! A few are kept open between reads, since opening one costs more than a short read. They see
//! what was committed when their read began, and never wait for the writer.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use quorate_engine::JournalError;

use super::schema;
use crate::error::unavailable;
use crate::sql::Connection;

/// The number of idle connections that are kept.
pub(crate) const KEPT: usize = 4;

#[derive(Debug)]
pub(crate) struct Readers {
    path: PathBuf,
    idle: Mutex<Vec<Connection>>,
    /// Changes when all connections have to be opened again.
    generation: AtomicU64,
}

impl Readers {
    pub(crate) fn of(path: PathBuf) -> Self {
        Self { path, idle: Mutex::default(), generation: AtomicU64::new(0) }
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
            None => schema::open_for_reading(&self.path)
                .map(Connection::Sqlite)
                .map_err(|error| unavailable(&error.into()))?,
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

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
