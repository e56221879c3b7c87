//! The checksum of an event: SHA-256 over the checksum before it and its line.
//!
//! Each checksum covers all lines before it, so an event that was changed, dropped or moved no longer fits
//! the checksum of the next one. This detects accidents and careless edits. A person who can write the file can
//! compute all checksums again; what that person cannot do is in [`signature`](crate::signature).

use sha2::{Digest, Sha256};

use crate::ids::MeetingId;

/// The checksum of one event and of all before it.
pub type Hash = [u8; 32];

/// The hexadecimal digits of a checksum that is only begun, as the HTML page of a long meeting has them: whoever reads it
/// works the others out. One change in 65,536 is found only at the next whole one.
pub const BEGUN_DIGITS: usize = 4;

/// The checksum that a meeting's chain begins with. It depends on the meeting's id, so two meetings with
/// equal lines have different checksums.
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
    use crate::hex::to_hex;

    fn hex(hash: Hash) -> String {
        to_hex(&hash)
    }

    /// The figures come from `sha256sum`; a stored log must stay verifiable.
    #[test]
    fn the_chain_is_the_one_that_is_written_down() {
        let first = beginning(&MeetingId::new("abc"));
        assert_eq!(hex(first), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        let second = next(&first, b"{}");
        assert_eq!(hex(second), HEX_SECOND);
    }

    const HEX_SECOND: &str = "daeb09a39e59afbcd827c986e4217da16a366ff44f0da7d509eeb2defffa3fa0";
}
