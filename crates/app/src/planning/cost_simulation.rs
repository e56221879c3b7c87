//! The estimated usage of a meeting before it begins. The meeting is simulated in memory, on the real core
//! and with generated answers. The tokens of each call are estimated by its vendor's rates.
//!
//! No model is called and nothing is written. The same specification gives the same simulation. Some costs of
//! real models cannot be known: answers that have to be repaired, calls that are lost, and, except for an
//! upper limit, the tokens of their reasoning.

mod cast;
mod count;

use std::collections::BTreeMap;

use quorate_contract::{
    Actor, Answer, Call, Command, MeetingId, MeetingSpec, Outcome, Price, RunId, RunnerSpec, StopReason,
    Task, TaskId, Timestamp, Usage, WebFindings, WebSearch,
};
use quorate_core::{Meeting, Origin, RunState, apply, context, interpret, pending, step};
use quorate_engine::EngineError;
use serde::Serialize;

use self::cast::Cast;
use self::count::Counter;
use quorate_runners::ProviderConfig;

/// The number of calls after which a simulation stops: a room can go on without end.
const MOST_CALLS: u32 = 400;

/// The usage of a meeting in three scenarios.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CostSimulation {
    /// The course with the fewest tokens; where no budget ends it earlier, all participants agree quickly, and the first ballot
    /// passes.
    pub least: Course,
    /// The one between; most often a mixed table, or the temperaments of those who are simulated.
    pub likely: Course,
    /// The course with the most tokens; where no budget ends it earlier, no ballot passes, every round is held, the
    /// participants write much, and each answer is as long as the rules allow; nothing is read from a cache.
    pub most: Course,
}

/// One scenario of a meeting.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Course {
    /// Rounds of discussion, the blind one not counted.
    pub rounds: u32,
    /// Whether the simulation was cut off because the rules set no end that was reached.
    pub open_ended: bool,
    /// The usage of each participant, in their order, then of the facilitator.
    pub shares: Vec<Share>,
}

/// The usage of one participant or the facilitator.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Share {
    /// The participant's name; nothing for the facilitator.
    pub name: Option<String>,
    /// The runner, by its label for people.
    pub runner: String,
    /// The number of calls.
    pub calls: u32,
    /// The estimated tokens.
    pub usage: Usage,
    /// The cost in millionths of the currency, searches included; `None` when a price is not known.
    pub cost_micros: Option<u64>,
    /// Whether there are web searches among them whose price is not known.
    pub unpriced_searches: bool,
    /// By which share of the true count the tokens may be wrong, for 19 texts of 20.
    pub error: f64,
}

impl CostSimulation {
    /// A measure of the three courses, from the least to the most. A budget can end a course of few calls with many tokens,
    /// so that the courses come in another order by each measure.
    pub fn in_order<T: Ord>(&self, of: impl Fn(&Course) -> T) -> [T; 3] {
        let mut all = [of(&self.least), of(&self.likely), of(&self.most)];
        all.sort();
        all
    }

    /// From the fewest calls to the most, over all courses.
    pub fn calls(&self) -> (u32, u32) {
        self.range(Course::calls)
    }

    /// From the fewest tokens to the most, with the error of their estimates.
    pub fn tokens(&self) -> (u64, u64) {
        let (low, _) = self.range(|course| course.within(|share| share.usage.total()).0);
        (low, self.range(|course| course.within(|share| share.usage.total()).1).1)
    }

    /// The cost range in millionths of the currency, with the error of the estimates; `None` when a price is
    /// not known.
    pub fn known_cost_micros(&self) -> Option<(u64, u64)> {
        [&self.least, &self.likely, &self.most]
            .iter()
            .try_for_each(|one| one.known_cost_micros().map(drop))?;
        let (low, _) = self.range(|course| course.within(|share| share.cost_micros.unwrap_or(0)).0);
        Some((low, self.range(|course| course.within(|share| share.cost_micros.unwrap_or(0)).1).1))
    }

    fn range<T: Ord>(&self, of: impl Fn(&Course) -> T) -> (T, T) {
        let [least, _, most] = self.in_order(of);
        (least, most)
    }
}

