//! The key pair with which an installation signs logs (Ed25519).
//!
//! The private key is sealed as credentials are, under a name that no provider can have, and leaves this file only as
//! signatures. The public keys are stored in clear, also those of earlier key pairs, so that what they signed stays known.

use std::fmt;
use std::path::Path;

use quorate_contract::hex::{from_hex, to_hex};
use quorate_contract::signature::{LogChain, LogSignature, PublicKey, SignatureAlgorithm, key_id};
use quorate_contract::{MeetingId, Timestamp};
use quorate_engine::Secret;
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey};
use zeroize::Zeroizing;

use crate::error::StoreError;
use crate::key_file;
use crate::sql;
use crate::sql::{Connection, Row};
use crate::store::Store;
use crate::store::credentials::{self, Credential};

/// The name under which the private key is sealed; no provider's name holds a slash.
pub const SIGNING_KEY: &str = "signing/key";

/// The bytes of the private key, of which the key pair is made.
const SEED_BYTES: usize = 32;
/// The bytes of a signature.
const SIGNATURE_BYTES: usize = 64;

/// A public key of this installation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredPublicKey {
    /// Its id.
    pub id: String,
    /// The key.
    pub public_key: PublicKey,
    /// When the key pair was made.
    pub created_ms: Timestamp,
}

/// The open key pair of this installation.
pub struct LogSigner {
    pair: Ed25519KeyPair,
    public: StoredPublicKey,
}

impl fmt::Debug for LogSigner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.public.fmt(f)
    }
}

impl LogSigner {
    /// The public key.
    pub fn public(&self) -> &StoredPublicKey {
        &self.public
    }

    /// Signs the log of a meeting; `None` for a meeting whose id is no plain text.
    pub fn sign(&self, meeting: &MeetingId, chain: &LogChain, signed_at: Timestamp) -> Option<LogSignature> {
        let unsigned = LogSignature {
            algorithm: SignatureAlgorithm::Ed25519,
            key_id: self.public.id.clone(),
            public_key: to_hex(&self.public.public_key),
            meeting_id: meeting.clone(),
            seq: chain.seq(),
            hash: to_hex(&chain.hash()),
            checksums: to_hex(&chain.checksums()),
            signed_at,
            signature: String::new(),
        };
        let signature = to_hex(self.pair.sign(unsigned.canonical()?.as_bytes()).as_ref());
        Some(LogSignature { signature, ..unsigned })
    }
}

/// Whether a signature was made with the key that it names. Whose key that is, only its id tells.
pub fn is_signed_by(signature: &LogSignature) -> bool {
    let SignatureAlgorithm::Ed25519 = signature.algorithm;
    let Some(public_key) = from_hex::<32>(&signature.public_key) else { return false };
    let Some(bytes) = from_hex::<SIGNATURE_BYTES>(&signature.signature) else { return false };
    let Some(text) = signature.canonical() else { return false };
    key_id(&public_key) == signature.key_id
        && UnparsedPublicKey::new(&ED25519, public_key).verify(text.as_bytes(), &bytes).is_ok()
}

impl Store {
    /// The public keys of this installation, the present one first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn public_keys(&self) -> Result<Vec<StoredPublicKey>, StoreError> {
        self.reading(public_keys).await
    }

    /// The key pair of this installation; `None` when it has none yet.
    ///
    /// # Errors
    /// When the key file cannot be used, or what is sealed is another key than the table says.
    pub async fn log_signer(&self) -> Result<Option<LogSigner>, StoreError> {
        let Some(public) = self.public_keys().await?.into_iter().next() else { return Ok(None) };
        let Some(sealed) = self.credential(SIGNING_KEY).await? else { return Ok(None) };
        opened(&sealed, public, self.path()).map(Some)
    }

    /// Makes the key pair of this installation, where it has none.
    ///
    /// # Errors
    /// When the key file cannot be used, or the database cannot be written.
    pub async fn make_log_signer(&self, now: Timestamp) -> Result<LogSigner, StoreError> {
        let path = self.path().to_owned();
        let made = self.change(move |connection| {
            if is_sealed(connection)? { Ok(None) } else { make(connection, &path, now).map(Some) }
        });
        match made.await? {
            Some(made) => Ok(made),
            // Another call was faster.
            None => self.log_signer().await?.ok_or_else(|| otherwise(self.path())),
        }
    }

    /// Makes another key pair in the place of the one there is, whose private key is deleted. This also helps where the
    /// key file is lost.
    ///
    /// # Errors
    /// When other things are sealed with a key file that is lost, or the database cannot be written.
    pub async fn replace_log_signer(&self, now: Timestamp) -> Result<LogSigner, StoreError> {
        let path = self.path().to_owned();
        self.change(move |connection| {
            connection.execute("DELETE FROM credential WHERE provider = ?1", [SIGNING_KEY])?;
            make(connection, &path, now)
        })
        .await
    }
}

