//! The database as one file of SQLite: opening and migrating it, its one writer, its readers, its write-ahead log, and
//! whether its file is still there.

pub(crate) mod health;
pub(crate) mod lock;
pub(crate) mod readers;
pub(crate) mod schema;
pub(crate) mod wal;
pub(crate) mod writer;