impl Course {
    /// A sum over all who answer, between the bounds that the estimates' errors set.
    fn within(&self, of: impl Fn(&Share) -> u64) -> (u64, u64) {
        let (mut low, mut high) = (0.0, 0.0);
        for share in &self.shares {
            low += of(share) as f64 * (1.0 - share.error);
            high += of(share) as f64 * (1.0 + share.error);
        }
        (low as u64, high.ceil() as u64)
    }

    /// The number of all calls.
    pub fn calls(&self) -> u32 {
        self.shares.iter().map(|share| share.calls).sum()
    }

    /// All tokens, read and written.
    pub fn tokens(&self) -> u64 {
        self.shares.iter().map(|share| share.usage.total()).sum()
    }

    /// The total cost in millionths of the currency; `None` when a price is not known.
    pub fn known_cost_micros(&self) -> Option<u64> {
        self.shares.iter().try_fold(0u64, |sum, share| Some(sum.saturating_add(share.cost_micros?)))
    }

    /// The shares whose price is not known.
    pub fn unpriced(&self) -> impl Iterator<Item = &Share> {
        self.shares.iter().filter(|share| share.cost_micros.is_none())
    }
}

/// Simulates a meeting whose models are behind these providers.
///
/// # Errors
/// When it could not be founded, or not begin, for the same reason.
pub fn simulate_cost(
    spec: &MeetingSpec,
    providers: &[ProviderConfig],
) -> Result<CostSimulation, EngineError> {
    let play = |cast: Cast| SimulatedMeeting::of(spec, providers, cast);
    let mut courses = [play(Cast::Agreeable)?, play(Cast::Mixed)?, play(Cast::Unyielding)?];
    // Coming round quickly is not always the shorter way: a table that agrees can have more to write. And where answers are long,
    // a budget ends the meeting earlier.
    courses.sort_by_key(Course::tokens);
    let [least, likely, most] = courses;
    Ok(CostSimulation { least, likely, most })
}

/// A meeting in memory.
struct SimulatedMeeting<'a> {
    meeting: Meeting,
    cast: Cast,
    counter: Counter<'a>,
    /// By participant's number; the facilitator last.
    shares: BTreeMap<u32, Share>,
    calls: u32,
}

impl<'a> SimulatedMeeting<'a> {
    fn of(spec: &MeetingSpec, providers: &'a [ProviderConfig], cast: Cast) -> Result<Course, EngineError> {
        let meeting = Meeting::blank(MeetingId::new("cost_simulation"), RunId::new("cost_simulation"));
        let counter = Counter::new(providers, cast);
        let mut play = Self { meeting, cast, counter, shares: BTreeMap::new(), calls: 0 };
        let by = || Actor::owner();
        play.execute(Command::Create { by: by(), spec: Box::new(cast.at(spec)) })?;
        play.execute(Command::Start { by: by() })?;
        while play.calls < MOST_CALLS && play.step()? {}
        Ok(Course {
            rounds: play.meeting.rounds_held(),
            open_ended: !play.meeting.is_over(),
            shares: play.shares.into_values().collect(),
        })
    }

    /// Answers one call, or one pause as a run that nobody attends does; false when nothing is owed any more.
    fn step(&mut self) -> Result<bool, EngineError> {
        let calls: Vec<Call> = pending(&self.meeting)
            .into_iter()
            .filter_map(|task| if let Task::Call(call) = task { Some(call) } else { None })
            .collect();
        // What was asked for beside the course does not wait for the next speaker.
        let beside = calls.iter().find(|call| !matches!(call.id, TaskId::Speak(_)));
        if let Some(call) = beside.or(calls.first()) {
            self.answer(call)?;
            return Ok(true);
        }
        let RunState::Paused { reason, .. } = &self.meeting.run_state else { return Ok(false) };
        let (by, answers) = (Actor::owner(), reason.unattended_answers());
        self.execute(Command::Resume { by, token: None, answers, take_defaults: true })?;
        Ok(true)
    }

