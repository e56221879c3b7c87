//! The estimated tokens of a call, by the rates of its vendor.

use std::collections::HashMap;

use quorate_contract::{Call, Prompt, RunnerSpec, Usage, WEB_SEARCH_MOST_TOKENS};

use super::cast::Cast;
use super::model_of;
use quorate_runners::{
    ProviderConfig, estimated_tokens, has_web_search, prompt_tokens, rates_of, usual_rates, vendor_of,
};

/// About how many tokens the pages of a web search have.
const PAGES_TOKENS: u64 = WEB_SEARCH_MOST_TOKENS / 2;

/// Counts the calls of one cost simulation.
pub(super) struct Counter<'a> {
    providers: &'a [ProviderConfig],
    cast: Cast,
    /// Count an answer at the most that it may have, and nothing as cached.
    at_most: bool,
    /// The last prompt of each participant, by number; `None` is the facilitator.
    before: HashMap<Option<u32>, String>,
}

impl<'a> Counter<'a> {
    pub(super) fn new(providers: &'a [ProviderConfig], cast: Cast) -> Self {
        let at_most = cast == Cast::Unyielding;
        Self { providers, cast, at_most, before: HashMap::new() }
    }

    /// The usage of a call, and the share by which the true count may differ.
    pub(super) fn count(&mut self, call: &Call, prompt: &Prompt, text: &str) -> (Usage, f64) {
        let model = model_of(&call.runner);
        let config = model.and_then(|(name, _)| self.providers.iter().find(|config| config.name == name));
        let rates = config.zip(model).map_or(usual_rates(), |(config, (_, model))| rates_of(config, model));
        let schema =
            prompt.schema.as_ref().map_or(0, |schema| estimated_tokens(&schema.schema.to_string(), rates));
        let input_tokens = prompt_tokens(prompt, rates) + schema;
        let read = whole(prompt);
        let before = self.before.insert(call.participant.map(|id| id.0), read.clone());
        let cached_from = config.and_then(vendor_of).and_then(|vendor| vendor.cached_from);
        let cached = cached_from.zip(before).filter(|_| !self.at_most).map_or(0, |(from, before)| {
            let same = estimated_tokens(common(&before, &read), rates);
            if same >= from { same.min(input_tokens) } else { 0 }
        });
        let (thinking, writes_cache) = match &call.runner {
            RunnerSpec::Model { parameters, price, .. } => {
                let dearer = price.is_some_and(|price| price.cache_write_micros > Some(price.input_micros));
                (u64::from(parameters.thinking_room()), dearer)
            }
            RunnerSpec::Simulated { .. }
            | RunnerSpec::Process { .. }
            | RunnerSpec::Acp { .. }
            | RunnerSpec::External { .. } => (0, false),
        };
        let output_tokens = match self.at_most {
            true => u64::from(prompt.max_tokens) + thinking,
            false => estimated_tokens(text, rates),
        };
        // Only the searches of vendors that have one are ever made.
        let searches =
            match config.zip(model).is_some_and(|(config, (_, model))| has_web_search(config, model)) {
                true => self.cast.searches(prompt.tools.web_searches),
                false => 0,
            };
        let pages = if self.at_most { WEB_SEARCH_MOST_TOKENS } else { PAGES_TOKENS };
        let input_tokens = input_tokens + u64::from(searches) * pages;
        let usage = Usage {
            input_tokens,
            searches,
            output_tokens,
            cached_tokens: cached,
            // At the most, all that is read is put into a cache for a price.
            cache_write_tokens: if self.at_most && writes_cache { input_tokens } else { 0 },
            estimated: true,
            ..Usage::default()
        };
        (usage, rates.error)
    }
}

fn whole(prompt: &Prompt) -> String {
    let messages = prompt.messages.iter().map(|message| message.content.as_str());
    std::iter::once(prompt.system.as_str()).chain(messages).collect::<Vec<_>>().join("\n")
}

/// The common beginning of two texts.
fn common<'t>(one: &str, other: &'t str) -> &'t str {
    let same = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
    &other[..same]
}
