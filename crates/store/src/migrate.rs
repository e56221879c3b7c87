//! Moving a whole database to a server.

use quorate_messages::{Language, message};
use serde::Serialize;

use crate::error::StoreError;
use crate::files::Files;
use crate::key_file;
use crate::location::DatabaseLocation;
use crate::postgres;
use crate::sql::{Behavior, Connection, Transaction};
use crate::sqlite::in_line::SYSTEM_DISK;
use crate::sqlite::lock::WriterLock;
use crate::sqlite::{place, schema};
use crate::store::backup;
use crate::store::backup::CopyProgress;
use crate::{transfer, verify};

/// The result of a migration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MigrationReport {
    /// Where the data is now: the address, without its password.
    pub to: String,
    /// Meetings, the chains of which were checked on both sides and end alike.
    pub meetings: u64,
    /// Their events.
    pub events: u64,
    /// Uploaded contents that were copied.
    pub files: u64,
    /// Uploaded contents that were not there or not what was stored, by their checksum.
    pub missing: Vec<String>,
    /// Whether there was a key file that was copied.
    pub key: bool,
}

/// Copies a whole database into an empty one on a server, in one transaction, and compares both. The original stays as it
/// is; while it is copied nobody writes it.
///
/// # Errors
/// When the original is damaged or in use, or when the other database is no server's, is not empty, or cannot be reached;
/// nothing is then in it.
pub fn migrate(
    from: &DatabaseLocation,
    to: &DatabaseLocation,
    mut progress: impl FnMut(CopyProgress) + Send,
) -> Result<MigrationReport, StoreError> {
    let DatabaseLocation::Postgres { url, beside } = to else {
        return Err(StoreError::NotAServer { path: to.path().to_owned() });
    };
    let original =
        verify::verify(from, |at| progress(CopyProgress::Meetings(at.meetings, at.of_meetings)), |_| {})?;
    original.refuse_damage()?;
    postgres::with_new_connection(url, |target| {
        let (files, missing) = match from {
            DatabaseLocation::File(path) => {
                let path = place::existing(path)?;
                let _lock = WriterLock::take(&path)?;
                // A database of an older version is brought up to date, so that both have the same columns.
                let source = Connection::Sqlite(schema::open_for_writing(&path, &SYSTEM_DISK)?);
                copied(&source, &Files::of(&path), target, &Files::of(beside), &mut progress)?
            }
            DatabaseLocation::Postgres { url, beside: other } => {
                let source = postgres::connection(url)?;
                copied(&source, &Files::of(other), target, &Files::of(beside), &mut progress)?
            }
        };
        let key_file = key_file::beside(beside);
        let key = !key_file.exists() && backup::copy_key(&key_file::beside(from.path()), &key_file)?;
        let report = MigrationReport {
            to: url.to_string(),
            meetings: original.meetings,
            events: original.events,
            files,
            missing,
            key,
        };
        Ok(report)
    })
}

/// Copies everything in one transaction, which is committed only when the copy is what the original is.
fn copied(
    source: &Connection,
    source_files: &Files,
    target: &Connection,
    target_files: &Files,
    progress: &mut (dyn FnMut(CopyProgress) + Send),
) -> Result<(u64, Vec<String>), StoreError> {
    let moment = source.unchecked_transaction()?;
    let transaction = Transaction::begin(target, Behavior::Append)?;
    transaction.server_setting("statement_timeout", "0")?;
    transfer::refuse_rows(&transaction)?;
    transfer::copy(&moment, &transaction, &mut |done, of| progress(CopyProgress::Rows(done, of)))?;
    let told = &mut |done, of| progress(CopyProgress::Files(done, of));
    let contents = transfer::copy_contents(&moment, source_files, &transaction, target_files, told)?;
    let copy = verify::verify_within(&transaction, &mut |at| {
        progress(CopyProgress::Meetings(at.meetings, at.of_meetings));
    });
    copy.refuse_damage()?;
    if transfer::ends(&moment)? != transfer::ends(&transaction)? {
        return Err(StoreError::DamagedCopy {
            found: 1,
            first: message!("store-verify-ends-differ").text(Language::En),
        });
    }
    transaction.commit()?;
    Ok(contents)
}
