//! The estimated usage of a meeting before it begins. No model is called, and nothing is written.

use std::collections::BTreeSet;

use quorate_contract::{MeetingSpec, Price, RunnerSpec};
use quorate_runners::{ProviderConfig, price_for};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use crate::error::ServiceError;
use crate::planning::cost_simulation::{CostSimulation, Course, simulate_cost};
use crate::planning::plan::Plan;
use crate::providers::choose::ModelChoice;

/// The estimate of a planned meeting in three scenarios, and the prices behind it.
#[derive(Debug, Clone)]
pub struct Estimate {
    /// The scenarios.
    pub cost_simulation: CostSimulation,
    /// The dates and sources of the prices from the price table.
    pub sources: BTreeSet<(String, String)>,
    /// Whether all known prices are from the price table, and so in US dollars.
    pub in_dollars: bool,
    /// The models that were chosen because the request names none.
    pub choice: Option<ModelChoice>,
}

impl Plan {
    /// Estimates the planned meeting. Takes up to some seconds of computation.
    ///
    /// # Errors
    /// When the meeting could not be held.
    pub fn estimate(&self) -> Result<Estimate, ServiceError> {
        let cost_simulation = simulate_cost(&self.spec, &self.providers)?;
        let (sources, in_dollars) = prices(&self.spec, &self.providers);
        Ok(Estimate { cost_simulation, sources, in_dollars, choice: self.choice.clone() })
    }

    /// Whether the meeting uses a model with a known price.
    pub fn is_paid(&self) -> bool {
        runners(&self.spec).any(
            |runner| matches!(runner, RunnerSpec::Model { price: Some(price), .. } if price.output_micros > 0),
        )
    }
}

impl Serialize for Estimate {
    /// The three courses with their sums, the range over all of them, and where the prices come from. The sums are in order: by
    /// no measure is the least more than the most, which the courses themselves can be where a budget ends them.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let all = &self.cost_simulation;
        let calls = all.in_order(Course::calls);
        let rounds = all.in_order(|course| course.rounds);
        let courses = [&all.least, &all.likely, &all.most];
        let known: Option<Vec<u64>> = courses.iter().map(|course| course.known_cost_micros()).collect();
        let known = known.map(|mut known| {
            known.sort_unstable();
            known
        });
        let course = |place: usize| -> Value {
            let course = courses[place];
            let mut value = json!(course);
            value["rounds"] = json!(rounds[place]);
            value["calls"] = json!(calls[place]);
            value["tokens"] = json!(course.tokens());
            let cost = known.as_ref().map_or_else(|| course.known_cost_micros(), |known| Some(known[place]));
            value["known_cost_micros"] = json!(cost);
            value["all_prices_known"] = json!(course.unpriced().next().is_none());
            value
        };
        let sources = self.sources.iter();
        let sources = sources.map(|(as_of, source)| json!({ "as_of": as_of, "source": source }));
        json!({
            "least": course(0),
            "likely": course(1),
            "most": course(2),
            "range": {
                "calls": self.cost_simulation.calls(),
                "tokens": self.cost_simulation.tokens(),
                "known_cost_micros": self.cost_simulation.known_cost_micros(),
            },
            "currency": self.in_dollars.then_some("USD"),
            "prices": sources.collect::<Vec<_>>(),
            "chosen": self.choice,
        })
        .serialize(serializer)
    }
}

/// Everything that answers or can come to answer at a meeting.
fn runners(spec: &MeetingSpec) -> impl Iterator<Item = &RunnerSpec> {
    let seated = spec.participants.iter().map(|newcomer| &newcomer.runner);
    let offered = spec.models.iter().map(|offer| &offer.runner);
    seated.chain(spec.facilitator.iter().map(|facilitator| &facilitator.runner)).chain(offered)
}

/// The names of all providers that a meeting asks, those of fallback models among them.
pub(crate) fn providers_asked(spec: &MeetingSpec) -> impl Iterator<Item = &str> {
    runners(spec)
        .flat_map(|runner| match runner {
            RunnerSpec::Model { fallback, .. } => [Some(runner), fallback.as_deref()].map(provider_of),
            RunnerSpec::Process { .. }
            | RunnerSpec::Acp { .. }
            | RunnerSpec::Simulated { .. }
            | RunnerSpec::External { .. } => [None, None],
        })
        .flatten()
}

fn provider_of(runner: Option<&RunnerSpec>) -> Option<&str> {
    match runner? {
        RunnerSpec::Model { provider, .. } => Some(provider),
        RunnerSpec::Process { .. }
        | RunnerSpec::Acp { .. }
        | RunnerSpec::Simulated { .. }
        | RunnerSpec::External { .. } => None,
    }
}

/// The prices of the models of a meeting, and whether all are from the price table.
fn prices(spec: &MeetingSpec, providers: &[ProviderConfig]) -> (BTreeSet<(String, String)>, bool) {
    let (mut sources, mut in_dollars) = (BTreeSet::new(), true);
    for runner in runners(spec) {
        let RunnerSpec::Model { provider, model, price: Some(price), .. } = runner else { continue };
        let config = providers.iter().find(|config| config.name == *provider);
        match config
            .and_then(|config| price_for(config, model))
            .filter(|entry| entry.price() == Price { search_micros: None, ..*price })
        {
            Some(entry) => _ = sources.insert((entry.as_of.clone(), entry.source.clone())),
            None => in_dollars = false,
        }
    }
    (sources, in_dollars)
}
