//! Prices of models: the table `prices.toml`, which ships with the program. Each price has a date and a
//! source. A price that could not be found is not in it, because an unknown price is not zero.

use std::sync::LazyLock;

use quorate_contract::Price;
use serde::{Deserialize, Serialize};

use crate::model::has_web_search;
use crate::provider::ProviderConfig;
use crate::vendor::{fits, is_at_vendor, vendor_of, weight};

/// The price of some models of one vendor, in US dollars for each million tokens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PriceEntry {
    /// The vendor's name, as in the table of vendors.
    pub vendor: String,
    /// Names of models, in which `*` stands for any text. A name also matches with a date, or `latest`,
    /// behind it: `gpt-5-mini-2025-08-07`.
    pub models: Vec<String>,
    /// For what is read.
    pub input: f64,
    /// For what is written, reasoning included.
    pub output: f64,
    /// For what is read from the vendor's cache; not given: as any other input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_input: Option<f64>,
    /// For what the vendor puts into its cache; not given: as any other input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_write: Option<f64>,
    /// The longest prompt, in tokens, for which it holds; a longer one costs more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub up_to: Option<u64>,
    /// The day, or the month, on which the source said so.
    pub as_of: String,
    /// The page that says so.
    pub source: String,
    /// A remark on the price.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl PriceEntry {
    /// The price as meetings reckon with it.
    pub fn price(&self) -> Price {
        per_million(self.input, self.output, self.cached_input, self.cache_write)
    }
}

/// A price as meetings reckon with it, from amounts for each million tokens.
pub fn per_million(input: f64, output: f64, cached_input: Option<f64>, cache_write: Option<f64>) -> Price {
    let micros = |amount: f64| (amount * 1e6).round().clamp(0.0, 1e15) as u64;
    Price {
        input_micros: micros(input),
        output_micros: micros(output),
        cached_micros: cached_input.map(micros),
        cache_write_micros: cache_write.map(micros),
        search_micros: None,
    }
}

/// The price of one web search in millionths, from an amount for a thousand.
pub fn per_thousand(amount: f64) -> u64 {
    (amount * 1e3).round().clamp(0.0, 1e12) as u64
}

/// The price of a vendor's own web search, in US dollars for each thousand searches.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchPriceEntry {
    /// The vendor's name, as in the table of vendors.
    pub vendor: String,
    /// The names of models, in which `*` stands for any text.
    pub models: Vec<String>,
    /// For a thousand searches.
    pub per_thousand: f64,
    /// The day, or the month, on which the source said so.
    pub as_of: String,
    /// The page that says so.
    pub source: String,
    /// A remark on the price.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    price: Vec<PriceEntry>,
    search: Vec<SearchPriceEntry>,
}

static TABLE: LazyLock<Table> =
    LazyLock::new(|| toml::from_str(include_str!("prices.toml")).expect("a test reads this table"));

/// All prices that are known.
pub fn prices() -> &'static [PriceEntry] {
    &TABLE.price
}

/// All prices of web searches that are known.
pub fn search_prices() -> &'static [SearchPriceEntry] {
    &TABLE.search
}

/// The price of one web search through this provider, in millionths of a dollar; `None` when it is not known, or the model
/// has no web search.
pub fn search_price_for(config: &ProviderConfig, model: &str) -> Option<u64> {
    let vendor = vendor_of(config).filter(|vendor| is_at_vendor(config, vendor))?;
    if !has_web_search(config, model) {
        return None;
    }
    let of_vendor = search_prices().iter().filter(|entry| entry.vendor == vendor.name);
    let fitting = of_vendor.filter_map(|entry| {
        let patterns = entry.models.iter().filter(|pattern| fits(pattern, model));
        Some((patterns.map(|pattern| weight(pattern)).max()?, entry))
    });
    fitting.max_by_key(|(weight, _)| *weight).map(|(_, entry)| per_thousand(entry.per_thousand))
}

/// The price of a vendor's model at the vendor itself. Of several matching entries, the most specific one
/// holds.
pub fn price_of(vendor: &str, model: &str) -> Option<&'static PriceEntry> {
    let of_vendor = prices().iter().filter(|entry| entry.vendor == vendor);
    let fitting = of_vendor.filter_map(|entry| {
        let patterns =
            entry.models.iter().filter(|pattern| fits(pattern, undated(model)) || fits(pattern, model));
        Some((patterns.map(|pattern| weight(pattern)).max()?, entry))
    });
    fitting.max_by_key(|(weight, _)| *weight).map(|(_, entry)| entry)
}

/// The price of a model through this provider; `None` when requests do not go to the vendor itself.
pub fn price_for(config: &ProviderConfig, model: &str) -> Option<&'static PriceEntry> {
    let vendor = vendor_of(config).filter(|vendor| is_at_vendor(config, vendor))?;
    price_of(&vendor.name, model)
}

