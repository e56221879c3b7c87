//! Vendors of models: the table `vendors.toml`, which ships with the program, and over which a user may lay a
//! file of the same format.

use std::sync::OnceLock;

use serde::Deserialize;
use toml::{Table, Value};
use url::Url;

use crate::provider::{ProviderConfig, Structured};
use crate::wire_format::WireFormat;

/// The table that ships with the program.
const SHIPPED: &str = include_str!("vendors.toml");

static VENDORS: OnceLock<Vec<Vendor>> = OnceLock::new();

/// A vendor's API.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vendor {
    /// By which it is chosen, and what its provider is called when nothing else is said.
    pub name: String,
    /// The name for people.
    pub title: String,
    /// The format in which it speaks.
    pub wire: WireFormat,
    /// The base URL of its API.
    pub base_url: Url,
    /// The environment variables that its own tools read the key from, the usual one first; none for
    /// a server that wants no key.
    #[serde(default)]
    pub key_env: Vec<String>,
    /// The environment variables that its own tools read the address from.
    #[serde(default)]
    pub base_url_env: Vec<String>,
    /// How answers are constrained to a schema.
    #[serde(default)]
    pub structured: Structured,
    /// How its models are told to think.
    #[serde(default)]
    pub thinking: Option<Thinking>,
    /// Whether its models see images; not given: it is not known, and a refusal tells.
    #[serde(default)]
    pub images: Option<bool>,
    /// Whether it searches the web by the means of its format: Anthropic's, OpenAI's responses or Google's.
    #[serde(default)]
    pub web_search: bool,
    /// The engine of its web search, where that is a tool beside functions, as with GLM.
    #[serde(default)]
    pub search_engine: Option<String>,
    /// Prefixes of the default models, the best first: small ones that most accounts have.
    #[serde(default)]
    pub preferred: Vec<String>,
    /// Its strong models, the best first: for the facilitator when no model was named.
    #[serde(default)]
    pub strong: Vec<String>,
    /// Whether it can be used without a key.
    #[serde(default)]
    pub keyless: bool,
    /// Whether it is a self-hosted server: on this machine it costs nothing.
    #[serde(default)]
    pub local: bool,
    /// The shortest prefix, in tokens, that it takes from its cache; not given: it is not known to have one.
    #[serde(default)]
    pub cached_from: Option<u64>,
    /// The token rates of its models.
    #[serde(default)]
    pub tokens: TokenRates,
    /// Properties of single models; the longest matching pattern applies.
    #[serde(default)]
    pub models: Vec<ModelNote>,
}

/// Properties of the models whose names match a pattern. A field that is not given is unknown.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelNote {
    /// The name, in which `*` stands for anything; case does not matter.
    pub name: String,
    /// The most tokens of a prompt and its answer together.
    #[serde(default)]
    pub context: Option<u32>,
    /// The most tokens of one answer.
    #[serde(default)]
    pub max_output: Option<u32>,
    /// How answers are constrained to a schema, when it differs from the vendor's.
    #[serde(default)]
    pub structured: Option<Structured>,
    /// Whether it wants `max_completion_tokens` instead of `max_tokens`.
    #[serde(default)]
    pub max_completion_tokens: bool,
    /// Whether it accepts no temperature.
    #[serde(default)]
    pub no_temperature: bool,
    /// Whether it accepts no `top_p`.
    #[serde(default)]
    pub no_top_p: bool,
    /// Whether it accepts no system message.
    #[serde(default)]
    pub no_system_role: bool,
    /// The answer cannot be taken by a tool that must be used.
    #[serde(default)]
    pub no_forced_tool: bool,
    /// Whether it sees images, when it differs from the vendor's.
    #[serde(default)]
    pub images: Option<bool>,
    /// Whether images are sent to it in a small size only, because it reads large ones as very many tokens.
    #[serde(default)]
    pub small_images: bool,
    /// Whether it searches the web before each answer.
    #[serde(default)]
    pub always_searches: bool,
    /// Whether all web searches of an answer are charged as one.
    #[serde(default)]
    pub charges_one_search: bool,
    /// How it is told to think, when it differs from the vendor's.
    #[serde(default)]
    pub thinking: Option<Thinking>,
    /// How it is told not to think; when not given, it does not think unless it is told to.
    #[serde(default)]
    pub thinking_off: Option<ThinkingOff>,
    /// The least effort that it knows; not given: `none`.
    #[serde(default)]
    pub least_effort: Option<LeastEffort>,
    /// The number of tokens that it usually needs to think, on top of its answer, when no effort is set.
    #[serde(default)]
    pub thinking_tokens: Option<u32>,
    /// The token rates, when they differ from the vendor's.
    #[serde(default)]
    pub tokens: Option<TokenRates>,
}

