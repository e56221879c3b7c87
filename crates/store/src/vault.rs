//! Seals credentials, under a key file that lies beside the database.
//!
//! XChaCha20-Poly1305 with a random nonce for each sealing. The provider's name is part of what is
//! sealed without being hidden, so that no credential can be put in the place of another's. A copy
//! of the database alone, such as a backup, opens nothing. See `docs/decisions/0006-credentials.md`.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use chacha20poly1305::aead::{Aead, Generate, KeyInit, Payload};
use chacha20poly1305::{Key, XChaCha20Poly1305, XNonce};
use quorate_engine::Secret;
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use crate::credentials::Credential;
use crate::error::StoreError;
use crate::store::flush_folder;

const KEY_BYTES: usize = 32;
const NONCE_BYTES: usize = 24;
/// Begins what is bound to each sealing; a new way to seal gets a new one.
const BOUND: &str = "quorate credential 1\n";

/// An opened key file.
pub(crate) struct Vault {
    path: PathBuf,
    cipher: XChaCha20Poly1305,
}

/// What is sealed.
#[derive(Serialize, Deserialize)]
struct Content {
    base_url: Option<String>,
    key: Option<String>,
}

impl Vault {
    /// Opens the key file of a database in which the credentials of `providers` are stored.
    pub(crate) fn open(database: &Path, providers: Vec<String>) -> Result<Self, StoreError> {
        let path = beside(database);
        match read(&path)? {
            Some(key) => Ok(Self { cipher: XChaCha20Poly1305::new(&Key::from(*key)), path }),
            None => Err(StoreError::VaultKeyMissing { path, providers }),
        }
    }

    /// Opens the key file of a database in which no credential is stored yet; makes it, for this
    /// user alone, when it is not there. The caller is the database's one writer.
    pub(crate) fn open_or_make(database: &Path) -> Result<Self, StoreError> {
        let path = beside(database);
        let key = match read(&path)? {
            Some(key) => key,
            None => make(&path)?,
        };
        Ok(Self { cipher: XChaCha20Poly1305::new(&Key::from(*key)), path })
    }

    /// The nonce, then the ciphertext with its tag.
    pub(crate) fn seal(&self, credential: &Credential) -> Result<Vec<u8>, StoreError> {
        let content = Content {
            base_url: credential.base_url.clone(),
            key: credential.key.as_ref().map(|key| key.expose().to_owned()),
        };
        let plain = Zeroizing::new(serde_json::to_vec(&content).expect("a credential has only text keys"));
        let nonce = XNonce::try_generate().map_err(|error| self.without_dice(&error))?;
        let bound = bound(&credential.provider);
        let payload = Payload { msg: &plain, aad: bound.as_bytes() };
        let sealed = self.cipher.encrypt(&nonce, payload).map_err(|_| StoreError::VaultKeyUnusable {
            path: self.path.clone(),
            detail: "the credential is too long to be sealed".to_owned(),
        })?;
        Ok([nonce.as_slice(), &sealed].concat())
    }

    /// Opens what was sealed for this provider.
    pub(crate) fn unseal(&self, provider: &str, sealed: &[u8]) -> Result<Credential, StoreError> {
        let otherwise =
            || StoreError::SealedOtherwise { provider: provider.to_owned(), path: self.path.clone() };
        let (nonce, sealed) = sealed.split_first_chunk::<NONCE_BYTES>().ok_or_else(otherwise)?;
        let bound = bound(provider);
        let payload = Payload { msg: sealed, aad: bound.as_bytes() };
        let plain = self.cipher.decrypt(&XNonce::from(*nonce), payload).map_err(|_| otherwise())?;
        let plain = Zeroizing::new(plain);
        // What was opened is never part of an error.
        let content: Content = serde_json::from_slice(&plain).map_err(|_| otherwise())?;
        Ok(Credential {
            provider: provider.to_owned(),
            base_url: content.base_url,
            key: content.key.map(Secret::new),
        })
    }

    fn without_dice(&self, error: &impl std::fmt::Display) -> StoreError {
        no_dice(&self.path, error)
    }
}

fn bound(provider: &str) -> String {
    format!("{BOUND}{provider}")
}

fn no_dice(path: &Path, error: &impl std::fmt::Display) -> StoreError {
    StoreError::Unreachable { path: path.to_owned(), source: std::io::Error::other(error.to_string()) }
}

/// `meetings.db.key`, beside the database and its lock.
fn beside(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(".key");
    name.into()
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
            detail: format!("a key file has {KEY_BYTES} bytes"),
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

/// Makes the key file. It gets its name once it is whole and on the disk, before anything is
/// sealed with it.
fn make(path: &Path) -> Result<Zeroizing<[u8; KEY_BYTES]>, StoreError> {
    let unreachable = |source| StoreError::Unreachable { path: path.to_owned(), source };
    let key = <[u8; KEY_BYTES]>::try_generate().map_err(|error| no_dice(path, &error))?;
    let key = Zeroizing::new(key);
    let mut partial = path.as_os_str().to_owned();
    partial.push(".partial");
    let partial = PathBuf::from(partial);
    // What a process that was killed here left behind.
    match std::fs::remove_file(&partial) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(unreachable(error)),
        _ => {}
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&partial).map_err(unreachable)?;
    file.write_all(&*key)
        .and_then(|()| file.sync_all())
        .and_then(|()| std::fs::rename(&partial, path))
        .and_then(|()| flush_folder(path.parent().unwrap_or(Path::new(""))))
        .map_err(unreachable)?;
    Ok(key)
}
