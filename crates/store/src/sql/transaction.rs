//! Transactions.

use std::ops::Deref;

use super::{Connection, Result};

/// What a transaction is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Behavior {
    /// Several reads that see the same moment.
    Snapshot,
    /// A change that may depend on what it reads: as if it were alone.
    Change,
    /// An append: what it writes is guarded by the rows that it locks.
    Append,
}

/// A transaction, which is rolled back when it is dropped.
pub(crate) struct Transaction<'c> {
    connection: &'c Connection,
    is_open: bool,
}

impl<'c> Transaction<'c> {
    /// Begins a transaction.
    pub(crate) fn begin(connection: &'c Connection, behavior: Behavior) -> Result<Self> {
        let begin = match (connection, behavior) {
            (Connection::Sqlite(_), Behavior::Snapshot) => "BEGIN DEFERRED",
            (Connection::Sqlite(_), Behavior::Change | Behavior::Append) => "BEGIN IMMEDIATE",
            (Connection::Postgres(_), Behavior::Snapshot) => {
                "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
            }
            (Connection::Postgres(_), Behavior::Change) => "BEGIN ISOLATION LEVEL SERIALIZABLE",
            (Connection::Postgres(_), Behavior::Append) => "BEGIN ISOLATION LEVEL READ COMMITTED",
        };
        run(connection, begin)?;
        Ok(Self { connection, is_open: true })
    }

    /// Commits it.
    pub(crate) fn commit(mut self) -> Result<()> {
        run(self.connection, "COMMIT")?;
        self.is_open = false;
        Ok(())
    }
}

fn run(connection: &Connection, sql: &str) -> Result<()> {
    match connection {
        Connection::Sqlite(_) => connection.prepare_cached(sql)?.execute([]).map(|_| ()),
        Connection::Postgres(_) => connection.execute_batch(sql),
    }
}

impl Deref for Transaction<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.connection
    }
}

impl Drop for Transaction<'_> {
    fn drop(&mut self) {
        if self.is_open {
            // A connection that is lost has no transaction left to roll back.
            let _ = run(self.connection, "ROLLBACK");
        }
    }
}
