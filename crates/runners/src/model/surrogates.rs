//! Halves of characters in JSON.
//!
//! A character outside the first 65,536 is written in JSON as two escapes. Servers that cut their texts by
//! UTF-16 units send one half at the end of a piece and the other at the beginning of the next, which no
//! JSON parser takes.

/// The first half that waits for the second.
#[derive(Debug, Default)]
pub(crate) struct Surrogates {
    first: Option<[u8; ESCAPE]>,
}

/// The length of an escape: `\ud83d`.
const ESCAPE: usize = 6;

/// What a half without the other becomes: U+FFFD.
const REPLACEMENT: &[u8; ESCAPE] = br"\ufffd";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Half {
    First,
    Second,
}

impl Surrogates {
    /// The same JSON without halves of characters; nothing where it has none. A first half at the end of a
    /// text is kept for the next piece, and other halves are replaced.
    pub(crate) fn mend(&mut self, json: &[u8]) -> Option<Vec<u8>> {
        let mut mended = Vec::with_capacity(json.len() + ESCAPE);
        let mut had_half = false;
        let mut rest = json;
        while let Some((&byte, after)) = rest.split_first() {
            let length = match (byte, half(rest)) {
                (_, Some(Half::First)) if half(&rest[ESCAPE..]) == Some(Half::Second) => 2 * ESCAPE,
                (_, Some(found)) => {
                    had_half = true;
                    let escape = rest.first_chunk::<ESCAPE>().copied();
                    match (found, self.first.take(), rest.get(ESCAPE)) {
                        (Half::Second, Some(first), _) => {
                            mended.extend(first);
                            mended.extend(escape.into_iter().flatten());
                        }
                        (Half::First, None, Some(b'"')) => self.first = escape,
                        _ => mended.extend(REPLACEMENT),
                    }
                    rest = &rest[ESCAPE..];
                    continue;
                }
                (b'\\', None) => 1 + after.len().min(1),
                _ => 1,
            };
            mended.extend_from_slice(&rest[..length]);
            rest = &rest[length..];
        }
        had_half.then_some(mended)
    }
}

/// The half of a character that is escaped at the beginning.
fn half(bytes: &[u8]) -> Option<Half> {
    let (start, digits) = bytes.first_chunk::<ESCAPE>()?.split_at(2);
    let unit = u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    match unit {
        _ if start != br"\u" => None,
        0xd800..0xdc00 => Some(Half::First),
        0xdc00..0xe000 => Some(Half::Second),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mend(pieces: &[&str]) -> Vec<Option<String>> {
        let mut halves = Surrogates::default();
        let mended = |piece: &&str| halves.mend(piece.as_bytes());
        pieces
            .iter()
            .map(mended)
            .map(|json| json.map(|json| String::from_utf8(json).expect("UTF-8")))
            .collect()
    }

    #[test]
    fn a_character_in_two_pieces_becomes_whole_in_the_second() {
        let expected = [Some(r#"{"a":"x"}"#.to_owned()), Some(r#"{"a":"\ud83d\ude00y"}"#.to_owned())];
        assert_eq!(mend(&[r#"{"a":"x\ud83d"}"#, r#"{"a":"\ude00y"}"#]), expected);
    }

    #[test]
    fn a_half_that_stays_alone_is_replaced() {
        assert_eq!(mend(&[r#"{"a":"\ud83dx\uDE00"}"#]), [Some(r#"{"a":"\ufffdx\ufffd"}"#.to_owned())]);
        assert_eq!(mend(&[r#"["\ude00"]"#]), [Some(r#"["\ufffd"]"#.to_owned())]);
    }

    #[test]
    fn what_has_no_half_is_left_alone() {
        for json in
            [r#"{"a":"\ud83d\ude00"}"#, r#"{"a":"\\ud83d"}"#, r#"{"a":"\u4f17"}"#, r#""\"#, r#""\ud8"#, ""]
        {
            assert_eq!(mend(&[json]), [None], "{json}");
        }
    }
}
