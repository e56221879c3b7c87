//! Puts everything together: who sits at the table, by which rules, and who answers for them.

use std::collections::BTreeMap;

use quorate_core::{
    Facilitator, Format, Founding, Language, Meeting, ModelOffer, ModelParameters, Rules, RunnerSpec,
    Temperament,
};
use quorate_runners::{ProcessConfig, ProviderConfig, default_offers, vendor, vendor_of};
use quorate_store::Agent;

use super::discover::discover;
use super::file::{MeetingFile, OfferEntry, ParticipantEntry, PriceEntry, UserFile};
use super::held::{self, laid_over};
use super::library::{agents_of, model_of, not_configured, stored_credentials};
use super::prices::price;
use super::providers::{Found, Source, found_providers, how_to_add, near_vendor, processes_of};
use super::rules::nearest;
use super::seats::participants;
use crate::args::{Lang, RunArgs};
use crate::error::CliError;
use crate::place::Place;

/// What stands before the name of a process where a model is named.
const PROCESS: &str = "process";

/// What stands where a model is named to answer in place of another, and there is to be none.
pub(crate) const NO_FALLBACK: &str = "none";

/// A meeting that can begin.
pub(crate) struct Plan {
    pub(crate) founding: Founding,
    pub(crate) providers: Vec<ProviderConfig>,
    pub(crate) processes: BTreeMap<String, ProcessConfig>,
    /// Nothing was found that could answer, so everybody is simulated without having been asked for.
    pub(crate) simulated_for_want_of_models: bool,
}

impl Plan {
    pub(crate) async fn make(place: &Place, args: &RunArgs) -> Result<Self, CliError> {
        let mut file = match &args.config {
            Some(path) => MeetingFile::read(path)?,
            None => MeetingFile::default(),
        };
        if !args.agent.is_empty() {
            file.participants = args.agent.iter().map(|name| ParticipantEntry::agent(name)).collect();
        }
        let user = UserFile::read(&place.config)?;
        let topic = args.topic.clone().or_else(|| file.topic.clone()).ok_or_else(|| {
            CliError::usage(
                "there is no topic",
                "ask something: quorate run \"Should our service use SQLite or PostgreSQL?\"",
            )
            .with("field", "topic")
        })?;
        let language = match (args.lang, file.lang) {
            (Some(Lang::Zh), _) => Language::Zh,
            (Some(Lang::En), _) => Language::En,
            (None, Some(language)) => language,
            (None, None) => language_of(&topic),
        };
        let format = match &args.format {
            Some(name) => name
                .parse()
                .map_err(|error: quorate_core::BadId| CliError::usage(error.to_string(), "see --help"))?,
            None => file.format.unwrap_or(Format::Consensus),
        };
        let seed = args.seed.or(file.seed).unwrap_or_else(random_seed);
        let agents = agents_of(place, &file).await?;
        let mut models = Models::find(place, args, &file, &user, agents).await?;
        let rules = rules(args, &file, format)?;
        // Whom nobody has named is found for the topic, where the rules say so.
        let assembled = rules.roster.assemble && args.participants.is_none() && file.participants.is_empty();
        let participants = match assembled {
            true => Vec::new(),
            false => participants(args, &file, language, seed, &mut models)?,
        };
        // A pretended facilitator would put words into the mouths of those who do not pretend.
        let only_processes = models.in_turn.is_empty()
            && !participants.is_empty()
            && participants.iter().all(|newcomer| matches!(newcomer.runner, RunnerSpec::Process { .. }));
        let by_rules = only_processes && file.facilitator.model.is_none();
        let facilitator = match args.no_facilitator || !file.facilitator.enabled || by_rules {
            true => None,
            false => Some(Facilitator {
                runner: models.with_fallback(
                    match &file.facilitator.model {
                        Some(model) => models.named(model, file.facilitator.parameters)?,
                        None => models.first(file.facilitator.parameters),
                    },
                    file.facilitator.fallback.as_deref(),
                )?,
                system_prompt: file.facilitator.system_prompt.clone(),
            }),
        };
        let founding = Founding {
            topic,
            background: background(args, &file)?,
            language,
            format,
            models: match rules.roster.assemble || rules.roster.newcomers || !file.offers.is_empty() {
                true => models.offers(&file, args.simulate, language)?,
                false => Vec::new(),
            },
            rules,
            seed,
            facilitator,
            moderator: held::moderator(&args.held, &file),
            agenda: held::agenda(&args.held, &file),
            participants,
        };
        // Checked by the core as it will check it again, so that the file's line can be named.
        let draft = Meeting::blank(quorate_core::MeetingId::new(""), quorate_core::RunId::new(""));
        let create =
            quorate_core::Command::Create { by: String::new(), founding: Box::new(founding.clone()) };
        if let Err(refusal) = quorate_core::decide(&draft, create, quorate_core::Moment(0)) {
            let place = match &refusal {
                // Whom the command line seats does not stand in the file.
                quorate_core::Refusal::Invalid { field, .. }
                    if args.agent.is_empty() || !field.starts_with("participants") =>
                {
                    file.locate(field)
                }
                _ => None,
            };
            let error = CliError::from(refusal);
            return Err(match place {
                Some(place) => error.at(&place),
                None => error,
            });
        }
        Ok(Self {
            founding,
            simulated_for_want_of_models: models.simulated_for_want,
            providers: models.providers.into_values().map(|found| found.config).collect(),
            processes: models.processes,
        })
    }
}

