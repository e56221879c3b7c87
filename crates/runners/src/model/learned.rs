//! Limits of models that servers have reported, and their persistence for the next run: context windows,
//! models that stream badly, and models that see no images.
//!
//! A lesson from one call applies to all calls of this program: it belongs to the model at its address, not
//! to the participant.

use std::collections::{HashMap, HashSet};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::provider::ProviderConfig;

/// The largest number of models that are remembered.
const MOST_REMEMBERED: usize = 10_000;

/// The known limits of a provider's model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelLimits {
    /// The provider's name.
    pub provider: String,
    /// The address, without secret parts.
    pub address: String,
    /// The model's name.
    pub model: String,
    /// Its context window, prompt and answer together, in tokens.
    pub window: Option<u64>,
    /// Whether the model streams badly, so that it is asked for complete answers.
    pub whole: bool,
    /// Whether the model does not see images.
    pub blind: bool,
}

/// A provider's name, its address, and a model's name.
type Key = [String; 3];

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct LearnedModel {
    window: Option<u64>,
    whole: bool,
    blind: bool,
}

#[derive(Default)]
struct Memory {
    known: HashMap<Key, LearnedModel>,
    /// Models that their server lists and did not give when they were asked last. A later run asks anew.
    refused: HashSet<Key>,
    /// The receivers of new lessons.
    keepers: Vec<UnboundedSender<ModelLimits>>,
}

/// Takes over what an earlier run has learned. What this one has learned already stays.
pub fn recall(learned: impl IntoIterator<Item = ModelLimits>) {
    let mut memory = memory();
    for learned_model in learned {
        let ModelLimits { provider, address, model, window, whole, blind } = learned_model;
        if memory.known.len() < MOST_REMEMBERED {
            memory.known.entry([provider, address, model]).or_insert(LearnedModel { window, whole, blind });
        }
    }
}

/// A stream of lessons from now on, to be stored for a later run.
pub fn lessons() -> UnboundedReceiver<ModelLimits> {
    let (keeper, learned) = unbounded_channel();
    memory().keepers.push(keeper);
    learned
}

/// Forgets what was learned of the models of a provider, as a process does that begins anew.
pub fn forget_lessons(config: &ProviderConfig) {
    let (name, address) = (&config.name, config.shown_url());
    let mut memory = memory();
    memory.known.retain(|[provider, at, _], _| provider != name || *at != address);
    memory.refused.retain(|[provider, at, _]| provider != name || *at != address);
}

/// Whether the server said last that there is no such model, or not for this account, although it may list it.
pub fn was_refused(config: &ProviderConfig, model: &str) -> bool {
    memory().refused.contains(&key(config, model))
}

/// Keeps whether the server has given the model when it was asked.
pub(super) fn learn_given(config: &ProviderConfig, model: &str, is_given: bool) {
    let (mut memory, key) = (memory(), key(config, model));
    if is_given {
        memory.refused.remove(&key);
    } else if memory.refused.len() < MOST_REMEMBERED {
        memory.refused.insert(key);
    }
}

pub(super) fn window(config: &ProviderConfig, model: &str) -> Option<u64> {
    known(config, model).window
}

/// Whether the model is known to stream badly.
pub(super) fn is_whole(config: &ProviderConfig, model: &str) -> bool {
    known(config, model).whole
}

/// Whether the model is known to see no images.
pub(super) fn is_blind(config: &ProviderConfig, model: &str) -> bool {
    known(config, model).blind
}

pub(super) fn learn_blind(config: &ProviderConfig, model: &str) {
    learn(config, model, |known| known.blind = true);
}

pub(super) fn learn_window(config: &ProviderConfig, model: &str, tokens: u64) {
    learn(config, model, |known| known.window = Some(tokens));
}

pub(super) fn learn_whole(config: &ProviderConfig, model: &str) {
    learn(config, model, |known| known.whole = true);
}

/// What is known of a model. Each call asks for it, and mostly nothing is known of any.
fn known(config: &ProviderConfig, model: &str) -> LearnedModel {
    let memory = memory();
    match memory.known.is_empty() {
        true => LearnedModel::default(),
        false => memory.known.get(&key(config, model)).copied().unwrap_or_default(),
    }
}

fn learn(config: &ProviderConfig, model: &str, lesson: impl Fn(&mut LearnedModel)) {
    let (mut memory, key) = (memory(), key(config, model));
    if memory.known.len() >= MOST_REMEMBERED && !memory.known.contains_key(&key) {
        return;
    }
    let known = memory.known.entry(key.clone()).or_default();
    let before = *known;
    lesson(known);
    let LearnedModel { window, whole, blind } = *known;
    if before == *known {
        return;
    }
    let [provider, address, model] = key;
    let learned = ModelLimits { provider, address, model, window, whole, blind };
    memory.keepers.retain(|keeper| keeper.send(learned.clone()).is_ok());
}

fn key(config: &ProviderConfig, model: &str) -> Key {
    [config.name.clone(), config.shown_url(), model.to_owned()]
}

fn memory() -> MutexGuard<'static, Memory> {
    static MEMORY: LazyLock<Mutex<Memory>> = LazyLock::new(Mutex::default);
    MEMORY.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_learned_is_told_once_and_recalled() {
        let url = "http://localhost:1/v1?key=secret".parse().expect("an address");
        let config = ProviderConfig::new("learning", url);
        let mut told = lessons();
        learn_window(&config, "m", 2048);
        learn_window(&config, "m", 2048);
        learn_whole(&config, "m");
        let own =
            std::iter::from_fn(|| told.try_recv().ok()).filter(|learned| learned.provider == "learning");
        let own: Vec<ModelLimits> = own.collect();
        let learned = |window, whole| ModelLimits {
            provider: "learning".to_owned(),
            address: "http://localhost:1/v1".to_owned(),
            model: "m".to_owned(),
            window,
            whole,
            blind: false,
        };
        assert_eq!(own, [learned(Some(2048), false), learned(Some(2048), true)]);
        let earlier = ModelLimits { model: "other".to_owned(), ..learned(Some(4096), true) };
        recall([learned(Some(1), false), earlier]);
        assert_eq!(
            (window(&config, "m"), is_whole(&config, "m")),
            (Some(2048), true),
            "this run knows better"
        );
        assert_eq!((window(&config, "other"), is_whole(&config, "other")), (Some(4096), true));
        learn_blind(&config, "m");
        let told = told.try_recv().expect("it is told");
        assert_eq!(told, ModelLimits { blind: true, ..learned(Some(2048), true) });
        assert!(is_blind(&config, "m") && !is_blind(&config, "other"));
        learn_given(&config, "gated", false);
        assert!(was_refused(&config, "gated") && !was_refused(&config, "m"));
        learn_given(&config, "gated", true);
        assert!(!was_refused(&config, "gated"));
    }
}