fn is_sealed(connection: &Connection) -> sql::Result<bool> {
    connection.query_row("SELECT count(*) FROM credential WHERE provider = ?1", [SIGNING_KEY], |row| {
        Ok(row.get::<_, u64>(0)? > 0)
    })
}

/// Makes a key pair, and seals it within the caller's transaction.
fn make(connection: &Connection, database: &Path, now: Timestamp) -> Result<LogSigner, StoreError> {
    let mut seed = Zeroizing::new([0; SEED_BYTES]);
    getrandom::fill(&mut *seed).map_err(|error| StoreError::Unreachable {
        path: key_file::beside(database),
        source: std::io::Error::other(error.to_string()),
    })?;
    let pair = Ed25519KeyPair::from_seed_unchecked(&*seed).expect("the seed has its length");
    let public_key: PublicKey = pair.public_key().as_ref().try_into().expect("a public key has 32 bytes");
    let public = StoredPublicKey { id: key_id(&public_key), public_key, created_ms: now };
    let mut sealed = Credential::blank(SIGNING_KEY);
    sealed.key = Some(Secret::new(to_hex(&*seed)));
    credentials::seal(connection, database, &sealed, now)?;
    connection.execute(
        "INSERT INTO signing_key (id, public_key, created_ms) VALUES (?1, ?2, ?3)",
        (&public.id, to_hex(&public.public_key), now.0),
    )?;
    Ok(LogSigner { pair, public })
}

/// The key pair of a sealed private key, which has to be that of the public key.
fn opened(sealed: &Credential, public: StoredPublicKey, database: &Path) -> Result<LogSigner, StoreError> {
    let seed = sealed.key.as_ref().and_then(|key| from_hex::<SEED_BYTES>(key.expose())).map(Zeroizing::new);
    let seed = seed.ok_or_else(|| otherwise(database))?;
    let pair = Ed25519KeyPair::from_seed_and_public_key(&*seed, &public.public_key);
    Ok(LogSigner { pair: pair.map_err(|_| otherwise(database))?, public })
}

fn otherwise(database: &Path) -> StoreError {
    StoreError::SealedOtherwise { provider: SIGNING_KEY.to_owned(), path: key_file::beside(database) }
}

fn public_keys(connection: &Connection) -> Result<Vec<StoredPublicKey>, StoreError> {
    let mut select =
        connection.prepare_cached("SELECT id, public_key, created_ms FROM signing_key ORDER BY key DESC")?;
    let rows = select.query_map([], public_key_in)?;
    let rows: Vec<Option<StoredPublicKey>> = rows.collect::<Result<_, _>>()?;
    Ok(rows.into_iter().flatten().collect())
}

