//! Where a database is.

use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};

use quorate_messages::message;

use crate::error::StoreError;
use crate::key_file;
use crate::postgres::PostgresUrl;

/// Where a database is: in a file of SQLite, or on a PostgreSQL server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DatabaseLocation {
    /// A file of SQLite.
    File(PathBuf),
    /// A database on a PostgreSQL server.
    Postgres {
        /// Its address.
        url: PostgresUrl,
        /// The path under which this machine keeps what belongs beside the database, such as the key file (`….key`).
        beside: PathBuf,
    },
}

impl DatabaseLocation {
    /// Reads what a person gives as a database: an address that begins with `postgres://`, or the path of a file.
    /// `folder` is where this machine keeps what belongs beside a database on a server.
    ///
    /// # Errors
    /// When it is an address that cannot be used.
    pub fn parse(given: &OsStr, folder: &Path) -> Result<Self, StoreError> {
        match given.to_str() {
            Some(text) if PostgresUrl::is_one(text) => {
                let url: PostgresUrl = text.parse()?;
                let beside = folder.join(format!("postgres-{}", url.slug()));
                Ok(Self::Postgres { url, beside })
            }
            // A path may hold a colon, but hardly ever "://".
            Some(text) if text.contains("://") => Err(StoreError::BadDatabaseUrl {
                url: text.split_once("://").map_or(text, |(scheme, _)| scheme).to_owned() + "://…",
                detail: message!("store-postgres-other-scheme"),
            }),
            _ => Ok(Self::File(given.into())),
        }
    }

    /// The path of the file; for a database on a server, the one beside which this machine keeps what belongs to it.
    pub fn path(&self) -> &Path {
        match self {
            Self::File(path) => path,
            Self::Postgres { beside, .. } => beside,
        }
    }

    /// Puts a key file that all nodes of a database on a server share into its place on this machine.
    ///
    /// # Errors
    /// When it cannot be read, or nothing can be written there.
    pub fn take_key_file(&self, shared: &Path) -> Result<(), StoreError> {
        let Self::Postgres { beside, .. } = self else { return Ok(()) };
        key_file::take(shared, &key_file::beside(beside))
    }

    /// The path of the file; `None` when the database is on a server.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Postgres { .. } => None,
        }
    }
}

impl fmt::Display for DatabaseLocation {
    /// The path, or the address without its password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            Self::Postgres { url, .. } => url.fmt(f),
        }
    }
}

impl From<PathBuf> for DatabaseLocation {
    fn from(path: PathBuf) -> Self {
        Self::File(path)
    }
}

impl From<&PathBuf> for DatabaseLocation {
    fn from(path: &PathBuf) -> Self {
        Self::File(path.clone())
    }
}

impl From<&Path> for DatabaseLocation {
    fn from(path: &Path) -> Self {
        Self::File(path.to_owned())
    }
}

impl From<&DatabaseLocation> for DatabaseLocation {
    fn from(location: &DatabaseLocation) -> Self {
        location.clone()
    }
}