/// The models that seats are given in turn, and the providers behind them.
pub(super) struct Models {
    providers: BTreeMap<String, Found>,
    processes: BTreeMap<String, ProcessConfig>,
    prices: BTreeMap<String, PriceEntry>,
    /// `provider/name` each, or `process/name`; empty when everybody is simulated.
    in_turn: Vec<(String, String)>,
    /// The provider of models that are named without one.
    default_provider: Option<String>,
    /// The model that answers for everybody whose own cannot.
    fallback: Option<(String, String)>,
    /// Everybody is simulated because somebody wished it.
    simulate: bool,
    simulated_for_want: bool,
    /// Agents of the library that are to be seated, by the names that the file calls them by.
    pub(super) agents: BTreeMap<String, Agent>,
}

impl Models {
    async fn find(
        place: &Place,
        args: &RunArgs,
        file: &MeetingFile,
        user: &UserFile,
        agents: BTreeMap<String, Agent>,
    ) -> Result<Self, CliError> {
        let prices =
            user.prices.iter().chain(&file.prices).map(|(name, price)| (name.clone(), *price)).collect();
        let simulate = args.simulate || (file.simulate == Some(true) && args.model.is_empty());
        // A simulation needs no key, and so no key file.
        let credentials = if simulate { Vec::new() } else { stored_credentials(place).await? };
        let providers = found_providers(file, user, &credentials, !simulate).await?;
        let default_provider = ["openai"].iter().find(|name| providers.contains_key(**name));
        let default_provider = default_provider.map(|name| (*name).to_owned());
        let mut this = Self {
            providers,
            processes: processes_of(file, user),
            prices,
            in_turn: Vec::new(),
            default_provider,
            fallback: None,
            simulate,
            simulated_for_want: false,
            agents,
        };
        if simulate {
            return Ok(this);
        }
        this.fallback = match args.fallback.as_deref() {
            None | Some(NO_FALLBACK) => None,
            Some(model) => Some(this.model(model)?),
        };
        let named = [&args.model, &file.models, &user.models].into_iter().find(|models| !models.is_empty());
        if let Some(named) = named {
            this.in_turn = named.iter().map(|name| this.split(name)).collect::<Result<_, _>>()?;
            return Ok(this);
        }
        let everybody_is_named =
            !file.participants.is_empty() && file.participants.iter().all(ParticipantEntry::says_who_answers);
        if everybody_is_named {
            // The facilitator then speaks through the first participant's model.
            let first = file.participants.iter().find_map(|entry| match (&entry.model, &entry.agent) {
                (Some(model), _) => Some(this.split(model)),
                (None, Some(agent)) => this.agents.get(agent).and_then(model_of).map(Ok),
                (None, None) => None,
            });
            this.in_turn = first.transpose()?.into_iter().collect();
            return Ok(this);
        }
        match discover(&this.providers).await? {
            Some(found) => this.in_turn = vec![found],
            None => this.simulated_for_want = true,
        }
        Ok(this)
    }

