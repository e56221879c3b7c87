//! Signatures of logs: which installation held which log, and when.
//!
//! A signature covers a short text (see [`LogSignature::canonical`]) that names the meeting, the number of its events, the
//! last checksum of its [`chain`], and a digest of all its checksums. The digest makes it cover every event of an export
//! that leaves some out: an event that is left out stands there by its checksum, and without the digest the chain before
//! that checksum could be replaced. The text begins with its purpose and version, so that no signature of anything else
//! fits it.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::chain::{self, Hash};
use crate::hex::to_hex;
use crate::ids::{MeetingId, Timestamp};

/// The bytes of a public key.
pub type PublicKey = [u8; 32];

/// What the key id is made of: half of SHA-256, which nobody finds another key for.
const KEY_ID_BYTES: usize = 16;

/// The algorithm of a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum SignatureAlgorithm {
    /// Ed25519 (RFC 8032).
    #[default]
    Ed25519,
}

/// The signature of a meeting's log by an installation. Bytes are lower-case hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LogSignature {
    /// The algorithm.
    pub algorithm: SignatureAlgorithm,
    /// The id of the key: the first 16 bytes of the SHA-256 of the public key.
    pub key_id: String,
    /// The public key, 32 bytes.
    pub public_key: String,
    /// The meeting.
    pub meeting_id: MeetingId,
    /// The sequence number of the last event.
    pub seq: u64,
    /// The checksum of the last event, which covers all events before it.
    pub hash: String,
    /// The SHA-256 of the concatenated checksums of all events, 32 bytes each.
    pub checksums: String,
    /// When it was signed.
    pub signed_at: Timestamp,
    /// The signature, 64 bytes.
    pub signature: String,
}

impl LogSignature {
    /// The signed text, in UTF-8; `None` for a meeting whose id could be taken for further lines of it.
    pub fn canonical(&self) -> Option<String> {
        let Self { key_id, meeting_id, seq, hash, checksums, signed_at, .. } = self;
        if meeting_id.as_str().chars().any(char::is_control) {
            return None;
        }
        let signed_at = signed_at.to_rfc3339();
        Some(format!(
            "quorate log signature 1\nmeeting_id {meeting_id}\nseq {seq}\nhash {hash}\nchecksums {checksums}\n\
             signed_at {signed_at}\nkey_id {key_id}\n"
        ))
    }
}

/// The reason why an export is not signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum UnsignedReason {
    /// An event of the log is damaged, and what follows it is missing.
    Damaged,
    /// Parts of the log are hidden from whoever exported it.
    Withheld,
    /// The meeting is off the record.
    OffRecord,
    /// The signing key could not be made or used.
    NoKey,
}

impl UnsignedReason {
    /// All reasons.
    pub const ALL: [Self; 4] = [Self::Damaged, Self::Withheld, Self::OffRecord, Self::NoKey];
}

/// Whether an export is signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sealing {
    /// It is.
    Signed(LogSignature),
    /// It is not.
    Unsigned(UnsignedReason),
}

impl Sealing {
    /// The signature, and the reason why there is none: one of the two is there.
    pub fn parts(&self) -> (Option<&LogSignature>, Option<UnsignedReason>) {
        match self {
            Self::Signed(signature) => (Some(signature), None),
            Self::Unsigned(reason) => (None, Some(*reason)),
        }
    }
}

/// An event of an exported log: its checksum and, unless it is withheld, its line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChainEntry {
    /// The checksum of this event and all events before it.
    pub hash: String,
    /// The line as it is stored; left out when a part of it is withheld.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
}

/// The chain of a log as far as it was followed: what a signature covers.
#[derive(Debug, Clone)]
pub struct LogChain {
    hash: Hash,
    seq: u64,
    checksums: Sha256,
}

impl LogChain {
    /// The beginning of the chain of a meeting.
    pub fn of(meeting: &MeetingId) -> Self {
        Self { hash: chain::beginning(meeting), seq: 0, checksums: Sha256::new() }
    }

    /// Follows the chain by an event, and gives its checksum.
    pub fn push(&mut self, line: &str) -> Hash {
        self.hash = chain::next(&self.hash, line.as_bytes());
        self.seq += 1;
        self.checksums.update(self.hash);
        self.hash
    }

    /// The number of events.
    pub fn seq(&self) -> u64 {
        self.seq
    }

    /// The last checksum.
    pub fn hash(&self) -> Hash {
        self.hash
    }

    /// The digest of all checksums.
    pub fn checksums(&self) -> Hash {
        self.checksums.clone().finalize().into()
    }
}

/// The digest of a list of checksums.
pub fn checksums_of<'a>(hashes: impl IntoIterator<Item = &'a Hash>) -> Hash {
    let mut digest = Sha256::new();
    hashes.into_iter().for_each(|hash| digest.update(hash));
    digest.finalize().into()
}

/// The id of a public key.
pub fn key_id(key: &PublicKey) -> String {
    to_hex(&Sha256::digest(key)[..KEY_ID_BYTES])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text is signed by released programs, so it stays as it is.
    #[test]
    fn the_signed_text_is_the_one_that_is_written_down() {
        let meeting = MeetingId::new("abc");
        let mut chain = LogChain::of(&meeting);
        let first = chain.push("{}");
        let second = chain.push("{\"a\":\"会议\"}");
        assert_eq!((chain.seq(), chain.hash()), (2, second));
        assert_eq!(chain.checksums(), checksums_of([&first, &second]));
        let signature = LogSignature {
            algorithm: SignatureAlgorithm::Ed25519,
            key_id: key_id(&[7; 32]),
            public_key: to_hex(&[7; 32]),
            meeting_id: meeting,
            seq: chain.seq(),
            hash: to_hex(&first),
            checksums: to_hex(&checksums_of([&first])),
            signed_at: Timestamp(1_772_353_800_123),
            signature: String::new(),
        };
        assert_eq!(signature.canonical().as_deref(), Some(WRITTEN));
        let forged = LogSignature { meeting_id: MeetingId::new("abc\nseq 3"), ..signature.clone() };
        assert_eq!(forged.canonical(), None);
        assert!(
            serde_json::to_string(&signature).expect("text keys").starts_with("{\"algorithm\":\"Ed25519\"")
        );
    }

    const WRITTEN: &str = "\
quorate log signature 1
meeting_id abc
seq 2
hash daeb09a39e59afbcd827c986e4217da16a366ff44f0da7d509eeb2defffa3fa0
checksums a8eaf10216d036fea3b8e4d82912d5433fc708336d42776717c718a1776c9ddb
signed_at 2026-03-01T08:30:00.123Z
key_id 4bb06f8e4e3a7715d201d573d0aa4237
";
}
