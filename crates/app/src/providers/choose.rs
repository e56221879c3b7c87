//! Choice of models for a meeting that names none, with reasons.
//!
//! Participants that think alike find less. So the seats go round all providers, and round the families of
//! models where one provider offers several vendors. The facilitator gets a strong model.

use quorate_contract::Language;
use quorate_messages::text;
use quorate_runners::{ProviderConfig, vendor, vendor_of};
use serde::Serialize;

/// The largest number of families of one provider.
const MOST_FAMILIES: usize = 4;

/// By which word in its name the family of a model is known.
const FAMILIES: [(&str, &str); 16] = [
    ("claude", "anthropic"),
    ("gemini", "google"),
    ("gemma", "google"),
    ("gpt", "openai"),
    ("deepseek", "deepseek"),
    ("glm", "glm"),
    ("chatglm", "glm"),
    ("qwen", "qwen"),
    ("kimi", "moonshot"),
    ("grok", "xai"),
    ("mixtral", "mistral"),
    ("mistral", "mistral"),
    ("llama", "meta"),
    ("phi-", "microsoft"),
    ("command", "cohere"),
    ("ernie", "baidu"),
];

/// The reason for choosing a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ModelChoiceReason {
    /// A variable such as `OPENAI_MODEL` names it.
    Variable,
    /// The usual model of its vendor: small, and open to most accounts.
    Usual,
    /// The first chat model that its provider lists.
    First,
    /// A model of another vendor's family than the provider's other models.
    Family,
    /// One of its vendor's strong models.
    Strong,
    /// The largest model that its provider lists.
    Largest,
}

impl ModelChoiceReason {
    /// The reason, as the end of a line.
    pub fn words(self, language: Language) -> &'static str {
        match self {
            Self::Variable => text!(language, "app-choose-named-by-variable"),
            Self::Usual => text!(language, "app-choose-its-vendors-usual-small-model"),
            Self::First => text!(language, "app-choose-first-listed-model-can-talk"),
            Self::Family => {
                text!(language, "app-choose-another-family-another-view")
            }
            Self::Strong => {
                text!(language, "app-choose-strong-model-summaries-conclusion")
            }
            Self::Largest => text!(language, "app-choose-largest-listed-model-summaries-conclusion"),
        }
    }
}

/// A model that was chosen automatically.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChosenModel {
    /// The provider's name.
    pub provider: String,
    /// The name of the model at the provider.
    pub model: String,
    /// The reason.
    pub because: ModelChoiceReason,
}

impl ChosenModel {
    pub(crate) fn of(provider: &str, model: &str, because: ModelChoiceReason) -> Self {
        Self { provider: provider.to_owned(), model: model.to_owned(), because }
    }

    pub(crate) fn named(&self) -> (String, String) {
        (self.provider.clone(), self.model.clone())
    }
}

/// The models that were chosen because the request names none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ModelChoice {
    /// The models for the participants, assigned in turn.
    pub in_turn: Vec<ChosenModel>,
    /// The model for the facilitator and for a moderating participant; absent when it is the first of
    /// `in_turn`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lead: Option<ChosenModel>,
    /// The providers that were not used because they did not list their models.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
}

/// The models of a provider: those for seats, and all chat models.
#[derive(Debug, Default)]
pub(crate) struct Offer {
    pub(crate) usual: Vec<(String, ModelChoiceReason)>,
    pub(crate) all: Vec<String>,
}

/// The offer of a provider, from its list of models and its usual one.
pub(crate) fn offer(config: &ProviderConfig, usual: String, all: Vec<String>) -> Offer {
    let of = vendor_of(config);
    let is_known = of.is_some_and(|vendor| vendor.preferred.iter().any(|name| usual.starts_with(name)));
    let why = if is_known { ModelChoiceReason::Usual } else { ModelChoiceReason::First };
    let mut families = vec![family(&usual)];
    let mut chosen = vec![(usual, why)];
    // A self-hosted server would load one model after the other for each turn.
    if of.is_none_or(|vendor| !vendor.local) {
        for model in &all {
            let found = family(model);
            if found.is_some() && !families.contains(&found) && chosen.len() < MOST_FAMILIES {
                families.push(found);
                chosen.push((usual_of(found, &all).unwrap_or(model).to_owned(), ModelChoiceReason::Family));
            }
        }
    }
    Offer { usual: chosen, all }
}

/// The model of a family that its vendor's table prefers.
fn usual_of<'a>(of: Option<&str>, all: &'a [String]) -> Option<&'a str> {
    let preferred = &vendor(if of? == "google" { "gemini" } else { of? })?.preferred;
    let fits = |name: &String| {
        all.iter().find(|model| bare(model) == name || bare(model).starts_with(&format!("{name}-20")))
    };
    preferred.iter().find_map(fits).map(String::as_str)
}