    /// `provider/name`, `process/name`, or a bare name of the provider in the environment. Names may hold
    /// slashes.
    fn split(&self, text: &str) -> Result<(String, String), CliError> {
        if let Some((PROCESS, name)) = text.split_once('/')
            && !self.providers.contains_key(PROCESS)
        {
            self.process(name)?;
            return Ok((PROCESS.to_owned(), name.to_owned()));
        }
        if let Some((provider, name)) = text.split_once('/')
            && self.providers.contains_key(provider)
            && !name.is_empty()
        {
            return Ok((provider.to_owned(), name.to_owned()));
        }
        match &self.default_provider {
            Some(provider) if self.may_mean(provider, text) => Ok((provider.clone(), text.to_owned())),
            Some(_) | None => Err(self.unknown(text)),
        }
    }

    /// Whether a name may be one of the default provider's models. At its vendor's own address no
    /// name begins with that of another; a server of one's own can have any, but hardly one that only
    /// a slip keeps from being another provider's.
    fn may_mean(&self, provider: &str, text: &str) -> bool {
        let Some((before, _)) = text.split_once('/') else { return true };
        let config = &self.providers[provider].config;
        let preset = config.vendor.as_deref().and_then(vendor);
        let public = preset.is_some_and(|preset| preset.base_url == config.base_url);
        let near = |name: &str| name != before && strsim::jaro_winkler(before, name) > 0.85;
        let slip = vendor(before).is_none()
            && (near_vendor(before).is_some() || self.providers.keys().any(|name| near(name)));
        !public && !slip
    }

    fn unknown(&self, text: &str) -> CliError {
        let message = format!("the model {text:?} belongs to no provider that is configured");
        let before = text.split_once('/').map(|(before, _)| before).filter(|before| !before.is_empty());
        let used = self.providers.iter().filter(|(_, found)| found.source != Source::Preset);
        let known: Vec<&str> = used.map(|(name, _)| name.as_str()).collect();
        let near = before.map(|before| nearest(before, self.providers.keys().map(String::as_str)));
        let hint = match (before, near.as_deref()) {
            (Some(before), _) if vendor(before).is_some() => how_to_add(before),
            (Some(_), Some([near, ..])) => {
                format!("did you mean {near}? `quorate providers list` shows them")
            }
            (Some(before), _) if near_vendor(before).is_some() => how_to_add(before),
            _ => match known.as_slice() {
                [] => "write PROVIDER/NAME, and add the provider: quorate providers add --help".to_owned(),
                known => format!(
                    "write PROVIDER/NAME with one of {}, or add another: quorate providers add --help",
                    known.join(", ")
                ),
            },
        };
        CliError::usage(message, hint).with("field", "model")
    }

    /// A model that somebody named who can name nothing else.
    fn model(&self, text: &str) -> Result<(String, String), CliError> {
        let named = self.split(text)?;
        match named.0 == PROCESS && !self.providers.contains_key(PROCESS) {
            false => Ok(named),
            true => Err(CliError::usage(
                format!("{text:?} is a process, and only a model can answer in place of another"),
                "name a model, as PROVIDER/NAME, or `none`",
            )
            .with("field", "fallback")),
        }
    }

