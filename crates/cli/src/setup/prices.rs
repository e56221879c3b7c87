//! What a model costs: what a person wrote, otherwise what the table of prices says.

use std::collections::BTreeMap;

use quorate_core::Price;
use quorate_runners::{ProviderConfig, fits, price_for, weight};

use super::file::PriceEntry;

/// What a model costs, as far as that is known.
pub(crate) fn price(
    own: &BTreeMap<String, PriceEntry>,
    provider: Option<&ProviderConfig>,
    name: &str,
    model: &str,
) -> Option<Price> {
    match own_price(own, name, model) {
        Some((_, entry)) => Some(entry.price()),
        None => price_for(provider?, model).map(quorate_runners::PriceEntry::price),
    }
}

/// The price that a person wrote for a model, and the name or pattern it stands under. The one that says
/// most of the name holds, and of those `provider/name` before the name alone.
pub(crate) fn own_price<'a>(
    own: &'a BTreeMap<String, PriceEntry>,
    provider: &str,
    model: &str,
) -> Option<(&'a str, PriceEntry)> {
    let whole = format!("{provider}/{model}");
    let fitting = own.iter().filter(|(pattern, _)| fits(pattern, &whole) || fits(pattern, model));
    fitting.max_by_key(|(pattern, _)| weight(pattern)).map(|(pattern, entry)| (pattern.as_str(), *entry))
}

impl PriceEntry {
    fn price(self) -> Price {
        let micros = |amount: f64| (amount * 1e6).round().clamp(0.0, 1e15) as u64;
        Price {
            input_micros: micros(self.input),
            output_micros: micros(self.output),
            cached_micros: self.cached_input.map(micros),
            cache_write_micros: self.cache_write.map(micros),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_says_most_of_the_name_holds_before_the_table() {
        let entry = |input| PriceEntry { input, output: 9.0, cached_input: None, cache_write: None };
        let own: BTreeMap<String, PriceEntry> =
            [("gpt-5*", 1.0), ("openai/gpt-5-mini", 2.0), ("talker", 3.0)]
                .into_iter()
                .map(|(name, input)| (name.to_owned(), entry(input)))
                .collect();
        let openai = ProviderConfig::new("openai", "https://api.openai.com/v1".parse().expect("a URL"));
        let input = |model| price(&own, Some(&openai), "openai", model).map(|price| price.input_micros);
        assert_eq!(input("gpt-5-mini"), Some(2_000_000));
        assert_eq!(input("gpt-5-nano"), Some(1_000_000));
        assert_eq!(input("talker"), Some(3_000_000));
        assert_eq!(input("gpt-4o"), Some(2_500_000), "the table's");
        assert_eq!(input("whisperer"), None);
        assert_eq!(price(&own, None, "lab", "gpt-4o"), None);
    }
}
