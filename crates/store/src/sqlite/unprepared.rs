//! What is to be done in a database before the first write, also where the disk takes nothing when it is opened.

use quorate_engine::JournalError;

use crate::error::StoreError;
use crate::rebuild;
use crate::sql::{Behavior, Connection, Transaction};

/// What is done in a database, in a transaction, before the first request.
pub(crate) type Prepare = fn(&Connection) -> Result<(), StoreError>;

/// What is to be done in a database before the first write.
#[derive(Debug)]
pub(crate) struct Unprepared {
    prepare: Prepare,
    /// Why it could not be done yet.
    pub(crate) error: Option<JournalError>,
}

impl Unprepared {
    pub(crate) fn of(prepare: Prepare) -> Self {
        Self { prepare, error: None }
    }

    /// The same, and why it cannot be done now.
    pub(crate) fn because_of(self, error: JournalError) -> Self {
        Self { error: Some(error), ..self }
    }

    /// Does it.
    pub(crate) fn finish(&self, connection: &Connection) -> Result<(), StoreError> {
        rebuild::restore_missing(connection)?;
        let moment = Transaction::begin(connection, Behavior::Change)?;
        (self.prepare)(&moment)?;
        moment.commit()?;
        Ok(())
    }
}