/// How a model is told to think.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Thinking {
    /// As much as it sees fit, guided by an effort.
    Adaptive,
    /// By a switch: on or off.
    Switch,
    /// By a switch, and an effort beside it.
    SwitchAndEffort,
}

/// How a model that thinks by default is told not to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThinkingOff {
    /// Thinking can be turned off.
    Disabled,
    /// Thinking can be turned off except for short notes between tool calls.
    BetweenTools,
    /// Thinking cannot be turned off: the least effort is the minimum.
    LeastEffort,
}

/// The least effort that a model knows, where it cannot do without any.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeastEffort {
    /// The effort is minimal.
    Minimal,
    /// The effort is low.
    Low,
}

/// The token rates of a text, by the kind of its characters.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TokenRates {
    /// For each Chinese, Japanese or Korean character, and each other wide sign.
    pub wide: f64,
    /// For each letter or space of other scripts.
    pub letters: f64,
    /// For each digit, punctuation mark, line break or symbol.
    pub marks: f64,
    /// By which share of the true count an estimate may be wrong, for 19 texts of 20.
    pub error: f64,
    /// The tokenizer and its version; empty when none was at hand.
    #[serde(default)]
    pub measured_with: String,
}

impl Default for TokenRates {
    /// In the midst of all tokenizers that were measured; the error reaches from one end to the other.
    fn default() -> Self {
        Self { wide: 0.85, letters: 0.21, marks: 0.52, error: 0.25, measured_with: String::new() }
    }
}

/// The reason why a user's table of vendors is invalid.
#[derive(Debug, thiserror::Error)]
pub enum VendorsError {
    /// The syntax is invalid.
    #[error("{0}")]
    Unreadable(#[from] toml::de::Error),
    /// An entry has no name.
    #[error("vendor {0} has no name")]
    NoName(usize),
    /// The table was already in use.
    #[error("the table of vendors is already in use")]
    TooLate,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Vendors {
    #[serde(default)]
    vendor: Vec<Vendor>,
}

/// All vendors that are known.
pub fn vendors() -> &'static [Vendor] {
    VENDORS.get_or_init(|| {
        let table: Vendors = toml::from_str(SHIPPED).expect("a test reads this table");
        table.vendor
    })
}

/// Lays a user's table over the one that ships, before it is first read. An entry of a known name changes the
/// fields that it gives, its `models` come before the known ones; any other entry is a new vendor.
///
/// # Errors
/// When it cannot be parsed, an entry has no name, or the table was read before.
pub fn lay_over_vendors(text: &str) -> Result<(), VendorsError> {
    VENDORS.set(laid_over(text)?).map_err(|_| VendorsError::TooLate)
}

fn laid_over(text: &str) -> Result<Vec<Vendor>, VendorsError> {
    let mut all: Table = toml::from_str(SHIPPED)?;
    let over: Table = toml::from_str(text)?;
    // A word that is misspelt is refused at its place.
    if let Some((key, _)) = over.iter().find(|(key, _)| *key != "vendor") {
        let unknown = serde::de::Error::custom(format!("unknown field `{key}`, expected `vendor`"));
        return Err(VendorsError::Unreadable(unknown));
    }
    let entries = over.get("vendor").and_then(Value::as_array).cloned().unwrap_or_default();
    let Some(Value::Array(known)) = all.get_mut("vendor") else { return Ok(Vec::new()) };
    for (place, entry) in entries.into_iter().enumerate() {
        let name = entry.get("name").and_then(Value::as_str).ok_or(VendorsError::NoName(place + 1))?;
        match known.iter_mut().find(|vendor| vendor.get("name").and_then(Value::as_str) == Some(name)) {
            Some(vendor) => change(vendor, entry),
            None => known.push(entry),
        }
    }
    let table: Vendors = all.try_into()?;
    Ok(table.vendor)
}

fn change(vendor: &mut Value, entry: Value) {
    let (Some(vendor), Value::Table(entry)) = (vendor.as_table_mut(), entry) else { return };
    for (key, value) in entry {
        match (vendor.get_mut(&key), value) {
            // Of two patterns of the same length the first one holds.
            (Some(Value::Array(notes)), Value::Array(own)) if key == "models" => {
                let shipped = std::mem::replace(notes, own);
                notes.extend(shipped);
            }
            (_, value) => _ = vendor.insert(key, value),
        }
    }
}

/// The vendor of this name.
pub fn vendor(name: &str) -> Option<&'static Vendor> {
    vendors().iter().find(|vendor| vendor.name == name)
}