/// The public key of a row; `None` for one that was changed.
fn public_key_in(row: &Row<'_>) -> sql::Result<Option<StoredPublicKey>> {
    let (id, public_key): (String, String) = (row.get(0)?, row.get(1)?);
    let created_ms = Timestamp(row.get(2)?);
    let sound = from_hex(&public_key).filter(|public_key| key_id(public_key) == id);
    Ok(sound.map(|public_key| StoredPublicKey { id, public_key, created_ms }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain_of(meeting: &MeetingId, lines: &[&str]) -> LogChain {
        let mut chain = LogChain::of(meeting);
        lines.iter().for_each(|line| _ = chain.push(line));
        chain
    }

    fn store(folder: &Path) -> Store {
        Store::open(crate::testing::location(folder.join("meetings.db"))).unwrap()
    }

    #[tokio::test]
    async fn one_key_pair_is_made_and_signs_what_it_alone_can_sign() {
        let dir = tempfile::tempdir().unwrap();
        let store = store(dir.path());
        assert!(store.log_signer().await.unwrap().is_none());
        let (one, other) =
            tokio::join!(store.make_log_signer(Timestamp(1)), store.make_log_signer(Timestamp(2)));
        let (one, other) = (one.unwrap(), other.unwrap());
        assert_eq!(one.public(), other.public());
        let meeting = MeetingId::new("会议-1");
        let chain = chain_of(&meeting, &["{}", "{\"a\":1}"]);
        let signature = one.sign(&meeting, &chain, Timestamp(7)).unwrap();
        assert!(is_signed_by(&signature));
        assert_eq!(
            Some(&signature),
            store.log_signer().await.unwrap().unwrap().sign(&meeting, &chain, Timestamp(7)).as_ref()
        );
        let s = || signature.clone();
        let shorter = chain_of(&meeting, &["{}"]);
        for forged in [
            LogSignature { meeting_id: MeetingId::new("m2"), ..s() },
            LogSignature { seq: 1, ..s() },
            LogSignature { hash: to_hex(&shorter.hash()), ..s() },
            LogSignature { checksums: to_hex(&shorter.checksums()), ..s() },
            LogSignature { signed_at: Timestamp(8), ..s() },
            LogSignature { key_id: key_id(&[1; 32]), ..s() },
            LogSignature { signature: s().signature.replace('0', "1"), ..s() },
            LogSignature { signature: s().signature[2..].to_owned(), ..s() },
            LogSignature { public_key: to_hex(&[1; 32]), key_id: key_id(&[1; 32]), ..s() },
        ] {
            assert!(!is_signed_by(&forged), "{forged:?}");
        }
        assert!(one.sign(&MeetingId::new("a\nseq 1"), &chain, Timestamp(7)).is_none());
        assert!(!format!("{one:?}").contains("pair"));
    }

    #[tokio::test]
    async fn the_key_stays_over_a_restart_and_another_key_file_and_is_no_provider() {
        let dir = tempfile::tempdir().unwrap();
        let made = {
            let store = store(dir.path());
            let made = store.make_log_signer(Timestamp(1)).await.unwrap().public().clone();
            let sealed_before = std::fs::read(key_file::beside(store.path())).unwrap();
            assert!(store.rotate_key_file(Timestamp(2)).await.unwrap().is_empty());
            assert_ne!(std::fs::read(key_file::beside(store.path())).unwrap(), sealed_before);
            assert!(store.credentials().await.unwrap().is_empty());
            assert!(store.credential_names().await.unwrap().is_empty());
            assert!(store.delete_credential(SIGNING_KEY).await.is_err());
            made
        };
        let store = store(dir.path());
        assert_eq!(store.log_signer().await.unwrap().unwrap().public(), &made);
        // Beside the writer, as a command reads it.
        let reader = Store::open_read_only(store.location()).unwrap();
        assert_eq!(reader.log_signer().await.unwrap().unwrap().public(), &made);
        assert!(reader.make_log_signer(Timestamp(3)).await.is_err());
    }

    #[tokio::test]
    async fn no_copy_of_the_database_holds_the_private_key_in_clear() {
        let dir = tempfile::tempdir().unwrap();
        let store = store(dir.path());
        store.make_log_signer(Timestamp(1)).await.unwrap();
        let seed = store.credential(SIGNING_KEY).await.unwrap().unwrap().key.unwrap();
        let copy = dir.path().join("copy.db");
        store.backup_whole(&copy, false, |_| {}).await.unwrap();
        let bytes = std::fs::read(&copy).unwrap();
        let raw: [u8; SEED_BYTES] = from_hex(seed.expose()).unwrap();
        for clear in [seed.expose().as_bytes(), &raw] {
            assert!(!bytes.windows(clear.len()).any(|window| window == clear));
        }
        // Without the key file the copy cannot sign, and says so.
        let restored = Store::open(&copy).unwrap();
        assert_eq!(restored.public_keys().await.unwrap(), store.public_keys().await.unwrap());
        assert!(matches!(restored.log_signer().await, Err(StoreError::VaultKeyMissing { .. })));
        assert!(restored.make_log_signer(Timestamp(2)).await.is_err());
        // Another one can be made, and what the lost one signed stays known.
        let other = restored.replace_log_signer(Timestamp(2)).await.unwrap().public().clone();
        let known = restored.public_keys().await.unwrap();
        assert_eq!(known.len(), 2);
        assert_eq!(known[0], other);
        assert_ne!(known[1], other);
        assert_eq!(restored.log_signer().await.unwrap().unwrap().public(), &other);
    }

    #[tokio::test]
    async fn a_public_key_that_was_put_in_the_place_of_ours_signs_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let store = store(dir.path());
        store.make_log_signer(Timestamp(1)).await.unwrap();
        let foreign = [9; 32];
        let change = move |connection: &Connection| {
            connection.execute(
                "UPDATE signing_key SET id = ?1, public_key = ?2",
                (key_id(&foreign), to_hex(&foreign)),
            )?;
            Ok(())
        };
        store.change(change).await.unwrap();
        assert!(matches!(store.log_signer().await, Err(StoreError::SealedOtherwise { .. })));
    }
}
