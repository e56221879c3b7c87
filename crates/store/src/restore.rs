//! Restoration of a backup in place of a database.
//!
//! Everything is copied beside the database and checked first. Then one rename puts the new database in the
//! old one's place, so an interruption leaves either the old one or the new one. Uploaded files are named by
//! their content, so those of both lie in one folder in between. A new key file is stored as the next one
//! until the database that needs it is in place (`vault.rs`).

use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::error::StoreError;
use crate::files::Files;
use crate::key_file;
use crate::sql::Connection;
use crate::sqlite::in_line::SYSTEM_DISK;
use crate::sqlite::lock::WriterLock;
use crate::sqlite::place::{create_private, existing, flush_folder, place};
use crate::sqlite::schema;
use crate::store::backup::{self, CopyProgress, Partial, beside};
use crate::store::vault::Vault;

/// The result of a restoration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RestoreReport {
    /// The database, as it is now.
    pub path: PathBuf,
    /// Meetings in it, all of them checked.
    pub meetings: u64,
    /// Events in it, all of them checked.
    pub events: u64,
    /// Uploaded contents that were copied and checked.
    pub files: u64,
    /// Uploaded contents that the backup does not have, by their checksum.
    pub missing: Vec<String>,
    /// Whether the backup had a key file.
    pub key: bool,
    /// The path to which the previous database was moved.
    pub kept: Option<PathBuf>,
}

/// Puts the backup at `from` in the place of the database at `to`. With `force`, one that is there
/// is kept beside it as `to.before-STAMP`, with its files and its key.
///
/// # Errors
/// When a process uses the database, one is there and `force` is not given, or the backup is not
/// sound; the database is then as it was.
pub fn restore(
    from: impl AsRef<Path>,
    to: impl AsRef<Path>,
    force: bool,
    stamp: &str,
    mut progress: impl FnMut(CopyProgress) + Send,
) -> Result<RestoreReport, StoreError> {
    let (from, path) = (existing(from.as_ref())?, place(to.as_ref())?);
    let unreachable = |source| StoreError::Unreachable { path: path.clone(), source };
    let there = path.exists();
    let kept = free(&path, stamp);
    if from == path || (there && !force) {
        return Err(StoreError::WouldReplace { path });
    }
    let lock = WriterLock::take(&path)?;
    let partial = Partial::of(&path)?;
    {
        let original = schema::open_to_verify(&from, &SYSTEM_DISK)?;
        backup::copy(&Connection::Sqlite(original), &partial.0, &mut progress)?;
    }
    let (meetings, events) = backup::check(&partial.0, &mut progress)?;
    if there {
        keep(&path, &kept)?;
    }
    let (files, missing) =
        backup::copy_files(&partial.0, &Files::of(&from), &Files::of(&path), &mut progress)?;
    let next = key_file::successor(&key_file::beside(&path));
    // What a change of the key file left behind belongs to the database that goes.
    let _ = std::fs::remove_file(&next);
    let key = backup::copy_key(&key_file::beside(&from), &next)?;
    // The log of the old database must not be taken for one of the new.
    for ending in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(beside(&path, ending));
    }
    std::fs::rename(&partial.0, &path)
        .and_then(|()| flush_folder(path.parent().unwrap_or(Path::new(""))))
        .map_err(unreachable)?;
    if key {
        Vault::promote(&path)?;
    }
    drop(lock);
    Ok(RestoreReport { path, meetings, events, files, missing, key, kept: there.then_some(kept) })
}

/// The first name with the stamp that nothing has yet.
fn free(path: &Path, stamp: &str) -> PathBuf {
    let names = (1..).map(|number| match number {
        1 => beside(path, &format!(".before-{stamp}")),
        _ => beside(path, &format!(".before-{stamp}-{number}")),
    });
    let mut free = names.filter(|name| name.symlink_metadata().is_err());
    free.next().unwrap_or_else(|| beside(path, ".before"))
}

/// Moves the previous database, its files and its key to another name. The caller is its one writer.
fn keep(path: &Path, kept: &Path) -> Result<(), StoreError> {
    let unreachable = |source| StoreError::Unreachable { path: kept.to_owned(), source };
    // Moves the contents of the write-ahead log into the file. A damaged database is kept as it is, with its
    // log.
    let moved = schema::connect_for_writing(path, &SYSTEM_DISK)
        .and_then(|connection| connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE);"));
    create_private(kept)?;
    std::fs::copy(path, kept).and_then(|_| std::fs::File::open(kept)?.sync_all()).map_err(unreachable)?;
    let log = beside(path, "-wal");
    if moved.is_err() && log.exists() {
        std::fs::copy(&log, beside(kept, "-wal")).map_err(unreachable)?;
    }
    let (old, new) = (Files::of(path), Files::of(kept));
    for sha256 in old.stored()? {
        new.copy_from(&old, &sha256)?;
    }
    backup::copy_key(&key_file::beside(path), &key_file::beside(kept))?;
    Ok(())
}
