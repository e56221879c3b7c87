//! Copies a database while it is in use.
//!
//! The copy is one moment of the original. It gets its name only once it is complete, so that a
//! file of that name is always a whole backup.

use std::path::Path;

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags};

use crate::error::{StoreError, unavailable};
use crate::store::{create_private, flush_folder};

/// Copies what `connection` sees to `to`, which must not exist.
pub(crate) fn backup(connection: &Connection, to: &Path) -> Result<(), StoreError> {
    if to.symlink_metadata().is_ok() {
        return Err(StoreError::Exists { path: to.to_owned() });
    }
    let mut partial = to.as_os_str().to_owned();
    partial.push(".partial");
    let partial = Path::new(&partial);
    let unreachable = |source| StoreError::Unreachable { path: to.to_owned(), source };
    // What an interrupted backup left behind.
    match std::fs::remove_file(partial) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(unreachable(error));
        }
        _ => {}
    }
    create_private(partial)?;
    let copied =
        copy(connection, partial).map_err(|error| StoreError::Journal(unavailable(&error))).and_then(|()| {
            std::fs::rename(partial, to)
                .and_then(|()| flush_folder(to.parent().unwrap_or(Path::new(""))))
                .map_err(unreachable)
        });
    if copied.is_err() {
        // The error that is told is why there is no copy, not why its remains could not go.
        let _ = std::fs::remove_file(partial);
    }
    copied
}

fn copy(connection: &Connection, partial: &Path) -> rusqlite::Result<()> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut target = Connection::open_with_flags(partial, flags)?;
    let backup = Backup::new(connection, &mut target)?;
    // In one step, because every commit in between would begin the copy anew; in WAL mode the
    // writer is not held up by it.
    loop {
        match backup.step(-1)? {
            StepResult::Done => break,
            // Somebody holds the original for a moment.
            _ => std::thread::sleep(std::time::Duration::from_millis(20)),
        }
    }
    drop(backup);
    target.close().map_err(|(_, error)| error)
}
