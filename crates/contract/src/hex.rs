//! Bytes as hexadecimal digits.

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

    #[test]
    fn hexadecimal_digits_are_read_as_they_were_written() {
        assert_eq!(to_hex(&[0, 9, 10, 255]), "00090aff");
        assert_eq!(from_hex("00090aff"), Some([0, 9, 10, 255]));
        for other in ["00090af", "00090afF", "00090a", "00090aff00", "会议"] {
            assert_eq!(from_hex::<4>(other), None, "{other}");
        }
    }
}
