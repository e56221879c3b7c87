//! Puts everything together: who sits at the table, by which rules, and who answers for them.

use std::collections::BTreeMap;
use std::sync::Arc;

use quorate_core::{
    Facilitator, Format, Founding, Language, Meeting, ModelOffer, ModelParameters, Newcomer, Price, Role,
    Rules, RunnerSpec, Temperament,
};
use quorate_runners::{
    Directory, Pace, ProcessConfig, ProviderConfig, SimulatedRunner, default_cast, default_offers,
    default_temperaments,
};
use quorate_store::{Agent, Credential};

use super::discover::{discover, find_version, from_environment, ollama_url};
use super::file::{MeetingFile, OfferEntry, ParticipantEntry, PriceEntry, UserFile};
use super::held::{self, laid_over};
use super::library::{agents_of, lend_key, model_of, not_configured, provider_of, stored_credentials};
use crate::args::{Lang, RunArgs};
use crate::error::CliError;
use crate::place::Place;

/// What stands before the name of a process where a model is named.
const PROCESS: &str = "process";

/// How many sit down when nobody said.
const SEATS: usize = 4;

/// A meeting that can begin.
pub(crate) struct Plan {
    pub(crate) founding: Founding,
    pub(crate) providers: Vec<ProviderConfig>,
    pub(crate) processes: BTreeMap<String, ProcessConfig>,
    /// Nothing was found that could answer, so everybody is simulated without having been asked for.
    pub(crate) simulated_for_want_of_models: bool,
}

/// Providers that are configured: in the meeting's file, in the user's, in the environment, among
/// the stored `credentials`, and Ollama; what comes first here wins. With `ask`, a server whose base
/// URL may lack its `/v1` is asked.
pub(crate) async fn providers_of(
    file: &MeetingFile,
    user: &UserFile,
    credentials: &[Credential],
    ask: bool,
) -> Result<BTreeMap<String, ProviderConfig>, CliError> {
    let mut providers = BTreeMap::new();
    let ollama = ProviderConfig::new("ollama", ollama_url()?);
    providers.insert(ollama.name.clone(), ollama);
    let environment = from_environment()?;
    for credential in credentials {
        if environment.as_ref().is_some_and(|provider| provider.name == credential.provider) {
            continue;
        }
        if let Some(mut provider) = provider_of(credential)? {
            if ask {
                find_version(&mut provider).await;
            }
            providers.insert(provider.name.clone(), provider);
        }
    }
    if let Some(mut openai) = environment {
        lend_key(&mut openai, credentials, true)?;
        if ask {
            find_version(&mut openai).await;
        }
        providers.insert(openai.name.clone(), openai);
    }
    let own = user.providers.iter().map(|provider| (provider, true));
    for ((name, config), own) in own.chain(file.providers.iter().map(|provider| (provider, false))) {
        let mut config = ProviderConfig { name: name.clone(), ..config.clone() };
        config.find_key(|variable| std::env::var(variable).ok())?;
        lend_key(&mut config, credentials, own)?;
        providers.insert(name.clone(), config);
    }
    Ok(providers)
}

/// Processes that are configured, in the meeting's file and in the user's.
pub(crate) fn processes_of(file: &MeetingFile, user: &UserFile) -> BTreeMap<String, ProcessConfig> {
    let all = user.processes.iter().chain(&file.processes);
    all.map(|(name, config)| (name.clone(), config.clone())).collect()
}

/// Everybody who can answer: the providers, the processes, and the simulation.
pub(crate) fn runners(
    providers: impl IntoIterator<Item = ProviderConfig>,
    processes: impl IntoIterator<Item = ProcessConfig>,
    pace: Pace,
) -> Result<Arc<Directory>, CliError> {
    quorate_runners::install_tls();
    let mut directory = Directory::open(providers, Arc::new(SimulatedRunner::new(pace)))?;
    for process in processes {
        directory.add_process(process)?;
    }
    Ok(Arc::new(directory))
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
                runner: match &file.facilitator.model {
                    Some(model) => models.named(model, file.facilitator.parameters)?,
                    None => models.first(file.facilitator.parameters),
                },
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
            providers: models.providers.into_values().collect(),
            processes: models.processes,
        })
    }
}

