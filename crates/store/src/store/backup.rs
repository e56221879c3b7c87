//! Copies of a database in use, with the uploaded files and, on request, the key file.
//!
//! A copy is a snapshot of one moment. It gets its name only once it is complete and checked, so that a file
//! of that name is always a complete backup.

use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};

use rusqlite::OpenFlags;
use rusqlite::backup::{Backup, StepResult};
use serde::Serialize;

use crate::error::StoreError;
use crate::files::{self, Files};
use crate::key_file;
use crate::sql::{Behavior, Connection, Dialect, Transaction};
use crate::sqlite::in_line::SYSTEM_DISK;
use crate::sqlite::place::{create_private, flush_folder};
use crate::sqlite::schema;
use crate::store::Store;
use crate::{transfer, verify};

/// The number of pages of 4 KiB that are copied between two reports of progress.
const PAGES: i32 = 2_000;
/// The bytes that a copy leaves free on its disk.
const RESERVE: u64 = 64 << 20;

/// The progress of a backup or a restoration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CopyProgress {
    /// Copied pages of the database, and their total number.
    Pages(u64, u64),
    /// Copied rows of a database on a server, and their number.
    Rows(u64, u64),
    /// Checked meetings of the copy, and their total number.
    Meetings(u64, u64),
    /// Copied and checked uploads, and their total number.
    Files(u64, u64),
}

/// The result of a backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BackupReport {
    /// The path of the copied database; files lie beside it in `….files`, the key in `….key`.
    pub path: PathBuf,
    /// The size of the copy in bytes.
    pub bytes: u64,
    /// Its SHA-256, in hexadecimal.
    pub sha256: String,
    /// Meetings in it, all of them checked.
    pub meetings: u64,
    /// Events in it, all of them checked.
    pub events: u64,
    /// Uploaded contents that were copied and checked.
    pub files: u64,
    /// Uploaded contents that were not there or not what was stored, by their checksum.
    pub missing: Vec<String>,
    /// Whether there was a key file that was copied.
    pub key: bool,
}

impl Store {
    /// Copies the present state of the database to `to`, its uploaded files to `to.files`, and with
    /// `with_key` its key file to `to.key`, and checks the copy. Other processes may be writing.
    ///
    /// # Errors
    /// When a target exists already, cannot be written, or the copy is damaged; nothing of it is then left
    /// behind.
    pub async fn backup_whole(
        &self,
        to: impl Into<PathBuf>,
        with_key: bool,
        mut progress: impl FnMut(CopyProgress) + Send + 'static,
    ) -> Result<BackupReport, StoreError> {
        let (to, database) = (to.into(), self.path().to_owned());
        self.reading(move |connection| whole(connection, &database, &to, with_key, &mut progress)).await
    }
}

impl Store {
    /// Checks that a copy of the database with its uploaded files fits on the disk of a folder, so that making one does
    /// not take the space that meetings need. Where the system does not tell, it fits.
    ///
    /// # Errors
    /// When it does not fit, or the folder cannot be used.
    pub async fn check_room(&self, folder: &Path) -> Result<(), StoreError> {
        let (folder, database) = (folder.to_owned(), self.path().to_owned());
        self.reading(move |connection| {
            let uploads = "SELECT CAST(coalesce(sum(size), 0) AS BIGINT) FROM (SELECT DISTINCT sha256, size FROM upload) AS stored";
            let uploads: u64 = connection.query_row(uploads, [], |row| row.get(0))?;
            let size = |path: &Path| std::fs::metadata(path).map_or(0, |file| file.len());
            let needed = size(&database) + size(&beside(&database, "-wal")) + uploads;
            let unreachable = |source| StoreError::Unreachable { path: folder.clone(), source };
            match free_space(&folder).map_err(unreachable)? {
                Some(free) if free < needed.saturating_add(RESERVE) => Err(unreachable(Error::new(
                    ErrorKind::StorageFull,
                    format!("the copy takes {} MiB, and {} MiB are free", needed >> 20, free >> 20),
                ))),
                _ => Ok(()),
            }
        })
        .await
    }
}

