//! Whole numbers that are written with a fraction of zero.
//!
//! To JSON Schema, and to clients whose numbers are all of one type, `18.0` is the integer 18. The decoder takes it for
//! a number of another type, so that it is rewritten before it is read.

use std::borrow::Cow;

/// Up to here every whole number is exact as a number with a fraction.
const EXACT_MAX: f64 = 9_007_199_254_740_992.0;

/// The same JSON with each number that has no fraction written as an integer. What is not JSON stays what it is.
pub(crate) fn whole_numbers(json: &[u8]) -> Cow<'_, [u8]> {
    let mut out: Vec<u8> = Vec::new();
    let (mut at, mut copied) = (0, 0);
    while at < json.len() {
        match json[at] {
            b'"' => at = end_of_text(json, at),
            b'-' | b'0'..=b'9' => {
                let length = json[at..].iter().take_while(|byte| is_of_number(**byte)).count();
                if let Some(whole) = whole(&json[at..at + length]) {
                    out.extend_from_slice(&json[copied..at]);
                    out.extend_from_slice(whole.as_bytes());
                    // The places that the decoder names stay the same.
                    out.extend(std::iter::repeat_n(b' ', length.saturating_sub(whole.len())));
                    copied = at + length;
                }
                at += length;
            }
            _ => at += 1,
        }
    }
    if copied == 0 {
        return Cow::Borrowed(json);
    }
    out.extend_from_slice(&json[copied..]);
    Cow::Owned(out)
}

/// Where a text ends that begins here.
fn end_of_text(json: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < json.len() {
        match json[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    json.len()
}

fn is_of_number(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E')
}

/// A number with a fraction or an exponent as an integer, when it is one and this is a number of JSON.
fn whole(number: &[u8]) -> Option<String> {
    if !number.iter().any(|byte| matches!(byte, b'.' | b'e' | b'E')) {
        return None;
    }
    let value = serde_json::from_slice::<f64>(number).ok()?;
    (value.fract() == 0.0 && value.abs() <= EXACT_MAX).then(|| (value as i64).to_string())
}
