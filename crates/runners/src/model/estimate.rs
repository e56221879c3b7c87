//! How many tokens a text has, when the provider did not count, or before it can.
//!
//! Tokenizers differ by vendor. The rates in `vendors.toml` were measured with each vendor's own, where it
//! can be had, and say by how much they may be wrong (docs/providers-data.md). Whoever receives an
//! estimate is told that it is one.

use std::sync::LazyLock;

use quorate_core::Prompt;

use crate::provider::ProviderConfig;
use crate::vendor::{TokenRates, vendor_of};

static USUAL: LazyLock<TokenRates> = LazyLock::new(TokenRates::default);

/// The rates of a provider's model; those in the midst of all when its vendor is not known.
pub(crate) fn rates_of(config: &ProviderConfig, model: &str) -> &'static TokenRates {
    vendor_of(config).map_or(&USUAL, |vendor| vendor.token_rates(model))
}

/// The rates of a model of which nothing is known.
pub(crate) fn usual_rates() -> &'static TokenRates {
    &USUAL
}

/// About how many tokens `text` has by these rates; 0 for no text.
pub(crate) fn tokens(text: &str, rates: &TokenRates) -> u64 {
    let (mut wide, mut letters, mut marks) = (0u64, 0u64, 0u64);
    for character in text.chars() {
        if is_wide(character) {
            wide += 1;
        } else if character == ' ' || character.is_alphabetic() {
            letters += 1;
        } else {
            marks += 1;
        }
    }
    // In thousandths: whole numbers round the same everywhere.
    let thousandths = |rate: f64| (rate * 1000.0).round() as u64;
    let sum = wide * thousandths(rates.wide)
        + letters * thousandths(rates.letters)
        + marks * thousandths(rates.marks);
    sum.div_ceil(1000)
}

/// About how many tokens a prompt has; each message costs a few for its frame.
pub(crate) fn prompt_tokens(prompt: &Prompt, rates: &TokenRates) -> u64 {
    let messages = prompt.messages.iter().map(|message| tokens(&message.content, rates) + 4);
    tokens(&prompt.system, rates) + messages.sum::<u64>()
}

fn is_wide(character: char) -> bool {
    matches!(u32::from(character),
        0x1100..=0x11ff | 0x2e80..=0xa4cf | 0xac00..=0xd7af | 0xf900..=0xfaff
        | 0xfe30..=0xfe4f | 0xff00..=0xff60 | 0x20000..=0x3ffff)
}

#[cfg(test)]
mod tests {
    use quorate_core::estimate_tokens;

    use super::*;
    use crate::vendor::vendors;

    #[test]
    fn chinese_counts_by_the_character_and_other_text_by_length() {
        let count = |text: &str| tokens(text, usual_rates());
        assert_eq!(count(""), 0);
        assert_eq!(count("a"), 1);
        assert_eq!(count(&"数据库".repeat(100)), 255);
        assert_eq!(count(&"abcdefg".repeat(100)), 147);
        assert_eq!(count(&"{\"1".repeat(100)), 156);
        assert_eq!(count(&"数据库abcdefg".repeat(100)), 402);
    }

    /// The bound by which budgets are held back must lie above what any vendor counts: here for a text of
    /// our corpus's own make-up, with each vendor's error on top.
    #[test]
    fn the_cores_bound_lies_above_each_vendors_rates() {
        let chinese = "新项目的事件日志用 SQLite 还是 PostgreSQL？先做试点，再推广；保留回退路径（2 周）。";
        let english = "We should begin with a pilot, keep the way back open, and decide after two weeks.";
        let json = r#"{"position":"Use SQLite first","claims":["one writer is enough"],"confidence":72}"#;
        for vendor in vendors() {
            let notes = vendor.models.iter().filter_map(|note| note.tokens.as_ref());
            for rates in std::iter::once(&vendor.tokens).chain(notes) {
                for text in [chinese, english, json] {
                    let text = text.repeat(20);
                    let counted = tokens(&text, rates) as f64;
                    assert!(
                        estimate_tokens(&text) as f64 >= counted,
                        "{}: {counted} tokens of {text:.40}",
                        vendor.name
                    );
                }
            }
        }
    }
}
