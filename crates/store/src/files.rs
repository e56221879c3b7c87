//! The folder of uploaded files, beside the database.
//!
//! A file is named by the SHA-256 of its content, `meetings.db.files/ab/cdef…`: equal content is stored once,
//! and its name tells whether it is intact. A file gets its name once it is complete and on the disk. Only
//! the database's one writer renames and removes.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use sha2::{Digest, Sha256};

use crate::error::StoreError;
use crate::sqlite::place::flush_folder;

/// The folder for files that are still being received.
const INCOMING: &str = "incoming";

/// The folder of a database.
#[derive(Debug, Clone)]
pub(crate) struct Files(PathBuf);

impl Files {
    /// The folder of the database at `path`; it is made with the first file.
    pub(crate) fn of(database: &Path) -> Self {
        let mut name = database.as_os_str().to_owned();
        name.push(".files");
        Self(name.into())
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.0
    }

    /// The path of the content with this checksum, whether or not it exists.
    pub(crate) fn path(&self, sha256: &str) -> PathBuf {
        let (folder, name) = sha256.split_at_checked(2).unwrap_or(("", sha256));
        self.0.join(folder).join(name)
    }

    /// Opens a file for content that is about to be received; it goes when it is not kept.
    pub(crate) fn receive(&self) -> Result<(File, Incoming), StoreError> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let folder = self.0.join(INCOMING);
        make_private_folder(&folder).map_err(|error| unreachable(&folder, error))?;
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!("{}-{number}", std::process::id()));
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(&path).map_err(|error| unreachable(&path, error))?;
        Ok((file, Incoming(path)))
    }

    /// Gives received content its name. Content that is there already is replaced by the same.
    pub(crate) fn keep(&self, incoming: Incoming, sha256: &str) -> Result<(), StoreError> {
        let path = self.path(sha256);
        let folder = path.parent().unwrap_or(&self.0);
        make_private_folder(folder)
            .and_then(|()| std::fs::rename(&incoming.0, &path))
            .and_then(|()| flush_folder(folder))
            .map_err(|error| unreachable(&path, error))?;
        // It has another name now; the rest is flushed so that the folder itself outlasts a power cut.
        std::mem::forget(incoming);
        flush_folder(&self.0).map_err(|error| unreachable(&self.0, error))
    }

    /// Copies content from another folder, and says whether it was there and what was stored.
    pub(crate) fn copy_from(&self, from: &Self, sha256: &str) -> Result<bool, StoreError> {
        let path = self.path(sha256);
        if checksum(&path).is_ok_and(|found| found == sha256) {
            return Ok(true);
        }
        let Ok(mut original) = File::open(from.path(sha256)) else { return Ok(false) };
        self.take_in(&mut original, sha256)
    }

    /// Stores what is read under its checksum; says whether it is what the checksum says.
    pub(crate) fn take_in(&self, original: &mut File, sha256: &str) -> Result<bool, StoreError> {
        let path = self.path(sha256);
        let (mut file, incoming) = self.receive()?;
        std::io::copy(original, &mut file)
            .and_then(|_| file.sync_all())
            .map_err(|error| unreachable(&path, error))?;
        if checksum(&incoming.0).map_err(|error| unreachable(&path, error))? != sha256 {
            return Ok(false);
        }
        self.keep(incoming, sha256)?;
        Ok(true)
    }

    /// Removes a file without references. One that cannot be removed is found by the next sweep.
    pub(crate) fn remove(&self, sha256: &str) {
        let path = self.path(sha256);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                tracing::warn!(%error, path = %path.display(), "a file that nobody needs could not be removed");
            }
            _ => {}
        }
    }

    /// Takes away what an earlier process had not received to the end.
    pub(crate) fn clear_incoming(&self) {
        let Ok(entries) = std::fs::read_dir(self.0.join(INCOMING)) else { return };
        for entry in entries.flatten() {
            // A file that stays takes up space and does no other harm.
            let _ = std::fs::remove_file(entry.path());
        }
    }

    /// The checksums of all stored files. Other files in the folder are left alone.
    pub(crate) fn stored(&self) -> Result<Vec<String>, StoreError> {
        let mut stored = Vec::new();
        for folder in entries(&self.0)? {
            let first = folder.file_name().to_string_lossy().into_owned();
            if first.len() != 2 || !folder.path().is_dir() {
                continue;
            }
            for file in entries(&folder.path())? {
                let sha256 = format!("{first}{}", file.file_name().to_string_lossy());
                if is_checksum(&sha256) {
                    stored.push(sha256);
                }
            }
        }
        Ok(stored)
    }
}

/// A file that is being received.
#[derive(Debug)]
pub(crate) struct Incoming(PathBuf);

impl Incoming {
    /// The path of the file.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Incoming {
    fn drop(&mut self) {
        // The next process clears what stays.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// The SHA-256 of a file, in hexadecimal.
pub(crate) fn checksum(path: &Path) -> std::io::Result<String> {
    let mut file = File::open(path)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 256 << 10];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hex(hash)),
            read => hash.update(&buffer[..read]),
        }
    }
}

/// The checksum in the form in which it names a file.
pub(crate) fn hex(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn is_checksum(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn entries(folder: &Path) -> Result<Vec<std::fs::DirEntry>, StoreError> {
    match std::fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        listed => listed.and_then(Iterator::collect).map_err(|error| unreachable(folder, error)),
    }
}

/// Makes a folder that only this user may look into, with those above it.
pub(crate) fn make_private_folder(folder: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

fn unreachable(path: &Path, source: std::io::Error) -> StoreError {
    StoreError::Unreachable { path: path.to_owned(), source }
}
