//! Estimates of the number of tokens of a text.

/// About how many tokens a text has: one and a half for each Chinese, Japanese or Korean character or other
/// wide sign, one for each two and a half others. What is left out of a long prompt is reckoned by it.
pub fn estimate_tokens(text: &str) -> u64 {
    let (mut wide, mut narrow) = (0u64, 0u64);
    for c in text.chars() {
        if c < '\u{0250}' { narrow += 1 } else { wide += 1 }
    }
    wide + wide.div_ceil(2) + (narrow * 2).div_ceil(5)
}

/// An upper bound of the tokens of a text for every vendor: one for each byte, and one in front.
///
/// Vocabularies that fall back to bytes (byte-level BPE, SentencePiece with byte fallback) have no token of
/// less than a byte, and give each byte of a rare character a token of its own; SentencePiece puts one blank
/// in front. Random letters and rare characters come close to it, so that no lower bound holds.
pub fn most_tokens(text: &str) -> u64 {
    if text.is_empty() { 0 } else { text.len() as u64 + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_that_a_text_can_have_goes_by_its_bytes() {
        assert_eq!(most_tokens(""), 0);
        assert_eq!(most_tokens("先做"), 7);
        assert_eq!(most_tokens("{\"1\"}\n"), 7);
        for text in ["", "先做试点，再推广。", "We begin.", "{\"a\": [1, 2]}"] {
            assert!(most_tokens(text) >= estimate_tokens(text), "{text}");
        }
    }

    /// Counts of real vocabularies (`fixtures/tokens.jsonl` names them): random letters, characters of many
    /// scripts, numbers, marks.
    #[test]
    fn no_real_tokenizer_makes_more_of_a_text_than_the_bound() {
        let fixture = include_str!("../../../../fixtures/tokens.jsonl");
        let mut tightest = 0.0f64;
        for line in fixture.lines().skip(1) {
            let counted: serde_json::Value = serde_json::from_str(line).expect("a line is JSON");
            let text = counted["text"].as_str().expect("a text");
            for count in counted["tokens"].as_array().expect("one for each tokenizer") {
                let (count, most) = (count.as_u64().expect("a count"), most_tokens(text));
                assert!(count <= most, "{text:?}: {count} tokens where {most} are the most");
                tightest = tightest.max(count as f64 / most as f64);
            }
        }
        assert!(tightest > 0.99, "a lower bound would do: {tightest}");
    }
}