/// The bytes that are free for this user on the disk of a folder; `None` where the system does not tell.
#[cfg(unix)]
fn free_space(folder: &Path) -> std::io::Result<Option<u64>> {
    let found = rustix::fs::statvfs(folder)?;
    Ok(Some(found.f_bavail.saturating_mul(found.f_frsize)))
}

#[cfg(not(unix))]
fn free_space(_: &Path) -> std::io::Result<Option<u64>> {
    Ok(None)
}

fn whole(
    connection: &Connection,
    database: &Path,
    to: &Path,
    with_key: bool,
    progress: &mut (dyn FnMut(CopyProgress) + Send),
) -> Result<BackupReport, StoreError> {
    let parts = [to.to_owned(), beside(to, ".files"), beside(to, ".key")];
    if let Some(path) = parts.into_iter().find(|path| path.symlink_metadata().is_ok()) {
        return Err(StoreError::Exists { path });
    }
    let unreachable = |source| StoreError::Unreachable { path: to.to_owned(), source };
    let partial = Partial::of(to)?;
    copy(connection, &partial.0, progress)?;
    let (meetings, events) = check(&partial.0, progress)?;
    let files = Files::of(to);
    let copied = match connection.dialect() {
        Dialect::Sqlite => copy_files(&partial.0, &Files::of(database), &files, progress),
        Dialect::Postgres => {
            let target = schema::open_for_reading(&partial.0, &SYSTEM_DISK)
                .map(Connection::Sqlite)
                .map_err(StoreError::from);
            target.and_then(|target| {
                let told = &mut |done, of| progress(CopyProgress::Files(done, of));
                transfer::copy_contents(connection, &Files::of(database), &target, &files, told)
            })
        }
    };
    let key = copied.and_then(|copied| {
        let key = with_key && copy_key(&key_file::beside(database), &key_file::beside(to))?;
        let sha256 = files::checksum(&partial.0).map_err(unreachable)?;
        let bytes = partial.0.metadata().map_err(unreachable)?.len();
        std::fs::rename(&partial.0, to)
            .and_then(|()| flush_folder(to.parent().unwrap_or(Path::new(""))))
            .map_err(unreachable)?;
        let (files, missing) = copied;
        Ok(BackupReport { path: to.to_owned(), bytes, sha256, meetings, events, files, missing, key })
    });
    if key.is_err() {
        // The reported error is why there is no copy, not why its remains could not be deleted.
        let _ = std::fs::remove_dir_all(files.folder());
        let _ = std::fs::remove_file(key_file::beside(to));
    }
    key
}

/// Checks a copy, and says how many meetings and events it has.
pub(crate) fn check(
    path: &Path,
    progress: &mut (dyn FnMut(CopyProgress) + Send),
) -> Result<(u64, u64), StoreError> {
    let report =
        verify::verify(path, |at| progress(CopyProgress::Meetings(at.meetings, at.of_meetings)), |_| {})?;
    report.refuse_damage()?;
    Ok((report.meetings, report.events))
}

/// Copies the contents that the database at `copy` refers to, and says how many there were, and
/// which were not what they should be.
pub(crate) fn copy_files(
    copy: &Path,
    from: &Files,
    to: &Files,
    progress: &mut (dyn FnMut(CopyProgress) + Send),
) -> Result<(u64, Vec<String>), StoreError> {
    let connection = schema::open_for_reading(copy, &SYSTEM_DISK)?;
    let known = connection.prepare("SELECT DISTINCT sha256 FROM upload ORDER BY sha256");
    let contents: Vec<String> = match known {
        Ok(mut select) => select.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?,
        // An older database has no uploads.
        Err(_) => Vec::new(),
    };
    let (mut copied, mut missing) = (0, Vec::new());
    for (done, sha256) in (1..).zip(&contents) {
        match to.copy_from(from, sha256)? {
            true => copied += 1,
            false => missing.push(sha256.clone()),
        }
        progress(CopyProgress::Files(done, contents.len() as u64));
    }
    Ok((copied, missing))
}

