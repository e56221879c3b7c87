//! What a model costs: what a person wrote, otherwise what the table of prices says.

use std::collections::BTreeMap;

use quorate_contract::Price;
use quorate_runners::{PriceEntry, ProviderConfig, fits, per_million, price_for, weight};
use serde::Deserialize;

/// Prices as people write them, per million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnPrice {
    /// For what is read.
    pub input: f64,
    /// For what is written, reasoning included.
    pub output: f64,
    /// For what comes from the provider's cache; otherwise as any other input.
    #[serde(default)]
    pub cached_input: Option<f64>,
    /// For what the provider puts into its cache; otherwise as any other input.
    #[serde(default)]
    pub cache_write: Option<f64>,
}

/// What a model costs, as far as that is known.
pub fn price(
    own: &BTreeMap<String, OwnPrice>,
    provider: Option<&ProviderConfig>,
    name: &str,
    model: &str,
) -> Option<Price> {
    match own_price(own, name, model) {
        Some((_, entry)) => Some(entry.price()),
        None => price_for(provider?, model).map(PriceEntry::price),
    }
}

/// The price that a person wrote for a model, and the name or pattern it stands under. The one that says
/// most of the name holds, and of those `provider/name` before the name alone.
pub fn own_price<'a>(
    own: &'a BTreeMap<String, OwnPrice>,
    provider: &str,
    model: &str,
) -> Option<(&'a str, OwnPrice)> {
    let whole = format!("{provider}/{model}");
    let fitting = own.iter().filter(|(pattern, _)| fits(pattern, &whole) || fits(pattern, model));
    fitting.max_by_key(|(pattern, _)| weight(pattern)).map(|(pattern, entry)| (pattern.as_str(), *entry))
}

impl OwnPrice {
    fn price(self) -> Price {
        per_million(self.input, self.output, self.cached_input, self.cache_write)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_says_most_of_the_name_holds_before_the_table() {
        let entry = |input| OwnPrice { input, output: 9.0, cached_input: None, cache_write: None };
        let own: BTreeMap<String, OwnPrice> = [("gpt-5*", 1.0), ("openai/gpt-5-mini", 2.0), ("talker", 3.0)]
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
