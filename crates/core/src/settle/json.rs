//! Finds the JSON object in what a model wrote around it.

use std::ops::Range;

use serde_json::{Map, Value};

/// The last complete object that parses: fenced, or with prose around it. Trailing commas are let
/// pass; nothing else is guessed.
pub(super) fn object(text: &str) -> Option<Map<String, Value>> {
    last_object(text).map(|(_, object)| object)
}

/// The object, and where it stands, in bytes.
pub(super) fn last_object(text: &str) -> Option<(Range<usize>, Map<String, Value>)> {
    let spans = top_level_objects(text);
    spans.into_iter().rev().find_map(|(from, to)| {
        let span = &text[from..to];
        let parsed = serde_json::from_str(span).or_else(|_| serde_json::from_str(&mend(span)));
        match parsed {
            Ok(Value::Object(object)) => Some((from..to, object)),
            Ok(_) | Err(_) => None,
        }
    })
}

/// The byte ranges of all outermost `{…}`, with regard to strings.
fn top_level_objects(text: &str) -> Vec<(usize, usize)> {
    let (mut spans, mut depth, mut start) = (Vec::new(), 0u32, 0);
    let (mut in_string, mut escaped) = (false, false);
    for (at, c) in text.char_indices() {
        if in_string {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => in_string = false,
                _ => {}
            }
            continue;
        }
        match c {
            '"' if depth > 0 => in_string = true,
            '{' => {
                if depth == 0 {
                    start = at;
                }
                depth += 1;
            }
            '}' if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    spans.push((start, at + 1));
                }
            }
            _ => {}
        }
    }
    spans
}

/// Takes commas before a closing bracket away, and escapes bare line feeds inside strings.
fn mend(text: &str) -> String {
    let mut mended = String::with_capacity(text.len());
    let (mut in_string, mut escaped) = (false, false);
    for c in text.chars() {
        if in_string {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => in_string = false,
                '\n' => {
                    mended.push_str("\\n");
                    continue;
                }
                '\t' => {
                    mended.push_str("\\t");
                    continue;
                }
                _ => {}
            }
        } else if c == '"' {
            in_string = true;
        } else if matches!(c, '}' | ']') {
            let kept = mended.trim_end().trim_end_matches(',').len();
            if mended[..mended.trim_end().len()].ends_with(',') {
                mended.truncate(kept);
            }
        }
        mended.push(c);
    }
    mended
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(text: &str) -> Option<i64> {
        object(text)?.get("score")?.as_i64()
    }

    #[test]
    fn an_object_is_found_in_what_models_write_around_it() {
        assert_eq!(score("{\"score\": 70}"), Some(70));
        assert_eq!(score("Sure!\n```json\n{\"score\": 71,}\n```\nHope this helps {smile}"), Some(71));
        assert_eq!(score("{\"a\": \"}{\\\"\", \"score\": 72}"), Some(72));
        assert_eq!(score("first {\"score\": 1} then {\"score\": 73}"), Some(73));
        assert_eq!(score("{\"reason\": \"two\nlines\", \"score\": 74}"), Some(74));
        assert_eq!(score("{\"score\": 75"), None);
        assert_eq!(score("{{{{"), None);
    }

    #[test]
    fn a_hundred_thousand_brackets_are_no_trouble() {
        assert_eq!(object(&"{".repeat(100_000)), None);
        assert_eq!(object(&("{\"a\":".repeat(50_000) + &"}".repeat(50_000))), None);
    }
}
