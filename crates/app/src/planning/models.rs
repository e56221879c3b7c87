//! The models of a meeting: those assigned in turn, and the resolution of names.

use std::collections::BTreeMap;
use std::time::Duration;

use futures::future::join_all;
use quorate_contract::{
    Language, ModelOffer, ModelParameters, RunnerSpec, Temperament, TurnDelivery, Wording,
};
use quorate_messages::message;
use quorate_runners::{
    A2A_AGENT, Programs, ProviderConfig, WireFormat, default_offers, is_at_vendor, known_window, vendor,
    vendor_of,
};
use quorate_store::Agent;

use crate::error::ServiceError;
use crate::meeting_file::create_meeting::CreateMeetingRequest;
use crate::meeting_file::entries::{ModelOfferEntry, ParticipantEntry};
use crate::meeting_file::prices::{OwnPrice, price};
use crate::meeting_file::rules::nearest;
use crate::meeting_file::user_file::UserFile;
use crate::providers::available::{
    FoundProvider, Source, found_providers, how_to_add, near_provider, near_vendor, programs_of,
};
use crate::providers::choose::{ChosenModel, ModelChoice};
use crate::providers::discover::{discover, list};
use crate::providers::sources::StoreSource;
use crate::providers::stored::{model_of, not_configured, stored_credentials};

/// The prefix of a process in the name of a model.
pub(crate) const PROCESS: &str = "process";

/// The prefix of a remote agent in the name of a model: `a2a/NAME`, where the provider NAME is one.
pub(crate) const A2A: &str = "a2a";
/// The prefix of a coding agent in the name of a model.
pub(crate) const ACP: &str = "acp";

/// The name that stands for no fallback model.
pub const NO_FALLBACK: &str = "none";

/// The time limit for a server to report the context windows of its models.
const WINDOW_TIMEOUT: Duration = Duration::from_secs(2);

/// The models that seats are given in turn, and the providers behind them.
pub(crate) struct Models {
    pub(crate) providers: BTreeMap<String, FoundProvider>,
    pub(crate) programs: Programs,
    prices: BTreeMap<String, OwnPrice>,
    /// The models in turn, `provider/name` or `process/name`; empty when all participants are simulated.
    in_turn: Vec<(String, String)>,
    /// The provider of models that are named without one.
    default_provider: Option<String>,
    /// The fallback model of all participants.
    fallback: Option<(String, String)>,
    /// Whether all participants are simulated because the request says so.
    pub(crate) simulate: bool,
    pub(crate) simulated_for_want: bool,
    /// The models that were chosen because the request names none.
    pub(crate) choice: Option<ModelChoice>,
    /// Agents of the library that take part, by the names that the file gives them.
    pub(crate) agents: BTreeMap<String, Agent>,
}

impl Models {
    pub(crate) async fn find(
        store_source: &dyn StoreSource,
        new: &CreateMeetingRequest,
        user: &UserFile,
        agents: BTreeMap<String, Agent>,
    ) -> Result<Self, ServiceError> {
        let prices =
            user.prices.iter().chain(&new.prices).map(|(name, price)| (name.clone(), *price)).collect();
        let simulate = new.simulate == Some(true);
        // A simulation needs no key, and so no key file.
        let credentials = if simulate { Vec::new() } else { stored_credentials(store_source).await? };
        let providers = found_providers(new, user, &credentials, !simulate).await?;
        let default_provider = ["openai"].iter().find(|name| providers.contains_key(**name));
        let default_provider = default_provider.map(|name| (*name).to_owned());
        let mut this = Self {
            providers,
            programs: programs_of(new, user),
            prices,
            in_turn: Vec::new(),
            default_provider,
            fallback: None,
            simulate,
            simulated_for_want: false,
            choice: None,
            agents,
        };
        if simulate {
            return Ok(this);
        }
        this.fallback = match new.fallback.as_deref() {
            None | Some(NO_FALLBACK) => None,
            Some(model) => Some(this.model(model)?),
        };
        let named = [&new.models, &user.models].into_iter().find(|models| !models.is_empty());
        if let Some(named) = named {
            this.in_turn = named.iter().map(|name| this.split(name)).collect::<Result<_, _>>()?;
            return Ok(this);
        }
        let everybody_is_named =
            !new.participants.is_empty() && new.participants.iter().all(ParticipantEntry::says_who_answers);
        if everybody_is_named {
            // The facilitator then speaks through the first participant's model.
            let named = new.participants.iter().filter_map(|entry| match (&entry.model, &entry.agent) {
                (Some(model), _) => Some(this.split(model)),
                (None, Some(agent)) => this.agents.get(agent).and_then(model_of).map(Ok),
                (None, None) => None,
            });
            let named = named.collect::<Result<Vec<_>, _>>()?;
            let first =
                named.into_iter().filter_map(|named| Some((this.rank_as_facilitator(&named)?, named)));
            this.in_turn = first.min_by_key(|(rank, _)| *rank).map(|(_, named)| named).into_iter().collect();
            return Ok(this);
        }
        match discover(&this.providers).await? {
            Some(choice) => {
                this.in_turn = choice.in_turn.iter().map(ChosenModel::named).collect();
                this.choice = Some(choice);
            }
            None => this.simulated_for_want = true,
        }
        Ok(this)
    }

