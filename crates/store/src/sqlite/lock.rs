//! The lock that lets one process at a time write a database.
//!
//! The lock is the operating system's, on a file beside the database, and is released however its process
//! ends. The number in the file only serves the error message. The file itself stays, since removing it would
//! let two processes hold locks on two files of the same name.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

use crate::error::StoreError;

/// Held for as long as this process is the writer.
#[derive(Debug)]
pub(crate) struct WriterLock {
    file: File,
    path: PathBuf,
    is_new: bool,
}

impl WriterLock {
    /// Takes the lock of the database at `path`, or says who has it. `path` has all its links
    /// resolved, so that two names of one database meet at one lock.
    pub(crate) fn take(path: &Path) -> Result<Self, StoreError> {
        let lock_path = beside(path);
        let is_new = !lock_path.exists();
        let unreachable = |source| StoreError::Unreachable { path: lock_path.clone(), source };
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&lock_path).map_err(unreachable)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                // What cannot be read is left out of the message.
                let _ = file.read_to_string(&mut holder);
                let pid = holder.trim().parse().ok();
                return Err(StoreError::InUse { path: path.to_owned(), pid });
            }
            Err(TryLockError::Error(source)) => return Err(unreachable(source)),
        }
        file.set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| writeln!(file, "{}", std::process::id()))
            .map_err(unreachable)?;
        Ok(Self { file, path: lock_path, is_new })
    }

    /// Removes the lock's file if it was not there before. If the database turned out not to be ours, no
    /// other process waits for the lock either.
    pub(crate) fn leave_no_trace(&self) {
        if self.is_new {
            // A leftover small file does no harm.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

impl Drop for WriterLock {
    /// A child process that is between fork and exec holds the file open too: closing it here would not be enough.
    fn drop(&mut self) {
        // Where it cannot be given back, the end of the process does.
        let _ = self.file.unlock();
    }
}

fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_writer_hears_who_the_first_one_is() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("meetings.db");
        let first = WriterLock::take(&path).unwrap();
        let refused = WriterLock::take(&path).unwrap_err();
        let myself = std::process::id();
        assert!(matches!(refused, StoreError::InUse { pid: Some(pid), .. } if pid == myself));
        drop(first);
        WriterLock::take(&path).expect("the lock falls with its holder");
    }

    #[test]
    fn the_lock_falls_while_somebody_else_still_has_the_file_open() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("meetings.db");
        let first = WriterLock::take(&path).unwrap();
        let inherited = first.file.try_clone().unwrap();
        drop(first);
        WriterLock::take(&path).expect("the lock falls with its holder");
        drop(inherited);
    }
}