    fn answer(&mut self, call: &Call) -> Result<(), EngineError> {
        let prompt = context(&self.meeting, call);
        let text = self.cast.answer(call, &prompt.brief, self.meeting.settings.seed);
        let (usage, error) = self.counter.count(call, &prompt, &text);
        self.note(call, &usage, error);
        let stop = StopReason::Stop;
        let answer = Answer {
            text,
            reasoning: None,
            usage,
            stop,
            latency_ms: 1,
            web: WebFindings {
                searches: vec![WebSearch::default(); usage.searches as usize],
                ..WebFindings::default()
            },
            request_id: None,
        };
        let command = interpret(&self.meeting, call, Outcome::Answered(answer));
        self.execute(command)
    }

    fn note(&mut self, call: &Call, usage: &Usage, error: f64) {
        self.calls += 1;
        let name = call.participant.map(|id| self.meeting.name_of(id));
        let share =
            self.shares.entry(call.participant.map_or(u32::MAX, |id| id.0)).or_insert_with(|| Share {
                name,
                runner: call.runner.label(),
                calls: 0,
                usage: Usage { estimated: true, ..Usage::default() },
                cost_micros: Some(0),
                unpriced_searches: false,
                error,
            });
        share.calls += 1;
        share.usage.input_tokens += usage.input_tokens;
        share.usage.cached_tokens += usage.cached_tokens;
        share.usage.output_tokens += usage.output_tokens;
        share.usage.searches += usage.searches;
        let price = call.runner.price();
        let is_unpriced = usage.searches > 0 && price.is_some_and(|price| price.search_micros.is_none());
        share.unpriced_searches |= is_unpriced;
        let cost = price.and_then(|price| cost(&price, usage));
        share.cost_micros = share.cost_micros.zip(cost).map(|(sum, cost)| sum.saturating_add(cost));
    }

    fn execute(&mut self, command: Command) -> Result<(), EngineError> {
        let now = Timestamp(i64::try_from(self.meeting.seq).unwrap_or(i64::MAX));
        for event in step(&self.meeting, &self.meeting.run, Origin::Fresh, command, now)? {
            apply(&mut self.meeting, &event);
        }
        Ok(())
    }
}

/// The cost of a usage, rounded up; `None` with searches of an unknown price.
fn cost(price: &Price, usage: &Usage) -> Option<u64> {
    let searches = match usage.searches {
        0 => 0,
        count => u64::from(count).saturating_mul(price.search_micros?),
    };
    let part = |tokens: u64, per_million: u64| u128::from(tokens) * u128::from(per_million);
    let fresh = usage.input_tokens - usage.cached_tokens.min(usage.input_tokens);
    let sum = part(fresh, price.input_micros)
        + part(usage.cached_tokens, price.cached_micros.unwrap_or(price.input_micros))
        + part(usage.output_tokens, price.output_micros);
    Some(u64::try_from(sum.div_ceil(1_000_000)).unwrap_or(u64::MAX).saturating_add(searches))
}