/// A model's name without the date that some of its versions carry, or `latest`.
fn undated(model: &str) -> &str {
    let is_date = |end: &str| {
        let digits = end.chars().filter(char::is_ascii_digit).count();
        digits == 8 && end.chars().all(|c| c.is_ascii_digit() || c == '-')
    };
    let model = model.strip_prefix("models/").unwrap_or(model);
    let ends = [9, 11].into_iter().filter_map(|length| model.len().checked_sub(length));
    let dated = ends.filter(|&at| model.is_char_boundary(at)).find(|&at| {
        let end = &model[at..];
        end.starts_with('-') && is_date(&end[1..]) && !end[1..].starts_with('-')
    });
    match dated {
        Some(at) => &model[..at],
        None => model.strip_suffix("-latest").unwrap_or(model),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vendor::{vendor, vendors};

    #[test]
    fn every_price_has_a_day_a_source_and_a_vendor_that_is_known() {
        for entry in prices() {
            let known = vendor(&entry.vendor).unwrap_or_else(|| panic!("{entry:?}"));
            assert!(entry.source.starts_with("https://") || known.local, "{entry:?}");
            assert!(entry.as_of.len() >= 7 && entry.as_of.starts_with("20"), "{entry:?}");
            assert!(!entry.models.is_empty(), "{entry:?}");
            assert_eq!(entry.input == 0.0, known.local, "only one's own machine is free: {entry:?}");
            assert!(entry.output >= entry.input, "{entry:?}");
            assert!(entry.cached_input.is_none_or(|cached| cached < entry.input), "{entry:?}");
            assert!(entry.cache_write.is_none_or(|write| write >= entry.input), "{entry:?}");
        }
        for vendor in vendors().iter().filter(|vendor| vendor.local) {
            assert!(price_of(&vendor.name, "anything").is_some_and(|entry| entry.input == 0.0));
        }
    }

    #[test]
    fn a_search_has_a_price_with_a_day_and_a_source() {
        for entry in search_prices() {
            assert!(vendor(&entry.vendor).is_some(), "{entry:?}");
            assert!(entry.source.starts_with("https://") && entry.as_of.starts_with("20"), "{entry:?}");
            assert!(entry.per_thousand > 0.0, "{entry:?}");
        }
        let cost = |name: &str, wire, url: &str, model: &str| {
            let mut config = ProviderConfig::new(name, url.parse().expect("a URL"));
            config.wire = wire;
            search_price_for(&config, model)
        };
        use crate::wire_format::WireFormat::{Anthropic, Gemini, Openai, Responses};
        let anthropic = "https://api.anthropic.com/v1";
        assert_eq!(cost("anthropic", Anthropic, anthropic, "claude-sonnet-5-5"), Some(10_000));
        assert_eq!(cost("anthropic", Anthropic, "https://proxy.example/v1", "claude-sonnet-5-5"), None);
        let google = "https://generativelanguage.googleapis.com";
        assert_eq!(cost("gemini", Gemini, google, "gemini-3.8-flash"), Some(14_000));
        assert_eq!(cost("gemini", Gemini, google, "gemini-2.5-pro"), Some(35_000));
        let openai = "https://api.openai.com/v1";
        assert_eq!(cost("openai", Responses, openai, "gpt-6-luna"), Some(10_000));
        assert_eq!(cost("openai", Openai, openai, "gpt-6-luna"), None, "this format has no search");
        assert_eq!(cost("openai", Openai, openai, "gpt-4o-search-preview"), Some(25_000));
    }

    #[test]
    fn no_model_is_named_twice() {
        let mut names: Vec<_> = prices()
            .iter()
            .flat_map(|entry| entry.models.iter().map(|model| (&entry.vendor, model)))
            .collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }

    #[test]
    fn a_price_holds_for_a_models_dated_versions_and_for_no_other_model() {
        let input = |vendor: &str, model: &str| price_of(vendor, model).map(|entry| entry.input);
        assert_eq!(input("openai", "gpt-5-mini"), Some(0.25));
        assert_eq!(input("openai", "gpt-5-mini-2025-08-07"), Some(0.25));
        assert_eq!(input("anthropic", "claude-opus-4-5-20251101"), Some(5.0));
        assert_eq!(input("gemini", "models/gemini-2.5-pro"), Some(1.25));
        for unknown in ["gpt-5-micro", "gpt-5-mini-tuned", "gpt-55", "my-gpt-5", "gpt-5-12", ""] {
            assert_eq!(input("openai", unknown), None, "{unknown}");
        }
        assert_eq!(input("glm", "glm-4.6"), None, "its list is in yuan");
        assert_eq!(input("zai", "glm-4.6"), Some(0.6));
    }

    #[test]
    fn a_price_holds_only_where_the_vendor_itself_is_asked() {
        let provider = |name: &str, url: &str| ProviderConfig::new(name, url.parse().expect("a URL"));
        let cost =
            |name: &str, url: &str, model: &str| price_for(&provider(name, url), model).map(|e| e.output);
        assert_eq!(cost("openai", "https://api.openai.com/v1", "gpt-5"), Some(10.0));
        assert_eq!(cost("work", "https://api.openai.com/v1", "gpt-5"), Some(10.0));
        assert_eq!(cost("openai", "https://proxy.example/v1", "gpt-5"), None);
        assert_eq!(cost("ollama", "http://localhost:11434/v1", "qwen3:4b"), Some(0.0));
        assert_eq!(cost("ollama", "http://10.0.0.7:11434/v1", "qwen3:4b"), None);
    }
}
