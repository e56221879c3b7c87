//! Sealing of credentials, under a key file beside the database.
//!
//! XChaCha20-Poly1305 with a random nonce for each sealing. The provider's name is authenticated, so that no
//! credential can be put in the place of another's. A copy of the database alone, such as a backup, opens
//! nothing. See `docs/decisions/0006-credentials.md`.

use std::path::{Path, PathBuf};

use chacha20poly1305::aead::{Aead, Generate, KeyInit, Payload};
use chacha20poly1305::{Key, XChaCha20Poly1305, XNonce};
use quorate_engine::Secret;
use quorate_messages::message;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use zeroize::Zeroizing;

use crate::error::StoreError;
use crate::key_file::{self, KeyBytes};
use crate::store::credentials::{Credential, Settings};

const NONCE_BYTES: usize = 24;
/// Begins what is bound to each sealing; a new way to seal gets a new one.
const BOUND: &str = "quorate credential 1\n";

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
        let path = key_file::beside(database);
        let cipher = |key: KeyBytes| XChaCha20Poly1305::new(&Key::from(*key));
        // The successor first: it may become the key file between the two.
        let next = key_file::read(&key_file::successor(&path))?.map(cipher);
        match (key_file::read(&path)?.map(cipher), next) {
            (Some(cipher), next) => Ok(Self { cipher, next, path }),
            (None, Some(cipher)) => Ok(Self { cipher, next: None, path }),
            (None, None) => Err(StoreError::VaultKeyMissing { path, providers }),
        }
    }

    /// Opens the key file of a database in which no credential is stored yet; makes it, for this
    /// user alone, when it is not there. The caller is the database's one writer.
    pub(crate) fn open_or_make(database: &Path) -> Result<Self, StoreError> {
        let path = key_file::beside(database);
        let key = key_file::read_or_make(&path)?;
        key_file::remove(&key_file::successor(&path))?;
        Ok(Self { cipher: XChaCha20Poly1305::new(&Key::from(*key)), next: None, path })
    }

    /// Makes a new key file beside the old one, to seal everything again. Then [`promote`](Self::promote)
    /// puts it in the old one's place.
    ///
    /// A process that dies in between leaves two key files, and all credentials sealed with one of them.
    /// Readers try both, and the next writer completes the change or takes it back (see
    /// [`interpret`](Self::interpret)).
    pub(crate) fn make_next(database: &Path) -> Result<Self, StoreError> {
        let path = key_file::beside(database);
        let next = key_file::successor(&path);
        key_file::remove(&next)?;
        let key = key_file::make(&next)?;
        Ok(Self { cipher: XChaCha20Poly1305::new(&Key::from(*key)), next: None, path })
    }

    /// Puts the new key file in the place of the old one, once everything is sealed with it.
    pub(crate) fn promote(database: &Path) -> Result<(), StoreError> {
        key_file::promote(&key_file::beside(database))
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
            key_file::remove(&key_file::successor(&self.path))?;
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
        key_file::no_randomness(&self.path, error)
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