/// Copies a key file, for this user alone; says whether there is one.
pub(crate) fn copy_key(from: &Path, to: &Path) -> Result<bool, StoreError> {
    let unreachable = |source| StoreError::Unreachable { path: to.to_owned(), source };
    if !from.exists() {
        return Ok(false);
    }
    create_private(to)?;
    std::fs::copy(from, to).and_then(|_| std::fs::File::open(to)?.sync_all()).map_err(unreachable)?;
    Ok(true)
}

/// `path` with something behind its name.
pub(crate) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// A copy that has no name yet; it goes unless it gets one.
pub(crate) struct Partial(pub(crate) PathBuf);

impl Partial {
    pub(crate) fn of(to: &Path) -> Result<Self, StoreError> {
        let partial = Self(beside(to, ".partial"));
        // What an interrupted copy left behind.
        match std::fs::remove_file(&partial.0) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(StoreError::Unreachable { path: to.to_owned(), source: error });
            }
            _ => {}
        }
        create_private(&partial.0)?;
        Ok(partial)
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        for ending in ["", "-wal", "-shm"] {
            let _ = std::fs::remove_file(beside(&self.0, ending));
        }
    }
}

/// Copies what `connection` sees to `to`, which must not exist.
pub(crate) fn backup(connection: &Connection, to: &Path) -> Result<(), StoreError> {
    if to.symlink_metadata().is_ok() {
        return Err(StoreError::Exists { path: to.to_owned() });
    }
    let partial = Partial::of(to)?;
    copy(connection, &partial.0, &mut |_| {})?;
    std::fs::rename(&partial.0, to)
        .and_then(|()| flush_folder(to.parent().unwrap_or(Path::new(""))))
        .map_err(|source| StoreError::Unreachable { path: to.to_owned(), source })
}

/// Copies the database into an empty file. What others commit meanwhile is not seen, because one
/// reading transaction lasts over all steps; in WAL mode the writer is not held up by it.
pub(crate) fn copy(
    connection: &Connection,
    partial: &Path,
    progress: &mut (dyn FnMut(CopyProgress) + Send),
) -> Result<(), StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut target = rusqlite::Connection::open_with_flags(partial, flags)?;
    let Some(source) = connection.sqlite() else {
        return copy_rows(connection, partial, &mut |done, of| progress(CopyProgress::Rows(done, of)));
    };
    let moment = connection.unchecked_transaction()?;
    moment.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    let backup = Backup::new(source, &mut target)?;
    loop {
        let step = backup.step(PAGES)?;
        let at = backup.progress();
        let (of, left) = (at.pagecount.max(0) as u64, at.remaining.max(0) as u64);
        progress(CopyProgress::Pages(of.saturating_sub(left), of));
        match step {
            StepResult::Done => break,
            StepResult::More => {}
            // Another connection holds the original for a moment.
            _ => std::thread::sleep(std::time::Duration::from_millis(20)),
        }
    }
    drop(backup);
    drop(moment);
    target.close().map_err(|(_, error)| error.into())
}

/// Copies the rows of a database on a server, as they stand at one moment, into an empty file.
fn copy_rows(
    connection: &Connection,
    partial: &Path,
    progress: &mut (dyn FnMut(u64, u64) + Send),
) -> Result<(), StoreError> {
    let target = Connection::Sqlite(schema::open_for_writing(partial, &SYSTEM_DISK)?);
    let moment = connection.unchecked_transaction()?;
    let transaction = Transaction::begin(&target, Behavior::Change)?;
    transfer::copy(&moment, &transaction, progress)?;
    transaction.commit()?;
    target.sqlite_pragma("PRAGMA wal_checkpoint(TRUNCATE);")?;
    Ok(())
}