    /// The same, with the model that answers when it cannot: the one named here, or the one for
    /// everybody.
    pub(super) fn with_fallback(
        &self,
        runner: RunnerSpec,
        named: Option<&str>,
    ) -> Result<RunnerSpec, CliError> {
        let RunnerSpec::Model { provider, model, parameters, price, fallback } = runner else {
            return Ok(runner);
        };
        let fallback = match named {
            None => fallback,
            Some(NO_FALLBACK) => None,
            Some(_) if self.simulate => None,
            Some(named) => Some(Box::new(self.bare(&self.model(named)?, parameters))),
        };
        Ok(RunnerSpec::Model { provider, model, parameters, price, fallback })
    }

    /// The process of this name, if there is one.
    pub(super) fn process(&self, name: &str) -> Result<RunnerSpec, CliError> {
        if self.processes.contains_key(name) {
            return Ok(RunnerSpec::Process { name: name.to_owned() });
        }
        let known: Vec<&str> = self.processes.keys().map(String::as_str).collect();
        let hint = match known.is_empty() {
            true => format!("add [processes.{name}] with its command to the meeting file"),
            false => format!("use one of {}, or add [processes.{name}] with its command", known.join(", ")),
        };
        Err(CliError::usage(format!("there is no process named {name:?}"), hint))
    }

    /// A model with the one that answers for everybody whose own cannot.
    fn spec(&self, named: &(String, String), parameters: ModelParameters) -> RunnerSpec {
        let mut spec = self.bare(named, parameters);
        if let (RunnerSpec::Model { fallback, .. }, Some(other)) = (&mut spec, &self.fallback)
            && other != named
        {
            *fallback = Some(Box::new(self.bare(other, parameters)));
        }
        spec
    }

    fn bare(&self, (provider, model): &(String, String), parameters: ModelParameters) -> RunnerSpec {
        if provider == PROCESS && !self.providers.contains_key(PROCESS) {
            return RunnerSpec::Process { name: model.clone() };
        }
        let config = self.providers.get(provider).map(|found| &found.config);
        RunnerSpec::Model {
            provider: provider.clone(),
            model: model.clone(),
            parameters: with_thinking_room(parameters, config, model),
            price: price(&self.prices, config, provider, model),
            fallback: None,
        }
    }

    pub(super) fn named(&self, text: &str, parameters: ModelParameters) -> Result<RunnerSpec, CliError> {
        Ok(self.spec(&self.split(text)?, parameters))
    }

    /// The model of a seat, in turn.
    pub(super) fn seat(
        &self,
        place: usize,
        parameters: ModelParameters,
        temperament: Temperament,
    ) -> RunnerSpec {
        match self.in_turn.len() {
            0 => RunnerSpec::Simulated { temperament },
            models => self.spec(&self.in_turn[place % models], parameters),
        }
    }

    /// What answers for an agent at this meeting.
    pub(super) fn of_agent(&self, agent: &Agent, temperament: Temperament) -> Result<RunnerSpec, CliError> {
        match &agent.runner {
            RunnerSpec::Model { .. } if self.simulate => Ok(RunnerSpec::Simulated { temperament }),
            RunnerSpec::Model { provider, model, parameters, price: _, fallback } => {
                if !self.providers.contains_key(provider) {
                    return Err(not_configured(&agent.name, provider));
                }
                // Prices are the configuration's, as for everybody.
                let mut spec = self.spec(&(provider.clone(), model.clone()), *parameters);
                if let (Some(own), RunnerSpec::Model { fallback, .. }) = (fallback.as_deref(), &mut spec)
                    && let RunnerSpec::Model { provider, model, parameters, .. } = own
                {
                    if !self.providers.contains_key(provider) {
                        return Err(not_configured(&agent.name, provider));
                    }
                    *fallback = Some(Box::new(self.bare(&(provider.clone(), model.clone()), *parameters)));
                }
                Ok(spec)
            }
            RunnerSpec::Simulated { .. } | RunnerSpec::Process { .. } => Ok(agent.runner.clone()),
        }
    }

