//! The health of the database, so that clients can be told before they ask.
//!
//! Whoever writes reports the result of the last attempt, and a thread looks from time to time (`sqlite/file_monitor.rs`,
//! `postgres/mod.rs`).

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use quorate_engine::{JournalError, StorageFault};
use quorate_messages::{as_said, message};
use tokio::sync::watch;

/// With less space than this on its disk a database is called full: one long answer may have as much.
const LEAST_SPACE: usize = 64 << 10;

/// The present health of a database. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Health(Arc<HealthState>);

#[derive(Debug)]
struct HealthState {
    /// The path of the file, or the address of the server.
    path: PathBuf,
    /// The identity of the opened file; `None` where it is not available, and of a server.
    file: Option<FileId>,
    trouble: watch::Sender<Option<JournalError>>,
}

/// The identity of a file, independent of its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileId {
    device: u64,
    number: u64,
}

impl FileId {
    /// The identity of the file at a path; `None` when there is none, or the system has no such identity.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let metadata = std::fs::metadata(path).ok()?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            Some(Self { device: metadata.dev(), number: metadata.ino() })
        }
        #[cfg(not(unix))]
        {
            // Its existence is all that is known.
            metadata.is_file().then_some(Self { device: 0, number: 0 })
        }
    }
}

impl Health {
    /// The health of the database at `path`, which was just opened.
    pub(crate) fn of(path: &Path) -> Self {
        let file = FileId::of(path);
        Self(Arc::new(HealthState { path: path.to_owned(), file, trouble: watch::Sender::new(None) }))
    }

    /// The health of the database on a server.
    pub(crate) fn of_server(address: &impl std::fmt::Display) -> Self {
        let path = address.to_string().into();
        Self(Arc::new(HealthState { path, file: None, trouble: watch::Sender::new(None) }))
    }

    /// The path of the file, or the address of the server.
    pub(crate) fn path(&self) -> &Path {
        &self.0.path
    }

    /// Checks that the file that was opened is still in its place. Costs one `stat`.
    pub(crate) fn still_there(&self) -> Result<(), JournalError> {
        let HealthState { path, file, .. } = &*self.0;
        let detail = match (file, FileId::of(path)) {
            (None, _) => return Ok(()),
            (Some(opened), Some(found)) if *opened == found => return Ok(()),
            (Some(_), Some(_)) => message!("store-other-file", path = %path.display()),
            // What cannot be looked at for another reason may be there still.
            (Some(_), None) if !is_missing(path) => return Ok(()),
            (Some(_), None) => message!("store-file-removed", path = %path.display()),
        };
        Err(JournalError::Unavailable { fault: StorageFault::Gone, detail })
    }

    /// The present fault.
    pub(crate) fn trouble(&self) -> Option<JournalError> {
        self.0.trouble.borrow().clone()
    }

    /// A receiver of the fault, as it changes.
    pub(crate) fn watch(&self) -> watch::Receiver<Option<JournalError>> {
        self.0.trouble.subscribe()
    }

    /// Records a successful write.
    pub(crate) fn succeeded(&self) {
        let over = self.0.trouble.send_if_modified(|trouble| trouble.take().is_some());
        if over {
            tracing::info!(path = %self.0.path.display(), "the database can be written again");
        }
    }

    /// Something could not be written or read. What is no fault of the storage is not kept.
    pub(crate) fn failed(&self, error: &JournalError) {
        let JournalError::Unavailable { fault, .. } = error else { return };
        if matches!(fault, StorageFault::Bug | StorageFault::Stopped) {
            return;
        }
        let new = self.0.trouble.send_if_modified(|trouble| {
            let known = |told: &JournalError| {
                matches!(told, JournalError::Unavailable { fault: before, .. } if before == fault)
            };
            match trouble {
                Some(told) if known(told) => false,
                _ => {
                    *trouble = Some(error.clone());
                    true
                }
            }
        });
        if new {
            tracing::error!(path = %self.0.path.display(), %error, hint = error.hint(), "the database cannot be written");
        }
    }

    /// Checks that there is space for the next writes: writes as much beside the database, and removes it.
    pub(crate) fn has_space(&self) -> Result<(), JournalError> {
        match try_space(self.folder()) {
            Err(error) => match fault_of(&error) {
                Some(fault) => Err(JournalError::Unavailable { fault, detail: as_said(error) }),
                // Whether the database can be written, only the database knows.
                None => Ok(()),
            },
            Ok(()) => Ok(()),
        }
    }

    /// The error with the disk's own reason, where SQLite only knows that a write failed.
    pub(crate) fn explain(&self, error: JournalError) -> JournalError {
        let JournalError::Unavailable { fault, .. } = &error else { return error };
        match fault {
            StorageFault::Disk | StorageFault::Inaccessible | StorageFault::ReadOnly => {
                let disk = self.still_there().and_then(|()| self.has_space());
                disk.err().unwrap_or(error)
            }
            _ => error,
        }
    }

    fn folder(&self) -> &Path {
        self.0.path.parent().unwrap_or(Path::new("."))
    }
}

/// Whether a path does not exist.
fn is_missing(path: &Path) -> bool {
    match std::fs::metadata(path) {
        Err(error) => matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory),
        Ok(_) => false,
    }
}

/// Writes as much as has to fit in a folder, to a file without a name.
pub(crate) fn try_space(folder: &Path) -> std::io::Result<()> {
    tempfile::tempfile_in(folder)?.write_all(&[0x51; LEAST_SPACE])
}

/// The storage fault behind an error of the operating system, where it means one.
pub(crate) fn fault_of(error: &std::io::Error) -> Option<StorageFault> {
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            Some(StorageFault::Full)
        }
        ErrorKind::ReadOnlyFilesystem => Some(StorageFault::ReadOnly),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_taken_away_or_replaced_is_missed_and_known_again() {
        let dir = tempfile::tempdir().unwrap();
        let (path, away) = (dir.path().join("meetings.db"), dir.path().join("away.db"));
        std::fs::write(&path, "one").unwrap();
        let health = Health::of(&path);
        health.still_there().unwrap();
        std::fs::rename(&path, &away).unwrap();
        let gone = health.still_there().unwrap_err();
        assert!(matches!(gone, JournalError::Unavailable { fault: StorageFault::Gone, .. }), "{gone}");
        std::fs::write(&path, "two").unwrap();
        let replaced = health.still_there().unwrap_err().to_string();
        assert!(replaced.contains("another file"), "{replaced}");
        std::fs::rename(&away, &path).unwrap();
        health.still_there().expect("the same file lies there again");
    }

    #[test]
    fn trouble_is_told_once_and_that_it_is_over_too() {
        let dir = tempfile::tempdir().unwrap();
        let health = Health::of(dir.path());
        let mut heard = health.watch();
        let full = || JournalError::Unavailable { fault: StorageFault::Full, detail: as_said("") };
        health.failed(&full());
        assert!(heard.has_changed().unwrap());
        heard.mark_unchanged();
        health.failed(&full());
        health.failed(&JournalError::Unavailable { fault: StorageFault::Bug, detail: as_said("") });
        assert!(!heard.has_changed().unwrap(), "it is known, and a bug is no trouble of the storage");
        health.succeeded();
        assert!(heard.has_changed().unwrap() && health.trouble().is_none());
    }
}
