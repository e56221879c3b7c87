//! The signing key of this installation, and the signatures of exported logs.

use std::sync::Arc;

use quorate_contract::hex::to_hex;
use quorate_contract::signature::{LogChain, Sealing, SignatureAlgorithm, UnsignedReason};
use quorate_contract::{Event, MeetingId, Timestamp};
use quorate_core::Meeting;
use quorate_engine::{Journal, JournalError};
use quorate_store::{LogSigner, Salvaged, Store, StoreError, StoredPublicKey};
use quorate_views::Viewer;
use serde::{Deserialize, Serialize};

use super::App;
use crate::clock;
use crate::error::ServiceError;
use crate::local::LocalDatabase;

/// The public key with which this installation signs exported logs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SigningKeyView {
    /// The algorithm.
    pub algorithm: SignatureAlgorithm,
    /// The current key.
    #[serde(flatten)]
    pub key: PublicKeyView,
    /// Earlier keys, newest first. They no longer sign; their signatures stay valid.
    pub previous: Vec<PublicKeyView>,
}

/// A public key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PublicKeyView {
    /// The id: the first 16 bytes of the SHA-256 of the public key, in hexadecimal.
    pub key_id: String,
    /// The key: 32 bytes in hexadecimal.
    pub public_key: String,
    /// When the key pair was created.
    pub created_at: Timestamp,
}

impl PublicKeyView {
    fn of(key: &StoredPublicKey) -> Self {
        let (key_id, public_key) = (key.id.clone(), to_hex(&key.public_key));
        Self { key_id, public_key, created_at: key.created_ms }
    }
}

/// What signs the logs of exports, or the reason why nothing does.
#[derive(Debug, Clone)]
pub struct LogSealer(Result<Arc<LogSigner>, UnsignedReason>);

impl LogSealer {
    /// Signs the log of a meeting for a reader. One from whom a part is hidden gets no signature: it could not check what
    /// the signature says of that part.
    pub fn seal<'a>(
        &self,
        meeting: &Meeting,
        log: impl Iterator<Item = (&'a str, &'a Event)> + Clone,
        damaged: bool,
        reader: Viewer,
    ) -> Sealing {
        let signer = match &self.0 {
            _ if damaged => return Sealing::Unsigned(UnsignedReason::Damaged),
            Err(reason) => return Sealing::Unsigned(*reason),
            Ok(_) if log.clone().any(|(_, event)| reader.hides(event)) => {
                return Sealing::Unsigned(UnsignedReason::Withheld);
            }
            Ok(signer) => signer,
        };
        let mut chain = LogChain::of(&meeting.id);
        log.for_each(|(line, _)| _ = chain.push(line));
        let signed = signer.sign(&meeting.id, &chain, clock::now());
        signed.map_or(Sealing::Unsigned(UnsignedReason::NoKey), Sealing::Signed)
    }
}

impl App {
    /// The public key of this installation. The key pair is made when it is first asked for.
    ///
    /// # Errors
    /// When it cannot be made: the database or its key file cannot be used.
    pub async fn signing_key(&self) -> Result<SigningKeyView, ServiceError> {
        signing_key(self.store()).await
    }

    /// Makes another key pair; the private key of the one before is deleted.
    ///
    /// # Errors
    /// When the database or its key file cannot be used.
    pub async fn replace_signing_key(&self) -> Result<SigningKeyView, ServiceError> {
        self.store().replace_log_signer(clock::now()).await?;
        signing_key(self.store()).await
    }

    /// What signs the log of a meeting.
    pub async fn log_sealer(&self, id: &MeetingId) -> LogSealer {
        if self.is_off_record(id) {
            return LogSealer(Err(UnsignedReason::OffRecord));
        }
        match signer(self.store()).await {
            Ok(signer) => LogSealer(Ok(Arc::new(signer))),
            Err(error) => {
                let hint = error.hint();
                tracing::warn!(%error, hint, "an export is not signed: the signing key cannot be used");
                LogSealer(Err(UnsignedReason::NoKey))
            }
        }
    }

    /// All events of a meeting with their lines as they are stored; of a damaged one, those before the damage.
    ///
    /// # Errors
    /// When there is no such meeting, or its log cannot be read.
    pub async fn stored_log(&self, id: &MeetingId) -> Result<Salvaged, ServiceError> {
        if self.is_off_record(id) {
            let records = self.0.journal.read(id.clone(), 0).await?;
            return Ok(Salvaged { records, ..Salvaged::default() });
        }
        let salvaged = self.store().salvage(id).await?;
        match &salvaged.damage {
            None => Ok(salvaged),
            Some(damage) => {
                let error = JournalError::Damaged {
                    meeting: id.clone(),
                    seq: damage.event,
                    detail: damage.detail.clone(),
                };
                self.salvaged(id, error, true).await
            }
        }
    }
}

impl LocalDatabase {
    /// What signs logs; `None` when there is no key pair yet, which only a writer makes.
    ///
    /// # Errors
    /// When the database or its key file cannot be used.
    pub async fn log_sealer(&self) -> Result<Option<LogSealer>, ServiceError> {
        let signer = self.store().log_signer().await?;
        Ok(signer.map(|signer| LogSealer(Ok(Arc::new(signer)))))
    }

    /// Makes the key pair where there is none. The database has to be open for writing.
    ///
    /// # Errors
    /// When the database or its key file cannot be used.
    pub async fn make_signing_key(&self) -> Result<(), ServiceError> {
        self.store().make_log_signer(clock::now()).await?;
        Ok(())
    }

    /// The public keys of this installation, the present one first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn public_keys(&self) -> Result<Vec<PublicKeyView>, ServiceError> {
        Ok(self.store().public_keys().await?.iter().map(PublicKeyView::of).collect())
    }
}

impl Default for LogSealer {
    /// Nothing signs.
    fn default() -> Self {
        Self(Err(UnsignedReason::NoKey))
    }
}

async fn signer(store: &Store) -> Result<LogSigner, StoreError> {
    match store.log_signer().await? {
        Some(signer) => Ok(signer),
        None => store.make_log_signer(clock::now()).await,
    }
}

async fn signing_key(store: &Store) -> Result<SigningKeyView, ServiceError> {
    let mut keys = store.public_keys().await?;
    if keys.is_empty() {
        keys.push(store.make_log_signer(clock::now()).await?.public().clone());
    }
    let key = PublicKeyView::of(&keys.remove(0));
    let previous = keys.iter().map(PublicKeyView::of).collect();
    Ok(SigningKeyView { algorithm: SignatureAlgorithm::Ed25519, key, previous })
}