    /// What a team can be given: the file's offers, the meeting's models, or the simulation.
    fn offers(
        &self,
        file: &MeetingFile,
        simulate: bool,
        language: Language,
    ) -> Result<Vec<ModelOffer>, CliError> {
        if !file.offers.is_empty() && !simulate {
            let offer = |entry: &OfferEntry| {
                Ok(ModelOffer {
                    name: entry.name.clone().unwrap_or_else(|| entry.model.clone()),
                    runner: self.named(&entry.model, entry.parameters)?,
                    good_at: entry.good_at.clone(),
                })
            };
            return file.offers.iter().map(offer).collect();
        }
        if self.in_turn.is_empty() {
            return Ok(default_offers(language));
        }
        let offer = |model: &(String, String)| {
            let runner = self.spec(model, ModelParameters::default());
            ModelOffer { name: runner.label(), runner, good_at: String::new() }
        };
        Ok(self.in_turn.iter().map(offer).collect())
    }

    fn first(&self, parameters: ModelParameters) -> RunnerSpec {
        self.seat(0, parameters, Temperament::Balanced)
    }
}

fn rules(args: &RunArgs, file: &MeetingFile, format: Format) -> Result<Rules, CliError> {
    let mut rules = laid_over(file.rules(format)?, &args.held)?;
    if let Some(rounds) = args.rounds {
        rules.limits.max_rounds = rounds;
        rules.decision.min_rounds = rules.decision.min_rounds.min(rounds);
    }
    if args.threshold.is_some() {
        rules.decision.mean_score = args.threshold;
    }
    if args.budget_tokens.is_some() {
        rules.limits.tokens = args.budget_tokens;
    }
    let positive = |name: &str, value: f64| match value.is_finite() && value > 0.0 {
        true => Ok(value),
        false => Err(CliError::usage(format!("{name} is {value}"), "give a number above 0")),
    };
    if let Some(amount) = args.budget_cost {
        rules.limits.cost_micros = Some((positive("--budget-cost", amount)? * 1e6).round() as u64);
    }
    if let Some(minutes) = args.budget_minutes {
        rules.limits.wall_ms = Some((positive("--budget-minutes", minutes)? * 60_000.0).round() as u64);
    }
    Ok(rules)
}

fn background(args: &RunArgs, file: &MeetingFile) -> Result<String, CliError> {
    let Some(text) = &args.background else { return Ok(file.background.clone().unwrap_or_default()) };
    match text.strip_prefix('@') {
        None => Ok(text.clone()),
        Some(path) => std::fs::read_to_string(path).map_err(|error| {
            CliError::usage(format!("{path} cannot be read: {error}"), "give --background @FILE")
        }),
    }
}

/// A model that usually thinks gets room for it on top of its answer, where nobody said how much.
fn with_thinking_room(
    parameters: ModelParameters,
    config: Option<&ProviderConfig>,
    model: &str,
) -> ModelParameters {
    let is_said = parameters.effort.is_some() || parameters.thinking_tokens.is_some();
    let usual = config.and_then(vendor_of).and_then(|vendor| vendor.note(model)?.thinking_tokens);
    match is_said {
        true => parameters,
        false => ModelParameters { thinking_tokens: usual, ..parameters },
    }
}

/// Chinese when there is a Chinese character in it, or no letter at all.
fn language_of(topic: &str) -> Language {
    let han =
        |c: char| matches!(c, '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{323AF}');
    match topic.chars().any(han) || !topic.chars().any(char::is_alphabetic) {
        true => Language::Zh,
        false => Language::En,
    }
}

fn random_seed() -> u64 {
    // Small enough to be typed in again.
    uuid::Uuid::now_v7().as_u128() as u64 % 1_000_000
}