    /// Asks self-hosted servers for the context windows of this meeting's models, where they are not known;
    /// those of vendors are in the table. A server that does not answer in time is asked again by the first
    /// call.
    pub(crate) async fn find_windows(&self, new: &CreateMeetingRequest) {
        if self.simulate {
            return;
        }
        let entries = new.participants.iter();
        let written = entries
            .flat_map(|entry| [entry.model.as_deref(), entry.fallback.as_deref()])
            .chain([new.facilitator.model.as_deref(), new.facilitator.fallback.as_deref()])
            .chain(new.offers.iter().map(|offer| Some(offer.model.as_str())));
        let named = written.flatten().filter_map(|name| self.split(name).ok());
        let agents = self.agents.values().filter_map(model_of);
        let lead = self.choice.iter().filter_map(|choice| Some(choice.lead.as_ref()?.named()));
        let asked =
            self.in_turn.iter().cloned().chain(lead).chain(self.fallback.clone()).chain(named).chain(agents);
        let unknown = asked.filter_map(|(provider, model)| {
            let config = &self.providers.get(&provider)?.config;
            let is_own = vendor_of(config).is_none_or(|vendor| vendor.local || !is_at_vendor(config, vendor));
            (is_own && known_window(config, &model).is_none()).then_some((provider, config))
        });
        let servers: BTreeMap<String, &ProviderConfig> = unknown.collect();
        // A list of models teaches the windows that stand in it.
        join_all(servers.into_values().map(|config| list(config, WINDOW_TIMEOUT))).await;
    }