/// The strong model for the facilitator: a vendor's, or the largest on a server other than this machine.
pub(crate) fn lead(offers: &[(&ProviderConfig, Offer)]) -> Option<ChosenModel> {
    let strong = |(config, offer): &(&ProviderConfig, Offer)| {
        let names = vendor_of(config).map_or(&[][..], |vendor| vendor.strong.as_slice());
        let dated = |model: &&String, name: &String| model.starts_with(&format!("{name}-20"));
        let fits = |name: &String| offer.all.iter().find(|model| *model == name || dated(model, name));
        names
            .iter()
            .find_map(fits)
            .map(|model| ChosenModel::of(&config.name, model, ModelChoiceReason::Strong))
    };
    let sized = |(config, offer): &(&ProviderConfig, Offer)| {
        let own = vendor_of(config).is_some_and(|vendor| vendor.local);
        let models = if own { &[][..] } else { offer.all.as_slice() };
        models
            .iter()
            .filter_map(|model| {
                Some((billions(model)?, ChosenModel::of(&config.name, model, ModelChoiceReason::Largest)))
            })
            .collect::<Vec<_>>()
    };
    let largest = || {
        let all: Vec<_> = offers.iter().flat_map(sized).collect();
        let several = all.iter().any(|(size, _)| (*size - all[0].0).abs() > f64::EPSILON);
        all.into_iter()
            .filter(|_| several)
            .max_by(|one, other| one.0.total_cmp(&other.0))
            .map(|(_, chosen)| chosen)
    };
    offers.iter().find_map(strong).or_else(largest)
}

/// A model's name without its vendor's before it.
fn bare(model: &str) -> &str {
    model.rsplit('/').next().unwrap_or(model)
}

fn family(model: &str) -> Option<&'static str> {
    let name = bare(model).to_ascii_lowercase();
    FAMILIES.iter().find(|(word, _)| name.contains(word)).map(|(_, family)| *family)
}

/// The number of parameters of a model in billions, by its name: `qwen3-30b-a3b` has 30.
fn billions(model: &str) -> Option<f64> {
    let name = bare(model).to_ascii_lowercase();
    let parts = name.split(|sign: char| !sign.is_ascii_alphanumeric() && sign != '.');
    parts.filter_map(|part| part.strip_suffix('b')?.parse().ok()).find(|size: &f64| *size > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn provider(name: &str, url: &str) -> ProviderConfig {
        ProviderConfig::new(name, url.parse().expect("a URL"))
    }

    fn models(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn a_gateway_gives_one_model_of_each_family() {
        let gateway = provider("gateway", "http://gateway.example:4000/v1");
        let all = models(&[
            "anthropic/claude-haiku-4-5",
            "anthropic/claude-opus-5-5",
            "gpt-5-mini",
            "other",
            "qwen3-8b",
        ]);
        let Offer { usual, .. } = offer(&gateway, all[0].clone(), all);
        let names: Vec<_> = usual.iter().map(|(model, why)| (model.as_str(), *why)).collect();
        assert_eq!(
            names,
            [
                ("anthropic/claude-haiku-4-5", ModelChoiceReason::First),
                ("gpt-5-mini", ModelChoiceReason::Family),
                ("qwen3-8b", ModelChoiceReason::Family),
            ]
        );
        let ollama = provider("ollama", "http://127.0.0.1:11434");
        let all = models(&["llama3:8b", "qwen3:8b"]);
        assert_eq!(
            offer(&ollama, all[0].clone(), all).usual.len(),
            1,
            "one's own machine holds one at a time"
        );
    }

    #[test]
    fn whoever_sums_up_has_a_strong_model_or_the_largest() {
        let (openai, lab) =
            (provider("openai", "https://api.openai.com/v1"), provider("lab", "http://lab.example/v1"));
        let of = |config, names: &[&str]| (config, Offer { usual: Vec::new(), all: models(names) });
        let lead =
            |offers: &[(&ProviderConfig, Offer)]| lead(offers).map(|chosen| (chosen.model, chosen.because));
        assert_eq!(
            lead(&[of(&lab, &["llama-70b"]), of(&openai, &["gpt-5", "gpt-5-mini", "gpt-4.1"])]),
            Some(("gpt-5".to_owned(), ModelChoiceReason::Strong))
        );
        assert_eq!(
            lead(&[of(&lab, &["qwen3-30b-a3b", "qwen3-8b", "llama-3.1-70b"])]),
            Some(("llama-3.1-70b".to_owned(), ModelChoiceReason::Largest))
        );
        assert_eq!(lead(&[of(&lab, &["talker", "thinker"])]), None);
        assert_eq!(lead(&[of(&lab, &["qwen3-8b"])]), None, "there is nothing to choose");
    }
}
