//! The checksum of an event: SHA-256 over the checksum before it and its line.
//!
//! Because each covers all before it, an event cannot be changed, dropped or moved without the
//! next one telling. It finds accidents and careless edits; whoever can write the file could
//! compute it anew, so it is no signature.

use sha2::{Digest, Sha256};

use crate::ids::MeetingId;

/// The checksum of one event and of all before it.
pub type Hash = [u8; 32];

/// Where a meeting's chain begins: two meetings with equal lines still differ.
pub fn beginning(meeting: &MeetingId) -> Hash {
    Sha256::digest(meeting.as_str()).into()
}

/// The checksum of the event with this line, given that of the event before.
pub fn next(before: &Hash, line: &[u8]) -> Hash {
    Sha256::new().chain_update(before).chain_update(line).finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(hash: Hash) -> String {
        hash.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The figures come from `sha256sum`; a stored log must verify for ever.
    #[test]
    fn the_chain_is_the_one_that_is_written_down() {
        let first = beginning(&MeetingId::new("abc"));
        assert_eq!(hex(first), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        let second = next(&first, b"{}");
        assert_eq!(hex(second), HEX_SECOND);
    }

    const HEX_SECOND: &str = "daeb09a39e59afbcd827c986e4217da16a366ff44f0da7d509eeb2defffa3fa0";
}