    /// `provider/name`, `process/name`, or a bare name of the provider in the environment. Names may hold
    /// slashes.
    fn split(&self, text: &str) -> Result<(String, String), ServiceError> {
        if let Some((PROCESS, name)) = text.split_once('/')
            && !self.providers.contains_key(PROCESS)
        {
            self.process(name)?;
            return Ok((PROCESS.to_owned(), name.to_owned()));
        }
        if let Some((A2A, name)) = text.split_once('/')
            && !self.providers.contains_key(A2A)
        {
            return match self.is_remote_agent(name) {
                true => Ok((name.to_owned(), A2A_AGENT.to_owned())),
                false => Err(self.no_remote_agent(name)),
            };
        }
        if let Some((ACP, name)) = text.split_once('/')
            && !self.providers.contains_key(ACP)
        {
            self.acp(name)?;
            return Ok((ACP.to_owned(), name.to_owned()));
        }
        if let Some((before, name)) = text.split_once('/')
            && self.via(before).is_some()
            && !name.is_empty()
        {
            return Ok((before.to_owned(), name.to_owned()));
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

    /// Whether a provider is a remote agent.
    fn is_remote_agent(&self, provider: &str) -> bool {
        self.providers.get(provider).is_some_and(|found| found.config.wire == WireFormat::A2a)
    }

    /// How late a respondent of a seat comes for the facilitator when the request names none: models before programs, and
    /// these before agents, which take part; `None` for a person, who is never made to write summaries.
    fn rank_as_facilitator(&self, (provider, _): &(String, String)) -> Option<u8> {
        match self.via(provider) {
            Some(TurnDelivery::Person) => None,
            Some(TurnDelivery::Agent | TurnDelivery::Webhook) => Some(3),
            None if self.is_remote_agent(provider) => Some(2),
            None if self.is_program(provider) => Some(1),
            None => Some(0),
        }
    }

    /// The runner of `agent/NAME`, `webhook/NAME` or `person/NAME`; `None` for a model or a program. They answer for
    /// themselves also where models are simulated.
    pub(crate) fn external(&self, text: &str) -> Option<RunnerSpec> {
        let (word, name) = text.split_once('/')?;
        Some(RunnerSpec::External { via: self.via(word)?, name: name.to_owned() })
    }

    fn no_remote_agent(&self, name: &str) -> ServiceError {
        let known: Vec<&str> =
            self.providers.keys().map(String::as_str).filter(|name| self.is_remote_agent(name)).collect();
        let hint = match &known[..] {
            [] => Wording::from(message!("app-agent-add"))
                .at_terminal(message!("app-agent-add-terminal", name = name)),
            known => Wording::from(message!("app-agent-known", known, name = name)),
        };
        ServiceError::usage(message!("app-agent-unknown", name = name), hint).with("field", "model")
    }

    /// How turns reach the respondents of this word, `agent/…`, where no provider bears it.
    fn via(&self, word: &str) -> Option<TurnDelivery> {
        TurnDelivery::ALL.into_iter().find(|via| via.as_str() == word && !self.providers.contains_key(word))
    }

    /// Whether a name may be one of the default provider's models. At its vendor's own address no name begins
    /// with that of another provider. A self-hosted server can have any name, but hardly one that differs
    /// from another provider's by a typo.
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

    fn unknown(&self, text: &str) -> ServiceError {
        let message = message!("app-model-unknown", %text);
        let before = text.split_once('/').map(|(before, _)| before).filter(|before| !before.is_empty());
        let used = self.providers.iter().filter(|(_, found)| found.source != Source::Preset);
        let known: Vec<&str> = used.map(|(name, _)| name.as_str()).collect();
        let near = before.map(|before| nearest(before, self.providers.keys().map(String::as_str)));
        let hint = match (before, near.as_deref()) {
            (Some(before), _) if vendor(before).is_some() => how_to_add(before),
            (Some(_), Some([near, ..])) => near_provider(near),
            (Some(before), _) if near_vendor(before).is_some() => how_to_add(before),
            _ => match known.as_slice() {
                [] => Wording::from(message!("app-model-add-provider"))
                    .at_terminal(message!("app-model-add-provider-terminal")),
                known => Wording::from(message!("app-model-known", known))
                    .at_terminal(message!("app-model-known-terminal", known)),
            },
        };
        ServiceError::usage(message, hint).with("field", "model")
    }

    /// Whether a word before a slash stands for programs, and for no provider.
    fn is_program(&self, word: &str) -> bool {
        [PROCESS, ACP].contains(&word) && !self.providers.contains_key(word)
    }

    /// Resolves the name of a fallback model, which cannot be a program.
    fn model(&self, text: &str) -> Result<(String, String), ServiceError> {
        let named = self.split(text)?;
        match self.via(&named.0).is_some() || self.is_program(&named.0) {
            false => Ok(named),
            true => Err(ServiceError::usage(
                message!("app-model-not-fallback", text),
                message!("app-model-not-fallback-hint"),
            )
            .with("field", "fallback")),
        }
    }

    /// Resolves a model together with its fallback: the one given here, or the one for all participants.
    pub(crate) fn with_fallback(
        &self,
        runner: RunnerSpec,
        named: Option<&str>,
    ) -> Result<RunnerSpec, ServiceError> {
        let RunnerSpec::Model { provider, model, parameters, price, fallback } = runner else {
            return Ok(runner);
        };
        let fallback = match named {
            None => fallback,
            Some(NO_FALLBACK) => None,
            Some(_) if self.simulate => None,
            Some(named) => {
                // The window is the first model's own.
                let parameters = ModelParameters { context_tokens: None, ..parameters };
                Some(Box::new(self.bare(&self.model(named)?, parameters)))
            }
        };
        Ok(RunnerSpec::Model { provider, model, parameters, price, fallback })
    }

    /// The process of this name, if there is one.
    pub(crate) fn process(&self, name: &str) -> Result<RunnerSpec, ServiceError> {
        if self.programs.processes.contains_key(name) {
            return Ok(RunnerSpec::Process { name: name.to_owned() });
        }
        let known: Vec<&str> = self.programs.processes.keys().map(String::as_str).collect();
        let hint = match known.is_empty() {
            true => message!("remedy-no-process-configured", name),
            false => message!("remedy-use-other-process", known = &known[..], name),
        };
        Err(ServiceError::usage(message!("failure-no-process", name), hint).with("field", "model"))
    }

    /// The coding agent of `NAME` or `NAME/FOLDER`, if there is one.
    pub(crate) fn acp(&self, text: &str) -> Result<RunnerSpec, ServiceError> {
        let runner = RunnerSpec::acp(text);
        let RunnerSpec::Acp { name, folder } = &runner else { return Ok(runner) };
        let Some(agent) = self.programs.acp.get(name) else {
            let known: Vec<&str> = self.programs.acp.keys().map(String::as_str).collect();
            let hint = match known.is_empty() {
                true => message!("remedy-no-acp-configured", name),
                false => message!("remedy-use-other-acp", known = &known[..], name),
            };
            return Err(ServiceError::usage(message!("failure-no-acp", name), hint).with("field", "model"));
        };
        agent.check()?;
        match agent.folder(folder) {
            Ok(_) => Ok(runner),
            Err(error) => Err(ServiceError::from(error).with("field", "model")),
        }
    }

    /// The runner of a model, with the fallback for all participants.
    fn spec(&self, named: &(String, String), parameters: ModelParameters) -> RunnerSpec {
        let mut spec = self.bare(named, parameters);
        if let (RunnerSpec::Model { fallback, .. }, Some(other)) = (&mut spec, &self.fallback)
            && other != named
        {
            let parameters = ModelParameters { context_tokens: None, ..parameters };
            *fallback = Some(Box::new(self.bare(other, parameters)));
        }
        spec
    }

    fn bare(&self, (provider, model): &(String, String), parameters: ModelParameters) -> RunnerSpec {
        if provider == PROCESS && !self.providers.contains_key(PROCESS) {
            return RunnerSpec::Process { name: model.clone() };
        }
        if provider == ACP && !self.providers.contains_key(ACP) {
            return RunnerSpec::acp(model);
        }
        if let Some(via) = self.via(provider) {
            return RunnerSpec::External { via, name: model.clone() };
        }
        let config = self.providers.get(provider).map(|found| &found.config);
        RunnerSpec::Model {
            provider: provider.clone(),
            model: model.clone(),
            parameters: with_what_is_known(parameters, config, model),
            price: price(&self.prices, config, provider, model),
            fallback: None,
        }
    }

    pub(crate) fn named(&self, text: &str, parameters: ModelParameters) -> Result<RunnerSpec, ServiceError> {
        Ok(self.spec(&self.split(text)?, parameters))
    }

    /// The model of a seat, in turn.
    pub(crate) fn seat(
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

    /// The runner of an agent at this meeting.
    pub(crate) fn of_agent(
        &self,
        agent: &Agent,
        temperament: Temperament,
    ) -> Result<RunnerSpec, ServiceError> {
        match &agent.runner {
            RunnerSpec::Model { .. } if self.simulate => Ok(RunnerSpec::Simulated { temperament }),
            RunnerSpec::Model { provider, model, parameters, price: _, fallback } => {
                if !self.providers.contains_key(provider) {
                    return Err(not_configured(&agent.name, provider));
                }
                // Prices come from the configuration, as for all participants.
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
            RunnerSpec::Process { .. } | RunnerSpec::Acp { .. } if self.simulate => {
                Ok(RunnerSpec::Simulated { temperament })
            }
            RunnerSpec::Process { name } => self.process(name),
            RunnerSpec::Acp { name, folder } => self.acp(&format!("{name}/{folder}")),
            RunnerSpec::Simulated { .. } | RunnerSpec::External { .. } => Ok(agent.runner.clone()),
        }
    }

    /// The models that a team can be given: the file's offers, the meeting's models, or the simulation.
    pub(crate) fn offers(
        &self,
        new: &CreateMeetingRequest,
        language: Language,
    ) -> Result<Vec<ModelOffer>, ServiceError> {
        if !new.offers.is_empty() && !self.simulate {
            let offer = |entry: &ModelOfferEntry| {
                Ok(ModelOffer {
                    name: entry.name.clone().unwrap_or_else(|| entry.model.clone()),
                    runner: self.named(&entry.model, entry.parameters)?,
                    good_at: entry.good_at.clone(),
                })
            };
            return new.offers.iter().map(offer).collect();
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

    /// Whether any participant uses a model.
    pub(crate) fn has_any(&self) -> bool {
        !self.in_turn.is_empty()
    }

    /// The model of the moderator or facilitator: a strong one when the request names none, else the first.
    pub(crate) fn lead(&self, parameters: ModelParameters) -> RunnerSpec {
        match self.choice.as_ref().and_then(|choice| choice.lead.as_ref()) {
            Some(lead) => self.spec(&lead.named(), parameters),
            None => self.seat(0, parameters, Temperament::Balanced),
        }
    }
}

/// Adds known properties of a model where the request does not set them: tokens for thinking on top of the
/// answer, when it usually thinks, and its context window.
fn with_what_is_known(
    parameters: ModelParameters,
    config: Option<&ProviderConfig>,
    model: &str,
) -> ModelParameters {
    let is_said = parameters.effort.is_some() || parameters.thinking_tokens.is_some();
    let usual = config.and_then(vendor_of).and_then(|vendor| vendor.note(model)?.thinking_tokens);
    let window = config.and_then(|config| known_window(config, model));
    ModelParameters {
        thinking_tokens: if is_said { parameters.thinking_tokens } else { usual },
        context_tokens: parameters.context_tokens.or(window),
        ..parameters
    }
}
