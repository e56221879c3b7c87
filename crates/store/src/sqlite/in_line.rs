//! A writer without a thread: each request is done at once, by whoever makes it.
//!
//! It is for a program in which everything has to happen in one order that follows from its input: a simulation. What is
//! done is what the thread does, with the same errors and the same recovery from them; what is missing is what the thread
//! does in between: the commit of several appends at once, and the search index, which is brought up to date when the
//! database is next opened with threads.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{BufReader, Cursor, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::{Connection, OpenFlags};

use super::lock::WriterLock;
use super::place::flush_folder;
use super::writer::{Job, Writer};

/// How the disk can fail a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiskFault {
    /// There is no space left.
    Full,
    /// It reports an error.
    Failed,
}

/// The disk under a database whose work is done by the caller: where its files are, and whether a commit succeeds.
pub trait Disk: Send + Sync {
    /// The name under which SQLite knows the file system with the files of the database; none for the operating system's.
    fn vfs(&self) -> Option<&str> {
        None
    }

    /// The content of a file of the database on that file system.
    ///
    /// # Errors
    /// As of any file.
    fn read(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        std::fs::read(path)
    }

    /// Writes a file of the database on that file system again as it is read, and flushes it.
    ///
    /// # Errors
    /// As of any file.
    fn write_again(&self, path: &Path) -> std::io::Result<()> {
        write_again(path)
    }

    /// Whether there is a file on that file system.
    fn exists(&self, path: &Path) -> bool {
        path.exists()
    }

    /// Removes a file of the database on that file system, if it is there.
    ///
    /// # Errors
    /// As of any file.
    fn remove(&self, path: &Path) -> std::io::Result<()> {
        remove(path)
    }

    /// Gives a file of the database on that file system another name, and flushes the folder.
    ///
    /// # Errors
    /// As of any file.
    fn rename(&self, from: &Path, to: &Path) -> std::io::Result<()> {
        rename(from, to)
    }

    /// Asked before a commit: when it fails, nothing of it is stored.
    ///
    /// # Errors
    /// The fault.
    fn before_commit(&self) -> Result<(), DiskFault> {
        Ok(())
    }

    /// Asked after a commit, before anybody hears of it: when it fails, the commit is stored and reported as failed, as
    /// after a flush of which only the report was lost.
    ///
    /// # Errors
    /// The fault.
    fn after_commit(&self) -> Result<(), DiskFault> {
        Ok(())
    }
}

/// A disk that does not fail.
#[derive(Debug, Clone, Copy, Default)]
pub struct SoundDisk;

impl Disk for SoundDisk {}

/// The disk as the writer knows it; none, where only the operating system speaks for it.
#[derive(Clone, Default)]
pub(crate) struct DiskGate(pub(crate) Option<Arc<dyn Disk>>);

/// The disks of the operating system.
pub(crate) static SYSTEM_DISK: DiskGate = DiskGate(None);

impl fmt::Debug for DiskGate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("DiskGate").field(&self.vfs()).finish()
    }
}

impl DiskGate {
    /// The name of the file system, where it is not the operating system's.
    pub(crate) fn vfs(&self) -> Option<&str> {
        self.0.as_ref().and_then(|disk| disk.vfs())
    }

    /// Opens a connection to a database on this disk.
    pub(crate) fn connect(&self, path: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
        match self.vfs() {
            Some(vfs) => Connection::open_with_flags_and_vfs(path, flags, vfs),
            None => Connection::open_with_flags(path, flags),
        }
    }

    /// Opens a file of the database to read it beside SQLite.
    pub(crate) fn open(&self, path: &Path) -> std::io::Result<Box<dyn Read>> {
        match &self.0 {
            Some(disk) if disk.vfs().is_some() => Ok(Box::new(Cursor::new(disk.read(path)?))),
            _ => Ok(Box::new(BufReader::with_capacity(1 << 16, File::open(path)?))),
        }
    }

    /// The length of a file; 0 where there is none.
    pub(crate) fn length(&self, path: &Path) -> u64 {
        match &self.0 {
            Some(disk) if disk.vfs().is_some() => disk.read(path).map_or(0, |found| found.len() as u64),
            _ => std::fs::metadata(path).map_or(0, |found| found.len()),
        }
    }

    /// Writes a file again as it is read, so that all of it reaches the disk. After a flush that failed, another one may
    /// succeed without what the first one had to write.
    pub(crate) fn write_again(&self, path: &Path) -> rusqlite::Result<()> {
        let written = match &self.0 {
            Some(disk) if disk.vfs().is_some() => disk.write_again(path),
            _ => write_again(path),
        };
        written.map_err(|error| {
            let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_IOERR_FSYNC);
            rusqlite::Error::SqliteFailure(code, Some(error.to_string()))
        })
    }

    /// Whether there is a file.
    pub(crate) fn exists(&self, path: &Path) -> bool {
        self.0.as_ref().map_or_else(|| path.exists(), |disk| disk.exists(path))
    }

    /// Removes a file, if it is there.
    pub(crate) fn remove(&self, path: &Path) -> std::io::Result<()> {
        self.0.as_ref().map_or_else(|| remove(path), |disk| disk.remove(path))
    }

    /// Gives a file another name; when that has succeeded, it stays, also when the power is lost.
    pub(crate) fn rename(&self, from: &Path, to: &Path) -> std::io::Result<()> {
        self.0.as_ref().map_or_else(|| rename(from, to), |disk| disk.rename(from, to))
    }

    pub(crate) fn before_commit(&self) -> rusqlite::Result<()> {
        self.0.as_ref().map_or(Ok(()), |disk| disk.before_commit()).map_err(as_sqlite)
    }

    pub(crate) fn after_commit(&self) -> rusqlite::Result<()> {
        self.0.as_ref().map_or(Ok(()), |disk| disk.after_commit()).map_err(as_sqlite)
    }
}

fn write_again(path: &Path) -> std::io::Result<()> {
    let mut file = match OpenOptions::new().read(true).write(true).open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        opened => opened?,
    };
    let mut bytes = vec![0; 1 << 20];
    let mut at = 0;
    loop {
        file.seek(SeekFrom::Start(at))?;
        let length = file.read(&mut bytes)?;
        if length == 0 {
            return file.sync_all();
        }
        file.seek(SeekFrom::Start(at))?;
        file.write_all(&bytes[..length])?;
        at += length as u64;
    }
}

fn remove(path: &Path) -> std::io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

fn rename(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::rename(from, to)?;
    to.parent().map_or(Ok(()), flush_folder)
}

/// The fault in the words in which SQLite reports it.
fn as_sqlite(fault: DiskFault) -> rusqlite::Error {
    let code = match fault {
        DiskFault::Full => rusqlite::ffi::SQLITE_FULL,
        DiskFault::Failed => rusqlite::ffi::SQLITE_IOERR_FSYNC,
    };
    rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), None)
}

/// The writer, and the lock that makes it the only one.
pub(crate) struct InLineWriter {
    writer: Mutex<Writer>,
    _lock: WriterLock,
}

impl InLineWriter {
    pub(crate) fn new(writer: Writer, lock: WriterLock) -> Self {
        Self { writer: Mutex::new(writer), _lock: lock }
    }

    /// Does a job now.
    pub(crate) fn work(&self, job: Job) {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        writer.work_alone(job);
    }
}

impl fmt::Debug for InLineWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("InLineWriter")
    }
}