/// The provider and model of a call, when a model answers it.
fn model_of(runner: &RunnerSpec) -> Option<(&str, &str)> {
    match runner {
        RunnerSpec::Model { provider, model, .. } => Some((provider, model)),
        RunnerSpec::Simulated { .. }
        | RunnerSpec::Process { .. }
        | RunnerSpec::Acp { .. }
        | RunnerSpec::External { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use quorate_contract::{Facilitator, Format, Language, ModelParameters, WEB_SEARCH_MOST_TOKENS};

    use super::*;
    use quorate_runners::{default_cast, default_offers};

    fn model(model: &str, price: Option<Price>) -> RunnerSpec {
        let (provider, model) = ("openai".to_owned(), model.to_owned());
        RunnerSpec::Model { provider, model, parameters: ModelParameters::default(), price, fallback: None }
    }

    fn spec(format: Format, language: Language) -> MeetingSpec {
        let topic = match language {
            Language::Zh => "新项目的事件日志用 SQLite 还是 PostgreSQL？",
            Language::En => "Should our service use SQLite or PostgreSQL?",
        };
        let runner = model(
            "gpt-5-mini",
            Some(Price { cached_micros: Some(25_000), ..Price::new(250_000, 2_000_000) }),
        );
        let mut offers = default_offers(language);
        offers.iter_mut().for_each(|offer| offer.runner = runner.clone());
        let rules = format.rules();
        let seats = if rules.roster.assemble { 0 } else { 4 };
        let cast = default_cast(language, 4, 5, |_| runner.clone());
        MeetingSpec {
            topic: topic.to_owned(),
            background: String::new(),
            details: Default::default(),
            tools: Vec::new(),
            language,
            format,
            rules,
            seed: 5,
            facilitator: Some(Facilitator { runner, system_prompt: String::new() }),
            moderator: None,
            agenda: Vec::new(),
            models: offers,
            participants: cast.into_iter().take(seats).collect(),
        }
    }

    fn openai() -> Vec<ProviderConfig> {
        vec![ProviderConfig::new("openai", "https://api.openai.com/v1".parse().expect("a URL"))]
    }

    #[test]
    fn every_format_is_simulated_from_the_least_to_the_most_in_both_languages() {
        for format in Format::ALL {
            for language in [Language::Zh, Language::En] {
                let spec = spec(format, language);
                let cost_simulation = simulate_cost(&spec, &openai()).expect("it can be held");
                let CostSimulation { least, likely, most } = &cost_simulation;
                let told = format!("{format} {language:?}: {cost_simulation:#?}");
                assert!(least.calls() > 0 && least.tokens() <= likely.tokens(), "{told}");
                assert!(likely.tokens() < most.tokens(), "{told}");
                assert!(least.known_cost_micros() < most.known_cost_micros(), "{told}");
                let (fewest, highest) = cost_simulation.calls();
                assert!(fewest <= likely.calls() && likely.calls() <= highest, "{told}");
                let (low, high) = cost_simulation.tokens();
                assert!(low < least.tokens() && most.tokens() < high, "the error is part of the range");
                assert!(!most.open_ended, "{told}");
                assert_eq!(simulate_cost(&spec, &openai()).expect("again"), cost_simulation);
                eprintln!(
                    "{format} {language:?}: {}-{}-{} calls, {}-{}-{} tokens",
                    least.calls(),
                    likely.calls(),
                    most.calls(),
                    least.tokens(),
                    likely.tokens(),
                    most.tokens()
                );
            }
        }
    }

    #[test]
    fn ballots_that_fail_lead_through_all_rounds() {
        let cost_simulation =
            simulate_cost(&spec(Format::Consensus, Language::En), &openai()).expect("it can be held");
        assert_eq!(cost_simulation.most.rounds, 8);
        assert_eq!(cost_simulation.least.rounds, 1, "the first ballot passes");
        let cached =
            |course: &Course| course.shares.iter().map(|share| share.usage.cached_tokens).sum::<u64>();
        assert!(cached(&cost_simulation.likely) > 0, "prompts stay the same from the front");
        assert_eq!(cached(&cost_simulation.most), 0);
    }

    #[test]
    fn what_has_no_price_is_named_and_never_free() {
        let mut spec = spec(Format::Consensus, Language::En);
        spec.participants[0].runner = model("nameless", None);
        let cost_simulation = simulate_cost(&spec, &openai()).expect("it can be held");
        let unknown: Vec<_> = cost_simulation.likely.unpriced().map(|share| share.name.clone()).collect();
        assert_eq!(unknown, [Some(spec.participants[0].name.clone())]);
        assert_eq!(cost_simulation.likely.known_cost_micros(), None, "a part of the sum is no sum");
    }

    #[test]
    fn a_budget_ends_the_simulation_as_it_ends_the_meeting() {
        let mut spec = spec(Format::Consensus, Language::En);
        spec.rules.limits.tokens = Some(60_000);
        let cost_simulation = simulate_cost(&spec, &openai()).expect("it can be held");
        assert!(cost_simulation.most.tokens() <= 60_000, "{cost_simulation:?}");
    }

    #[test]
    fn searches_of_the_web_are_part_of_the_tokens_and_of_the_cost() {
        let with = |search_micros: Option<u64>, is_allowed: bool| {
            let mut spec = spec(Format::Consensus, Language::En);
            let price = Price { search_micros, ..Price::new(1_000_000, 5_000_000) };
            let (provider, parameters) = ("anthropic".to_owned(), ModelParameters::default());
            spec.participants[0].runner = RunnerSpec::Model {
                provider,
                model: "claude-sonnet-5-5".to_owned(),
                parameters,
                price: Some(price),
                fallback: None,
            };
            if is_allowed {
                let name = quorate_contract::WEB_SEARCH.to_owned();
                spec.tools = vec![quorate_contract::ToolGrant { name, participants: Vec::new() }];
            }
            let mut anthropic =
                ProviderConfig::new("anthropic", "https://api.anthropic.com".parse().expect("a URL"));
            anthropic.wire = quorate_runners::WireFormat::Anthropic;
            let providers = [openai(), vec![anthropic]].concat();
            (spec.clone(), simulate_cost(&spec, &providers).expect("it can be held"))
        };
        let (spec, searched) = with(Some(10_000), true);
        let name = Some(spec.participants[0].name.clone());
        let first =
            |course: &Course| course.shares.iter().find(|one| one.name == name).expect("it spoke").clone();
        assert_eq!(first(&searched.least).usage.searches, 0, "a model need not search");
        let (likely, most) = (first(&searched.likely), first(&searched.most));
        assert!(likely.usage.searches > 0 && most.usage.searches > 2 * likely.usage.searches, "{most:?}");
        assert!(most.usage.input_tokens > u64::from(most.usage.searches) * WEB_SEARCH_MOST_TOKENS);
        let (_, plain) = with(Some(10_000), false);
        let of_searches = u64::from(most.usage.searches) * 10_000;
        assert!(most.cost_micros > first(&plain.most).cost_micros.map(|cost| cost + of_searches), "{most:?}");
        let others = |one: &&Share| one.name != name;
        assert!(searched.most.shares.iter().filter(others).all(|one| one.usage.searches == 0));
        // What a search costs is not known, and so is not the sum.
        let (_, unknown) = with(None, true);
        assert!(first(&unknown.likely).unpriced_searches && first(&unknown.likely).cost_micros.is_none());
        assert_eq!(unknown.known_cost_micros(), None);
    }

    #[test]
    fn under_any_budget_the_least_is_no_more_than_the_most() {
        use proptest::prelude::*;

        let cases = proptest::test_runner::Config { cases: 24, ..Default::default() };
        let budgets = (
            prop::sample::select(Format::ALL.to_vec()),
            prop::option::of(5_000u64..200_000),
            prop::option::of(1_000u64..100_000),
            1u32..4,
        );
        proptest::proptest!(cases, |((format, tokens, cost_micros, rounds) in budgets)| {
            let mut spec = spec(format, Language::En);
            spec.rules.limits.tokens = tokens;
            spec.rules.limits.cost_micros = cost_micros;
            spec.rules.limits.max_rounds = rounds;
            // A budget can be too small to begin.
            let Ok(simulated) = simulate_cost(&spec, &openai()) else { return Ok(()) };
            let CostSimulation { least, likely, most } = &simulated;
            prop_assert!(least.tokens() <= likely.tokens() && likely.tokens() <= most.tokens(), "{simulated:#?}");
            let told = serde_json::to_value(crate::planning::estimate::Estimate {
                cost_simulation: simulated.clone(),
                sources: Default::default(),
                in_dollars: true,
                choice: None,
            })
            .expect("plain");
            for measure in ["calls", "tokens", "known_cost_micros", "rounds"] {
                let of = |course: &str| told[course][measure].as_u64().expect(measure);
                prop_assert!(of("least") <= of("likely") && of("likely") <= of("most"), "{measure}: {told:#}");
            }
            let (fewest, highest) = simulated.calls();
            let (low, high) = simulated.tokens();
            prop_assert!(fewest <= highest && low <= high);
            let cost = simulated.known_cost_micros();
            prop_assert!(cost.is_none_or(|(low, high)| low <= high));
            if let Some(budget) = tokens {
                prop_assert!(most.tokens() <= budget);
            }
        });
    }

    #[test]
    fn what_could_not_be_founded_is_refused() {
        let nobody = MeetingSpec { participants: Vec::new(), ..spec(Format::Consensus, Language::En) };
        simulate_cost(&nobody, &openai()).expect_err("nobody sits there");
    }
}
