//! Prices of models: the person's own, otherwise those of the price table.

use std::collections::BTreeMap;

use quorate_contract::Price;
use quorate_runners::{
    PriceEntry, ProviderConfig, fits, per_million, per_thousand, price_for, prices, search_price_for,
    search_prices, weight,
};
use serde::{Deserialize, Serialize};

/// Prices as people write them, per million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnPrice {
    /// The price of input.
    pub input: f64,
    /// The price of output, including reasoning.
    pub output: f64,
    /// For what comes from the provider's cache; otherwise as any other input.
    #[serde(default)]
    pub cached_input: Option<f64>,
    /// For what the provider puts into its cache; otherwise as any other input.
    #[serde(default)]
    pub cache_write: Option<f64>,
    /// For a thousand web searches of the provider; otherwise as in the table.
    #[serde(default)]
    pub search: Option<f64>,
}

/// The price of a model, and of its web searches, as far as it is known.
pub fn price(
    own: &BTreeMap<String, OwnPrice>,
    provider: Option<&ProviderConfig>,
    name: &str,
    model: &str,
) -> Option<Price> {
    let price = match own_price(own, name, model) {
        Some((_, entry)) => entry.price(),
        None => price_for(provider?, model).map(PriceEntry::price)?,
    };
    let of_table = provider.and_then(|provider| search_price_for(provider, model));
    Some(Price { search_micros: price.search_micros.or(of_table), ..price })
}

/// The price that a person wrote for a model, with its name or pattern. The most specific one holds, and
/// `provider/name` before the name alone.
pub fn own_price<'a>(
    own: &'a BTreeMap<String, OwnPrice>,
    provider: &str,
    model: &str,
) -> Option<(&'a str, OwnPrice)> {
    let whole = format!("{provider}/{model}");
    let fitting = own.iter().filter(|(pattern, _)| fits(pattern, &whole) || fits(pattern, model));
    fitting.max_by_key(|(pattern, _)| weight(pattern)).map(|(pattern, entry)| (pattern.as_str(), *entry))
}

/// Model prices, in US dollars per million tokens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PriceList {
    /// The currency of all prices: `USD`.
    pub currency: String,
    /// The prices; those of this installation come first.
    pub items: Vec<ListedPrice>,
    /// The prices of the vendors' own web searches.
    pub web_searches: Vec<ListedSearchPrice>,
    /// Always `null`: the list has one page.
    pub next_cursor: Option<String>,
}

/// The price of one model, or of all models that match a pattern.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ListedPrice {
    /// The model, `openai/gpt-5-mini`; `*` stands for any text.
    pub model: String,
    /// The price of input.
    pub input: f64,
    /// The price of output, including reasoning.
    pub output: f64,
    /// The price of input that is read from the vendor's cache; the input price when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cached_input: Option<f64>,
    /// The price of input that the vendor writes to its cache; the input price when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_write: Option<f64>,
    /// The price of a thousand web searches of this installation; left out where that of the table holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search: Option<f64>,
    /// The longest prompt, in tokens, to which the price applies; longer prompts cost more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub up_to: Option<u64>,
    /// The day or month of the price.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of: Option<String>,
    /// The source, a URL; when left out, the configuration of this installation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The price of this installation that applies instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overridden_by: Option<String>,
    /// A remark on the price.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// The price of a vendor's own web search, beside the tokens of the pages that the model reads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ListedSearchPrice {
    /// The models, `gemini/gemini-2*`; `*` stands for any text.
    pub model: String,
    /// The price of a thousand searches.
    pub per_thousand: f64,
    /// The day or month of the price.
    pub as_of: String,
    /// The source, a URL.
    pub source: String,
    /// A remark on the price.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// The prices whose names contain a text, ignoring case: those of this installation, then those of the table.
pub fn price_list(own: &BTreeMap<String, OwnPrice>, filter: &str) -> PriceList {
    let filter = filter.to_lowercase();
    let wanted = |item: &ListedPrice| item.model.to_lowercase().contains(&filter);
    let of_own = own.iter().map(|(model, price)| ListedPrice {
        model: model.clone(),
        input: price.input,
        output: price.output,
        cached_input: price.cached_input,
        cache_write: price.cache_write,
        search: price.search,
        up_to: None,
        as_of: None,
        source: None,
        overridden_by: None,
        note: None,
    });
    let pairs = prices().iter().flat_map(|entry| entry.models.iter().map(move |model| (entry, model)));
    let of_table = pairs.map(|(entry, model)| ListedPrice {
        model: format!("{}/{model}", entry.vendor),
        input: entry.input,
        output: entry.output,
        cached_input: entry.cached_input,
        cache_write: entry.cache_write,
        search: None,
        up_to: entry.up_to,
        as_of: Some(entry.as_of.clone()),
        source: Some(entry.source.clone()),
        overridden_by: own_price(own, &entry.vendor, model).map(|(pattern, _)| pattern.to_owned()),
        note: entry.note.clone(),
    });
    let searches = search_prices().iter().flat_map(|entry| {
        entry.models.iter().map(move |model| ListedSearchPrice {
            model: format!("{}/{model}", entry.vendor),
            per_thousand: entry.per_thousand,
            as_of: entry.as_of.clone(),
            source: entry.source.clone(),
            note: entry.note.clone(),
        })
    });
    PriceList {
        currency: "USD".to_owned(),
        items: of_own.chain(of_table).filter(wanted).collect(),
        web_searches: searches.filter(|item| item.model.to_lowercase().contains(&filter)).collect(),
        next_cursor: None,
    }
}

impl OwnPrice {
    fn price(self) -> Price {
        let price = per_million(self.input, self.output, self.cached_input, self.cache_write);
        Price { search_micros: self.search.map(per_thousand), ..price }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_says_most_of_the_name_holds_before_the_table() {
        let entry =
            |input| OwnPrice { input, output: 9.0, cached_input: None, cache_write: None, search: None };
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

    #[test]
    fn a_list_says_which_of_two_prices_holds() {
        let mine = OwnPrice { input: 1.0, output: 9.0, cached_input: None, cache_write: None, search: None };
        let own = BTreeMap::from([("openai/gpt-5-mini".to_owned(), mine)]);
        let list = price_list(&own, "GPT-5-MINI");
        assert_eq!((list.items[0].input, &list.items[0].source), (1.0, &None));
        let of_table = list.items.iter().find(|item| item.source.is_some()).expect("the table has it, too");
        assert_eq!(of_table.overridden_by.as_deref(), Some("openai/gpt-5-mini"));
        assert!(price_list(&own, "no such model").items.is_empty());
    }
}
