//! Estimates of the tokens of a text, when the provider did not count, or before it can.
//!
//! Tokenizers differ by vendor. The rates in `vendors.toml` were measured with each vendor's own tokenizer,
//! where it is available, and say by how much they may be wrong (docs/providers-data.md). An estimate is
//! always marked as one.

use std::sync::LazyLock;

use quorate_contract::Prompt;

use crate::provider::ProviderConfig;
use crate::vendor::{TokenRates, vendor_of};

static USUAL: LazyLock<TokenRates> = LazyLock::new(TokenRates::default);

/// The rates of a provider's model; those in the midst of all when its vendor is not known.
pub fn rates_of(config: &ProviderConfig, model: &str) -> &'static TokenRates {
    vendor_of(config).map_or(&USUAL, |vendor| vendor.token_rates(model))
}

/// The rates of a model of which nothing is known.
pub fn usual_rates() -> &'static TokenRates {
    &USUAL
}

/// About how many tokens `text` has by these rates; 0 for no text.
pub fn estimated_tokens(text: &str, rates: &TokenRates) -> u64 {
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
    // In thousandths: integers round the same everywhere.
    let thousandths = |rate: f64| (rate * 1000.0).round() as u64;
    let sum = wide * thousandths(rates.wide)
        + letters * thousandths(rates.letters)
        + marks * thousandths(rates.marks);
    sum.div_ceil(1000)
}

/// About how many tokens the definitions of one source of tools have.
const DEFINITIONS_TOKENS: u64 = 600;

/// About how many tokens the words of a prompt have; each message costs a few for its frame.
pub fn prompt_tokens(prompt: &Prompt, rates: &TokenRates) -> u64 {
    let messages = prompt.messages.iter().map(|message| estimated_tokens(&message.content, rates) + 4);
    let calls = prompt.tools.steps.iter().flat_map(|step| &step.calls);
    let calls = calls
        .map(|call| estimated_tokens(&call.arguments, rates) + estimated_tokens(&call.result, rates) + 16);
    let definitions = prompt.tools.sources.len() as u64 * DEFINITIONS_TOKENS;
    estimated_tokens(&prompt.system, rates) + messages.sum::<u64>() + calls.sum::<u64>() + definitions
}

/// About how many tokens the images of a prompt have, for a model that sees.
pub fn image_tokens(prompt: &Prompt) -> u64 {
    prompt.images().map(|image| image.image().tokens()).sum()
}

fn is_wide(character: char) -> bool {
    matches!(u32::from(character),
        0x1100..=0x11ff | 0x2e80..=0xa4cf | 0xac00..=0xd7af | 0xf900..=0xfaff
        | 0xfe30..=0xfe4f | 0xff00..=0xff60 | 0x20000..=0x3ffff)
}

#[cfg(test)]
mod tests {
    use quorate_core::most_tokens;

    use super::*;
    use crate::vendor::vendors;

    #[test]
    fn chinese_counts_by_the_character_and_other_text_by_length() {
        let count = |text: &str| estimated_tokens(text, usual_rates());
        assert_eq!(count(""), 0);
        assert_eq!(count("a"), 1);
        assert_eq!(count(&"数据库".repeat(100)), 255);
        assert_eq!(count(&"abcdefg".repeat(100)), 147);
        assert_eq!(count(&"{\"1".repeat(100)), 156);
        assert_eq!(count(&"数据库abcdefg".repeat(100)), 402);
    }

    /// The bound by which budgets are reserved is above each rate of each vendor plus its stated error, for
    /// each kind of character by itself, and so for every text. docs/providers-data.md says how far single
    /// texts can exceed the stated error.
    #[test]
    fn the_cores_bound_lies_above_each_vendors_rates_with_their_error() {
        let kinds = [
            "众数据库先做試點ひらがな한국어。，「」",
            "pilot Entscheidung déjà vu ",
            "{\"72\": [1, -3.5]}\n\t*#",
        ];
        for vendor in vendors() {
            let notes = vendor.models.iter().filter_map(|note| note.tokens.as_ref());
            for rates in std::iter::once(&vendor.tokens).chain(notes).chain([usual_rates()]) {
                for text in kinds {
                    let text = text.repeat(20);
                    let most = estimated_tokens(&text, rates) as f64 * (1.0 + rates.error);
                    let held = most_tokens(&text) as f64;
                    assert!(held >= most, "{}: {held} held back, {most} used for {text:.40}", vendor.name);
                }
            }
        }
    }
}
