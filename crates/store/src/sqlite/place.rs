//! The file of a database: where it is, and how it and its folder are made.

use std::fs::OpenOptions;
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};

use quorate_messages::message;

use super::in_line::DiskGate;
use super::wal;
use crate::error::StoreError;

/// Keeps a copy of a damaged write-ahead log. SQLite reads such a log up to the damage, and then overwrites
/// it; `verify` names the copy.
pub(crate) fn keep_damaged_log(path: &Path, disk: &DiskGate) {
    let Ok(Some(damage)) = wal::damage(path, disk) else { return };
    match wal::keep_copy(path, disk) {
        Ok(copy) => {
            tracing::error!(%damage, copy = %copy.display(), "acknowledged events are lost; the log was kept")
        }
        Err(error) => {
            tracing::error!(%damage, %error, "acknowledged events are lost; the log could not be kept")
        }
    }
}

/// Refuses a place where only the write-ahead log of a database is left: SQLite would throw it away, with the
/// events that it holds.
pub(crate) fn keep_log_without_database(path: &Path, disk: &DiskGate) -> Result<(), StoreError> {
    let log = wal_of(path);
    match disk.length(path) == 0 && disk.length(&log) > WAL_HEADER {
        true => Err(StoreError::LogWithoutDatabase { path: path.to_owned(), log }),
        false => Ok(()),
    }
}

/// The path of the write-ahead log of the database at `path`.
pub(crate) fn wal_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push("-wal");
    name.into()
}

/// A write-ahead log that is no longer than its header holds nothing.
pub(crate) const WAL_HEADER: u64 = 32;

/// The size of the smallest SQLite database that holds anything, in bytes.
const SMALLEST: u64 = 512;

/// The database at `path`, which has to be there, with all links resolved.
pub(crate) fn existing(path: &Path) -> Result<PathBuf, StoreError> {
    let unreachable = |source| StoreError::Unreachable { path: path.to_owned(), source };
    let resolved = path.canonicalize().map_err(|error| match error.kind() {
        ErrorKind::NotFound => StoreError::NoDatabase { path: path.to_owned() },
        _ => unreachable(error),
    })?;
    let metadata = resolved.metadata().map_err(unreachable)?;
    if metadata.is_dir() {
        return Err(unreachable(ErrorKind::IsADirectory.into()));
    }
    // SQLite takes a file of one byte for an empty one, and would write over it.
    if (1..SMALLEST).contains(&metadata.len()) {
        return Err(StoreError::NotOurs { path: resolved, detail: message!("store-no-sqlite") });
    }
    Ok(resolved)
}

/// The path of the database, with all links resolved and its folder made.
pub(crate) fn place(path: &Path) -> Result<PathBuf, StoreError> {
    match existing(path) {
        Err(StoreError::NoDatabase { .. }) => {}
        known => return known,
    }
    let unreachable = |source| StoreError::Unreachable { path: path.to_owned(), source };
    let folder = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    if let Ok(target) = path.read_link() {
        // A link that points to where nothing is yet; links in a circle ended above.
        return place(&folder.join(target));
    }
    let Some(name) = path.file_name() else {
        return Err(unreachable(Error::new(ErrorKind::InvalidInput, "this names no file")));
    };
    make_folder(folder).map_err(unreachable)?;
    Ok(folder.canonicalize().map_err(unreachable)?.join(name))
}

/// Makes the folder and those above it, so that they outlast a power cut. (The entries within it
/// are SQLite's care: it flushes the folder with the first flush of a new write-ahead log.)
pub(crate) fn make_folder(folder: &Path) -> std::io::Result<()> {
    let missing = folder.ancestors().take_while(|ancestor| !ancestor.exists()).count();
    std::fs::create_dir_all(folder)?;
    folder.ancestors().skip(1).take(missing).try_for_each(flush_folder)
}

/// Flushes the entries of a folder, where the system supports it.
pub(crate) fn flush_folder(folder: &Path) -> std::io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    let here = if folder == Path::new("") { Path::new(".") } else { folder };
    std::fs::File::open(here)?.sync_all()
}

/// Makes an empty file that only this user may read; an existing one stays as it is.
pub(crate) fn create_private(path: &Path) -> Result<(), StoreError> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Err(source) if source.kind() != ErrorKind::AlreadyExists => {
            Err(StoreError::Unreachable { path: path.to_owned(), source })
        }
        _ => Ok(()),
    }
}