/// The vendor of a provider: the one that it names, the one of its own name, or the one with its address.
pub fn vendor_of(config: &ProviderConfig) -> Option<&'static Vendor> {
    let named = config.vendor.as_deref().unwrap_or(&config.name);
    vendor(named).or_else(|| vendors().iter().find(|vendor| !vendor.local && is_at(config, vendor)))
}

/// Whether a provider's requests go to the vendor itself, and not through a gateway: only then its prices
/// hold. A self-hosted server counts only on this machine.
pub fn is_at_vendor(config: &ProviderConfig, vendor: &Vendor) -> bool {
    match vendor.local {
        true => config.is_loopback(),
        false => is_at(config, vendor),
    }
}

fn is_at(config: &ProviderConfig, vendor: &Vendor) -> bool {
    config.base_url.host() == vendor.base_url.host()
}

/// The known properties of a vendor's model.
pub fn model_note(vendor: &str, model: &str) -> Option<&'static ModelNote> {
    self::vendor(vendor)?.note(model)
}

impl Vendor {
    /// The known properties of one of its models.
    pub fn note(&self, model: &str) -> Option<&ModelNote> {
        longest(self.models.iter(), model, |note| &note.name)
    }

    /// How one of its models is told to think.
    pub fn thinking(&self, model: &str) -> Option<Thinking> {
        self.note(model).and_then(|note| note.thinking).or(self.thinking)
    }

    /// Whether one of its models sees images; `None`: it is not known.
    pub fn sees_images(&self, model: &str) -> Option<bool> {
        self.note(model).and_then(|note| note.images).or(self.images)
    }

    /// The token rates of one of its models.
    pub fn token_rates(&self, model: &str) -> &TokenRates {
        self.note(model).and_then(|note| note.tokens.as_ref()).unwrap_or(&self.tokens)
    }
}

/// Of all entries whose pattern matches, the one with the longest; the first of equals.
pub(crate) fn longest<'a, T>(
    all: impl Iterator<Item = &'a T>,
    name: &str,
    pattern: impl Fn(&T) -> &str,
) -> Option<&'a T> {
    let mut best: Option<&T> = None;
    for one in all.filter(|one| fits(pattern(one), name)) {
        if best.is_none_or(|best| weight(pattern(one)) > weight(pattern(best))) {
            best = Some(one);
        }
    }
    best
}

/// The number of characters of a name that a pattern fixes.
pub fn weight(pattern: &str) -> usize {
    pattern.chars().filter(|&c| c != '*').count()
}

