//! Sealing of credentials, under a key file beside the database.
//!
//! XChaCha20-Poly1305 with a random nonce for each sealing. The provider's name is authenticated, so that no
//! credential can be put in the place of another's. A copy of the database alone, such as a backup, opens
//! nothing. See `docs/decisions/0006-credentials.md`.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use chacha20poly1305::aead::{Aead, Generate, KeyInit, Payload};
use chacha20poly1305::{Key, XChaCha20Poly1305, XNonce};
use quorate_engine::Secret;
use quorate_messages::message;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use zeroize::Zeroizing;

use crate::error::StoreError;
use crate::sqlite::place::{flush_folder, make_folder};
use crate::store::credentials::{Credential, Settings};

const KEY_BYTES: usize = 32;
const NONCE_BYTES: usize = 24;
/// Begins what is bound to each sealing; a new way to seal gets a new one.
const BOUND: &str = "quorate credential 1\n";

/// Held by the one who makes a key file.
static MAKING: Mutex<()> = Mutex::new(());

/// An open key file. While its successor is being put in its place there are two; one of them opens
/// everything at any time (see [`Vault::make_next`]).
pub(crate) struct Vault {
    path: PathBuf,
    cipher: XChaCha20Poly1305,
    next: Option<XChaCha20Poly1305>,
}

/// The sealed content.
#[derive(Serialize, Deserialize)]
struct Content {
    base_url: Option<String>,
    key: Option<String>,
    /// Absent in credentials of older versions.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    settings: Map<String, Value>,
}

impl Vault {
    /// Opens the key file of a database in which the credentials of `providers` are stored.
    pub(crate) fn open(database: &Path, providers: Vec<String>) -> Result<Self, StoreError> {
        let path = beside(database);
        let cipher = |key: Zeroizing<[u8; KEY_BYTES]>| XChaCha20Poly1305::new(&Key::from(*key));
        // The successor first: it may become the key file between the two.
        let next = read(&successor(&path))?.map(cipher);
        match (read(&path)?.map(cipher), next) {
            (Some(cipher), next) => Ok(Self { cipher, next, path }),
            (None, Some(cipher)) => Ok(Self { cipher, next: None, path }),
            (None, None) => Err(StoreError::VaultKeyMissing { path, providers }),
        }
    }

    /// Opens the key file of a database in which no credential is stored yet; makes it, for this
    /// user alone, when it is not there. The caller is the database's one writer.
    pub(crate) fn open_or_make(database: &Path) -> Result<Self, StoreError> {
        let path = beside(database);
        // Two changes of a database on a server may need it at once.
        let _making = MAKING.lock().unwrap_or_else(PoisonError::into_inner);
        let key = match read(&path)? {
            Some(key) => key,
            None => make(&path)?,
        };
        remove(&successor(&path))?;
        Ok(Self { cipher: XChaCha20Poly1305::new(&Key::from(*key)), next: None, path })
    }

    /// Makes a new key file beside the old one, to seal everything again. Then [`promote`](Self::promote)
    /// puts it in the old one's place.
    ///
    /// A process that dies in between leaves two key files, and all credentials sealed with one of them.
    /// Readers try both, and the next writer completes the change or takes it back (see
    /// [`interpret`](Self::interpret)).
    pub(crate) fn make_next(database: &Path) -> Result<Self, StoreError> {
        let path = beside(database);
        let next = successor(&path);
        remove(&next)?;
        let key = make(&next)?;
        Ok(Self { cipher: XChaCha20Poly1305::new(&Key::from(*key)), next: None, path })
    }

    /// Puts the new key file in the place of the old one, once everything is sealed with it.
    pub(crate) fn promote(database: &Path) -> Result<(), StoreError> {
        let path = beside(database);
        let put = std::fs::rename(successor(&path), &path)
            .and_then(|()| flush_folder(path.parent().unwrap_or(Path::new(""))));
        put.map_err(|source| StoreError::Unreachable { path, source })
    }

    /// Finishes a change of the key file that was cut off, or takes it back: `sealed` is any
    /// credential that is stored. The caller is the database's one writer.
    pub(crate) fn interpret(
        self,
        database: &Path,
        provider: &str,
        sealed: &[u8],
    ) -> Result<Self, StoreError> {
        let Some(next) = &self.next else { return Ok(self) };
        if opened(next, provider, sealed).is_some() {
            Self::promote(database)?;
        } else if opened(&self.cipher, provider, sealed).is_some() {
            remove(&successor(&self.path))?;
        } else {
            return Err(self.otherwise(provider));
        }
        Self::open(database, vec![provider.to_owned()])
    }

