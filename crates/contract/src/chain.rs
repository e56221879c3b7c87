//! The checksum of an event: SHA-256 over the checksum before it and its line.
//!
//! Each checksum covers all lines before it, so an event that was changed, dropped or moved no longer fits
//! the checksum of the next one. This detects accidents and careless edits. A person who can write the file can
//! compute all checksums again; what that person cannot do is in [`signature`](crate::signature).

use sha2::{Digest, Sha256};

use crate::ids::MeetingId;

/// The checksum of one event and of all before it.
pub type Hash = [u8; 32];

/// The checksum that a meeting's chain begins with. It depends on the meeting's id, so two meetings with
/// equal lines have different checksums.
pub fn beginning(meeting: &MeetingId) -> Hash {
    Sha256::digest(meeting.as_str()).into()
}

/// The checksum of the event with this line, given that of the event before.
pub fn next(before: &Hash, line: &[u8]) -> Hash {
    Sha256::new().chain_update(before).chain_update(line).finalize().into()
}

/// Bytes as lower-case hexadecimal digits.
pub fn to_hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
}

/// The bytes of lower-case hexadecimal digits; `None` for anything else, and for another number of bytes.
pub fn from_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    if text.len() != 2 * N {
        return None;
    }
    let mut bytes = [0; N];
    for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        *byte = digit(pair[0])? << 4 | digit(pair[1])?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(hash: Hash) -> String {
        to_hex(&hash)
    }

    #[test]
    fn hexadecimal_digits_are_read_as_they_were_written() {
        assert_eq!(to_hex(&[0, 9, 10, 255]), "00090aff");
        assert_eq!(from_hex("00090aff"), Some([0, 9, 10, 255]));
        for other in ["00090af", "00090afF", "00090a", "00090aff00", "会议"] {
            assert_eq!(from_hex::<4>(other), None, "{other}");
        }
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
