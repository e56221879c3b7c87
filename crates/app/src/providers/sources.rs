//! The sources that a plan reads besides the request: the store, the configuration and the environment.

use std::path::Path;

use quorate_store::Store;

use crate::error::ServiceError;

/// A database that is open to be read.
#[derive(Clone)]
pub struct OpenDatabase(Store);

impl From<Store> for OpenDatabase {
    fn from(store: Store) -> Self {
        Self(store)
    }
}

impl OpenDatabase {
    pub(crate) fn store(&self) -> &Store {
        &self.0
    }
}

/// Access to the database: an open store, or a file that is opened when it is needed. A meeting that needs
/// neither an agent nor a key then needs no database.
pub trait StoreSource: Send + Sync {
    /// Whether there is a database.
    fn is_there(&self) -> bool;

    /// The database, to be read.
    ///
    /// # Errors
    /// When there is none, or it cannot be opened.
    fn read(&self) -> Result<OpenDatabase, ServiceError>;
}

impl StoreSource for Store {
    fn is_there(&self) -> bool {
        true
    }

    fn read(&self) -> Result<OpenDatabase, ServiceError> {
        Ok(self.clone().into())
    }
}

/// All that a plan is made from beside what a person wrote. The environment is read where it is needed.
#[derive(Clone, Copy)]
pub struct Sources<'a> {
    /// The database, for agents and credentials.
    pub store_source: &'a dyn StoreSource,
    /// The user's own configuration, whether or not there is one.
    pub config: &'a Path,
}