    /// The nonce, then the ciphertext with its tag.
    pub(crate) fn seal(&self, credential: &Credential) -> Result<Vec<u8>, StoreError> {
        let content = Content {
            base_url: credential.base_url.clone(),
            key: credential.key.as_ref().map(|key| key.expose().to_owned()),
            settings: credential.settings.0.clone(),
        };
        let plain = Zeroizing::new(serde_json::to_vec(&content).expect("a credential has only text keys"));
        let nonce = XNonce::try_generate().map_err(|error| self.without_dice(&error))?;
        let bound = bound(&credential.provider);
        let payload = Payload { msg: &plain, aad: bound.as_bytes() };
        let sealed = self.cipher.encrypt(&nonce, payload).map_err(|_| StoreError::VaultKeyUnusable {
            path: self.path.clone(),
            detail: message!("store-too-long-to-seal"),
        })?;
        Ok([nonce.as_slice(), &sealed].concat())
    }

    /// Opens what was sealed for this provider.
    pub(crate) fn unseal(&self, provider: &str, sealed: &[u8]) -> Result<Credential, StoreError> {
        let ciphers = std::iter::once(&self.cipher).chain(&self.next);
        let plain = ciphers.into_iter().find_map(|cipher| opened(cipher, provider, sealed));
        // What was opened is never part of an error.
        let content: Option<Content> = plain.and_then(|plain| serde_json::from_slice(&plain).ok());
        let content = content.ok_or_else(|| self.otherwise(provider))?;
        Ok(Credential {
            provider: provider.to_owned(),
            base_url: content.base_url,
            key: content.key.map(Secret::new),
            settings: Settings(content.settings),
        })
    }

    fn otherwise(&self, provider: &str) -> StoreError {
        StoreError::SealedOtherwise { provider: provider.to_owned(), path: self.path.clone() }
    }

    fn without_dice(&self, error: &impl std::fmt::Display) -> StoreError {
        no_dice(&self.path, error)
    }
}

/// Opens what was sealed for this provider with this key; `None` if it was not.
fn opened(cipher: &XChaCha20Poly1305, provider: &str, sealed: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    let (nonce, sealed) = sealed.split_first_chunk::<NONCE_BYTES>()?;
    let bound = bound(provider);
    let payload = Payload { msg: sealed, aad: bound.as_bytes() };
    cipher.decrypt(&XNonce::from(*nonce), payload).ok().map(Zeroizing::new)
}

fn bound(provider: &str) -> String {
    format!("{BOUND}{provider}")
}

fn no_dice(path: &Path, error: &impl std::fmt::Display) -> StoreError {
    StoreError::Unreachable { path: path.to_owned(), source: std::io::Error::other(error.to_string()) }
}

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
fn remove(path: &Path) -> Result<(), StoreError> {
    match std::fs::remove_file(path) {
        Err(source) if source.kind() != ErrorKind::NotFound => {
            Err(StoreError::Unreachable { path: path.to_owned(), source })
        }
        _ => Ok(()),
    }
}

/// The key in the file, or `None` when there is no file.
fn read(path: &Path) -> Result<Option<Zeroizing<[u8; KEY_BYTES]>>, StoreError> {
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
    let _making = MAKING.lock().unwrap_or_else(PoisonError::into_inner);
    if read(path).ok().flatten().is_some_and(|known| *known == *key) {
        return Ok(());
    }
    put(path, &key)
}

/// Creates the key file. It gets its name once it is complete and on the disk, before anything is sealed with
/// it.
fn make(path: &Path) -> Result<Zeroizing<[u8; KEY_BYTES]>, StoreError> {
    let key = <[u8; KEY_BYTES]>::try_generate().map_err(|error| no_dice(path, &error))?;
    let key = Zeroizing::new(key);
    put(path, &key)?;
    Ok(key)
}

/// Writes a key file, for this user alone; it gets its name when it is on the disk.
fn put(path: &Path, key: &[u8; KEY_BYTES]) -> Result<(), StoreError> {
    let unreachable = |source| StoreError::Unreachable { path: path.to_owned(), source };
    let mut partial = path.as_os_str().to_owned();
    partial.push(".partial");
    let partial = PathBuf::from(partial);
    // What a process that was killed here left behind.
    remove(&partial)?;
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&partial).map_err(unreachable)?;
    file.write_all(key)
        .and_then(|()| file.sync_all())
        .and_then(|()| std::fs::rename(&partial, path))
        .and_then(|()| flush_folder(path.parent().unwrap_or(Path::new(""))))
        .map_err(unreachable)
}