/// Whether a name matches a pattern, in which `*` stands for any characters, or none.
pub fn fits(pattern: &str, name: &str) -> bool {
    let (pattern, name) = (pattern.to_lowercase(), name.to_lowercase());
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_read_and_each_name_is_one_of_its_own() {
        let mut names: Vec<&str> = vendors().iter().map(|vendor| vendor.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), vendors().len());
        assert!(vendors().iter().all(|vendor| vendor.base_url.host().is_some()));
        assert!(vendors().iter().all(|vendor| vendor.keyless == vendor.key_env.is_empty()));
        assert!(vendors().iter().all(|vendor| vendor.local <= vendor.keyless));
        let known =
            ["openai", "anthropic", "gemini", "deepseek", "glm", "zai", "moonshot", "qwen", "mistral"];
        for name in known {
            assert!(vendor(name).is_some_and(|vendor| !vendor.preferred.is_empty()), "{name}");
        }
    }

    #[test]
    fn a_pattern_fits_from_end_to_end() {
        assert!(fits("gpt-5*", "gpt-5") && fits("GPT-5*", "gpt-5.4-mini") && fits("*", ""));
        assert!(!fits("gpt-5", "gpt-5.4") && !fits("gpt-5*", "my-gpt-5") && !fits("o3*", "o1"));
        assert!(fits("*/kimi*-k2", "moonshotai/kimi-k2") && !fits("*/kimi*-k2", "kimi-k2"));
        assert!(!fits("ab*b", "ab"), "no character counts twice");
    }

    #[test]
    fn the_longest_pattern_says_how_a_model_wants_to_be_asked() {
        let note = |model| model_note("openai", model);
        assert!(note("gpt-5-mini").is_some_and(|note| note.max_completion_tokens && note.no_temperature));
        assert!(note("gpt-5.2").is_some_and(|note| note.max_completion_tokens && !note.no_temperature));
        assert_eq!(note("o3-mini").and_then(|note| note.context), Some(200_000));
        assert!(note("gpt-4o").is_some_and(|note| !note.max_completion_tokens));
        assert!(note("talker").is_none() && model_note("nobody", "gpt-5").is_none());
        assert!(note("gpt-6-luna").is_some_and(|note| note.no_temperature && note.least_effort.is_none()));
        for least in ["gpt-6.2-sol", "gpt-6-astra", "gpt-5.2-pro"] {
            assert_eq!(note(least).and_then(|note| note.least_effort), Some(LeastEffort::Low), "{least}");
        }
        let claude = vendor("anthropic").expect("it is known");
        assert!(claude.note("claude-opus-5-5").is_some_and(|note| note.no_forced_tool));
        assert!(claude.note("claude-opus-5").is_some_and(|note| !note.no_forced_tool));
        assert_eq!(claude.thinking("claude-sonnet-4-6"), Some(Thinking::Adaptive));
        assert_eq!(claude.thinking("claude-sonnet-4-5"), None);
        let zai = vendor("zai").expect("it is known");
        assert_eq!(zai.thinking("glm-4.7"), Some(Thinking::Switch));
        assert_eq!(zai.thinking("glm-5.3-flash"), Some(Thinking::SwitchAndEffort));
        assert!(claude.token_rates("claude-opus-4-8").wide > claude.token_rates("claude-opus-4-5").wide);
    }

    #[test]
    fn rates_are_within_reason_and_their_error_is_stated() {
        let notes =
            vendors().iter().flat_map(|vendor| &vendor.models).filter_map(|note| note.tokens.as_ref());
        for rates in vendors().iter().map(|vendor| &vendor.tokens).chain(notes) {
            assert!((0.3..1.5).contains(&rates.wide) && (0.1..0.4).contains(&rates.letters), "{rates:?}");
            assert!((0.2..1.0).contains(&rates.marks) && (0.01..0.5).contains(&rates.error), "{rates:?}");
            assert!(!rates.measured_with.is_empty() || *rates == TokenRates::default());
        }
    }

    #[test]
    fn a_users_table_changes_what_it_names_and_nothing_else() {
        let own = r#"
            [[vendor]]
            name = "openai"
            key_env = ["MY_KEY"]
            models = [{ name = "gpt-5*", context = 9 }]
            [[vendor]]
            name = "lab"
            title = "Lab"
            wire = "openai"
            base_url = "https://lab.example/v1"
            key_env = ["LAB_KEY"]"#;
        let table = laid_over(own).expect("it is read");
        let of = |name: &str| table.iter().find(|vendor| vendor.name == name).expect("it is there");
        assert_eq!(of("openai").key_env, ["MY_KEY"]);
        assert_eq!(of("openai").base_url, vendor("openai").expect("known").base_url);
        assert_eq!(of("openai").note("gpt-5.9").and_then(|note| note.context), Some(9));
        assert!(of("openai").note("gpt-4o").is_some());
        assert_eq!(of("lab").title, "Lab");
        for wrong in
            ["[[vendor]]\ntitle = 'x'", "[[vendor]]\nname = 'x'", "[[vendors]]\nname = 'x'", "vendor = 1 2"]
        {
            laid_over(wrong).expect_err(wrong);
        }
    }

    #[test]
    fn a_provider_is_known_by_what_it_says_by_its_name_or_by_its_address() {
        let provider = |name: &str, url: &str| ProviderConfig::new(name, url.parse().expect("a URL"));
        let name = |config: &ProviderConfig| vendor_of(config).map(|vendor| vendor.name.clone());
        let work = provider("work", "https://api.deepseek.com/v1");
        assert_eq!(name(&work).as_deref(), Some("deepseek"));
        let mut proxy = provider("openai", "https://proxy.example/v1");
        assert_eq!(name(&proxy).as_deref(), Some("openai"));
        assert!(!is_at_vendor(&proxy, vendor("openai").expect("known")));
        proxy.vendor = Some("deepseek".to_owned());
        assert_eq!(name(&proxy).as_deref(), Some("deepseek"));
        assert_eq!(name(&provider("lab", "http://localhost:8000/v1")), None);
        let ollama = vendor("ollama").expect("known");
        assert!(is_at_vendor(&provider("ollama", "http://127.0.0.1:11434/v1"), ollama));
        assert!(!is_at_vendor(&provider("ollama", "http://10.0.0.7:11434/v1"), ollama));
    }
}
