//! The key file beside a database: 32 bytes that only this user may read, under which credentials are sealed.

use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use chacha20poly1305::aead::Generate;
use quorate_messages::message;
use tempfile::NamedTempFile;
use zeroize::Zeroizing;

use crate::error::StoreError;
use crate::sqlite::place::{flush_folder, make_folder};

const KEY_BYTES: usize = 32;

/// What a key file holds. It is overwritten when it is dropped.
pub(crate) type KeyBytes = Zeroizing<[u8; KEY_BYTES]>;

/// `meetings.db.key`, beside the database and its lock.
pub(crate) fn beside(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(".key");
    name.into()
}

/// `meetings.db.key.next`: what is to take the key file's place.
pub(crate) fn successor(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".next");
    name.into()
}

/// Takes a file away that may not be there.
pub(crate) fn remove(path: &Path) -> Result<(), StoreError> {
    match std::fs::remove_file(path) {
        Err(source) if source.kind() != ErrorKind::NotFound => {
            Err(StoreError::Unreachable { path: path.to_owned(), source })
        }
        _ => Ok(()),
    }
}

/// The key in the file, or `None` when there is no file.
pub(crate) fn read(path: &Path) -> Result<Option<KeyBytes>, StoreError> {
    let unreachable = |source| StoreError::Unreachable { path: path.to_owned(), source };
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreachable(error)),
    };
    // The open file is looked at, not the name, which may mean another file a moment later.
    refuse_if_exposed(path, &file.metadata().map_err(unreachable)?)?;
    let mut bytes = Zeroizing::new(Vec::with_capacity(KEY_BYTES + 1));
    (&mut file).take(KEY_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(unreachable)?;
    match <[u8; KEY_BYTES]>::try_from(bytes.as_slice()) {
        Ok(key) => Ok(Some(Zeroizing::new(key))),
        Err(_) => Err(StoreError::VaultKeyUnusable {
            path: path.to_owned(),
            detail: message!("store-key-bytes", bytes = %KEY_BYTES),
        }),
    }
}

#[cfg(unix)]
fn refuse_if_exposed(path: &Path, metadata: &std::fs::Metadata) -> Result<(), StoreError> {
    use std::os::unix::fs::PermissionsExt;
    match metadata.permissions().mode() & 0o777 {
        mode if mode & 0o077 != 0 => Err(StoreError::VaultKeyExposed { path: path.to_owned(), mode }),
        _ => Ok(()),
    }
}

#[cfg(not(unix))]
fn refuse_if_exposed(_: &Path, _: &std::fs::Metadata) -> Result<(), StoreError> {
    Ok(())
}

/// Puts the contents of a key file that is kept elsewhere in the place of the one at `path`, for this user alone.
pub(crate) fn take(shared: &Path, path: &Path) -> Result<(), StoreError> {
    let unreachable = |source| StoreError::Unreachable { path: shared.to_owned(), source };
    let bytes = Zeroizing::new(std::fs::read(shared).map_err(unreachable)?);
    let key = <[u8; KEY_BYTES]>::try_from(bytes.as_slice()).map_err(|_| StoreError::VaultKeyUnusable {
        path: shared.to_owned(),
        detail: message!("store-key-bytes", bytes = %KEY_BYTES),
    })?;
    let key = Zeroizing::new(key);
    let folder = path.parent().unwrap_or(Path::new(""));
    make_folder(folder).map_err(|source| StoreError::Unreachable { path: folder.to_owned(), source })?;
    if read(path).ok().flatten().is_some_and(|known| *known == *key) {
        return Ok(());
    }
    put(path, &key)
}

/// The key in the file, which is made when it is not there. Where several processes make it at once, as the nodes
/// of one machine do at their first start, all get the key of the first.
pub(crate) fn read_or_make(path: &Path) -> Result<KeyBytes, StoreError> {
    if let Some(key) = read(path)? {
        return Ok(key);
    }
    let key = new_key(path)?;
    let unreachable = |source| StoreError::Unreachable { path: path.to_owned(), source };
    match written(path, &key)?.persist_noclobber(path) {
        Ok(_) => flush_folder(folder_of(path)).map_err(unreachable).map(|()| key),
        Err(error) if error.error.kind() == ErrorKind::AlreadyExists => {
            read(path)?.ok_or_else(|| unreachable(ErrorKind::NotFound.into()))
        }
        // Not every file system can give a name only while it is free.
        Err(error) => name(path, error.file).map(|()| key),
    }
}

/// Puts the [`successor`] of a key file in its place.
pub(crate) fn promote(path: &Path) -> Result<(), StoreError> {
    std::fs::rename(successor(path), path)
        .and_then(|()| flush_folder(folder_of(path)))
        .map_err(|source| StoreError::Unreachable { path: path.to_owned(), source })
}

/// Creates the key file, in the place of one that is there. It gets its name once it is complete and on the disk,
/// before anything is sealed with it.
pub(crate) fn make(path: &Path) -> Result<KeyBytes, StoreError> {
    let key = new_key(path)?;
    put(path, &key)?;
    Ok(key)
}

fn new_key(path: &Path) -> Result<KeyBytes, StoreError> {
    let key = <[u8; KEY_BYTES]>::try_generate().map_err(|error| no_randomness(path, &error))?;
    Ok(Zeroizing::new(key))
}

/// Writes a key file, for this user alone; it gets its name when it is on the disk.
fn put(path: &Path, key: &[u8; KEY_BYTES]) -> Result<(), StoreError> {
    name(path, written(path, key)?)
}

/// A file with the key that is on the disk, beside the one that it is to be, for this user alone.
fn written(path: &Path, key: &[u8; KEY_BYTES]) -> Result<NamedTempFile, StoreError> {
    let mut prefix = path.file_name().unwrap_or_default().to_owned();
    prefix.push(".");
    tempfile::Builder::new()
        .prefix(&prefix)
        .suffix(".partial")
        .tempfile_in(folder_of(path))
        .and_then(|mut file| file.write_all(key).and_then(|()| file.as_file().sync_all()).map(|()| file))
        .map_err(|source| StoreError::Unreachable { path: path.to_owned(), source })
}

fn name(path: &Path, file: NamedTempFile) -> Result<(), StoreError> {
    file.persist(path)
        .map_err(|error| error.error)
        .and_then(|_| flush_folder(folder_of(path)))
        .map_err(|source| StoreError::Unreachable { path: path.to_owned(), source })
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The system gave no random bytes.
pub(crate) fn no_randomness(path: &Path, error: &impl std::fmt::Display) -> StoreError {
    StoreError::Unreachable { path: path.to_owned(), source: std::io::Error::other(error.to_string()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_who_make_a_key_file_at_once_get_the_key_that_stays() {
        for _ in 0..50 {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("q.db.key");
            let start = std::sync::Barrier::new(8);
            let keys: Vec<_> = std::thread::scope(|scope| {
                let make = || {
                    start.wait();
                    read_or_make(&path)
                };
                let made: Vec<_> = (0..8).map(|_| scope.spawn(make)).collect();
                made.into_iter().map(|one| one.join().unwrap().expect("a key")).collect()
            });
            let stays = read(&path).unwrap().unwrap();
            assert!(keys.iter().all(|key| **key == *stays));
            assert_eq!(folder.path().read_dir().unwrap().count(), 1, "nothing else is left");
        }
    }
}