/// The models that seats are given in turn, and the providers behind them.
struct Models {
    providers: BTreeMap<String, ProviderConfig>,
    processes: BTreeMap<String, ProcessConfig>,
    prices: BTreeMap<String, PriceEntry>,
    /// `provider/name` each, or `process/name`; empty when everybody is simulated.
    in_turn: Vec<(String, String)>,
    /// The provider of models that are named without one.
    default_provider: Option<String>,
    /// Everybody is simulated because somebody wished it.
    simulate: bool,
    simulated_for_want: bool,
    /// Agents of the library that are to be seated, by the names that the file calls them by.
    agents: BTreeMap<String, Agent>,
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
        let providers = providers_of(file, user, &credentials, !simulate).await?;
        let default_provider = ["openai"].iter().find(|name| providers.contains_key(**name));
        let default_provider = default_provider.map(|name| (*name).to_owned());
        let mut this = Self {
            providers,
            processes: processes_of(file, user),
            prices,
            in_turn: Vec::new(),
            default_provider,
            simulate,
            simulated_for_want: false,
            agents,
        };
        if simulate {
            return Ok(this);
        }
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
            Some(provider) => Ok((provider.clone(), text.to_owned())),
            None => {
                let known: Vec<&str> = self.providers.keys().map(String::as_str).collect();
                Err(CliError::usage(
                    format!("the model {text:?} belongs to no provider that is configured"),
                    format!(
                        "write PROVIDER/NAME with one of {}, set OPENAI_BASE_URL, or add [providers.NAME]",
                        known.join(", ")
                    ),
                ))
            }
        }
    }

    /// The process of this name, if there is one.
    fn process(&self, name: &str) -> Result<RunnerSpec, CliError> {
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

    fn spec(&self, (provider, model): &(String, String), parameters: ModelParameters) -> RunnerSpec {
        if provider == PROCESS && !self.providers.contains_key(PROCESS) {
            return RunnerSpec::Process { name: model.clone() };
        }
        let price = self.prices.get(&format!("{provider}/{model}")).or_else(|| self.prices.get(model));
        let micros = |amount: f64| (amount * 1e6).round().clamp(0.0, 1e15) as u64;
        RunnerSpec::Model {
            provider: provider.clone(),
            model: model.clone(),
            parameters,
            price: price.map(|p| Price {
                input_micros: micros(p.input),
                output_micros: micros(p.output),
                cache_write_micros: None,
                cached_micros: None,
            }),
            fallback: None,
        }
    }

    fn named(&self, text: &str, parameters: ModelParameters) -> Result<RunnerSpec, CliError> {
        Ok(self.spec(&self.split(text)?, parameters))
    }

    /// The model of a seat, in turn.
    fn seat(&self, place: usize, parameters: ModelParameters, temperament: Temperament) -> RunnerSpec {
        match self.in_turn.len() {
            0 => RunnerSpec::Simulated { temperament },
            models => self.spec(&self.in_turn[place % models], parameters),
        }
    }

    /// What answers for an agent at this meeting.
    fn of_agent(&self, agent: &Agent, temperament: Temperament) -> Result<RunnerSpec, CliError> {
        match &agent.runner {
            RunnerSpec::Model { .. } if self.simulate => Ok(RunnerSpec::Simulated { temperament }),
            RunnerSpec::Model { provider, model, parameters, price: _, fallback: _ } => {
                if !self.providers.contains_key(provider) {
                    return Err(not_configured(&agent.name, provider));
                }
                // Prices are the configuration's, as for everybody.
                Ok(self.spec(&(provider.clone(), model.clone()), *parameters))
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

fn participants(
    args: &RunArgs,
    file: &MeetingFile,
    language: Language,
    seed: u64,
    models: &mut Models,
) -> Result<Vec<Newcomer>, CliError> {
    let named: Vec<ParticipantEntry> = match &args.participants {
        None => file.participants.clone(),
        Some(text) => match text.trim().parse::<usize>() {
            Ok(count) => return seats(count, language, seed, models),
            Err(_) => {
                text.split([',', '，', '、']).map(|name| ParticipantEntry::named(name.trim())).collect()
            }
        },
    };
    if named.is_empty() {
        return seats(SEATS, language, seed, models);
    }
    let temperaments = default_temperaments(named.len(), seed);
    // Whoever has no role of its own gets one, so that the table looks from several sides.
    let roles =
        default_cast(language, 12, seed, |_| RunnerSpec::Simulated { temperament: Temperament::Balanced });
    let seat = |(place, entry): (usize, ParticipantEntry)| {
        if let Some(agent) = entry.agent.as_ref().and_then(|name| models.agents.get(name)) {
            let runner = models.of_agent(agent, temperaments[place])?;
            return Ok(Newcomer { runner, ..agent.newcomer() });
        }
        if entry.process.is_some()
            && let Err(error) = check_process_seat(&entry)
        {
            return Err(match file.locate(&format!("participants[{place}].process")) {
                Some(at) => error.at(&at),
                None => error,
            });
        }
        let runner = match (&entry.process, &entry.model, entry.temperament) {
            (_, _, Some(temperament)) => RunnerSpec::Simulated { temperament },
            (Some(process), _, None) if !args.simulate => models.process(process)?,
            (None, Some(model), None) if !args.simulate => models.named(model, entry.parameters)?,
            (_, _, None) => models.seat(place, entry.parameters, temperaments[place]),
        };
        let role = entry.role.unwrap_or_else(|| role_at(&roles, place));
        Ok(Newcomer { name: entry.name, role, runner })
    };
    named.into_iter().enumerate().map(seat).collect()
}

/// A process answers alone, and decides itself how it samples.
fn check_process_seat(entry: &ParticipantEntry) -> Result<(), CliError> {
    let beside = [
        ("model", entry.model.is_some()),
        ("temperament", entry.temperament.is_some()),
        ("parameters", entry.parameters != ModelParameters::default()),
    ];
    match beside.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((field, _)) => Err(CliError::usage(
            format!("{:?} has a process and {field}", entry.name),
            format!("leave out one of them: a process takes no {field}"),
        )),
    }
}

fn role_at(roles: &[Newcomer], place: usize) -> Role {
    roles[place % roles.len()].role.clone()
}

fn seats(count: usize, language: Language, seed: u64, models: &Models) -> Result<Vec<Newcomer>, CliError> {
    if !(1..=12).contains(&count) {
        return Err(CliError::usage(
            format!("{count} participants cannot be seated"),
            "choose a number from 1 to 12, or name up to 16 in a meeting file",
        )
        .with("field", "participants"));
    }
    let temperaments = default_temperaments(count, seed);
    Ok(default_cast(language, count, seed, |place| {
        models.seat(place, ModelParameters::default(), temperaments[place])
    }))
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
