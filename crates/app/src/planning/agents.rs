//! The library of agents: described once, taking part in many meetings.

use std::time::Duration;

use quorate_contract::{AgentId, Effort, ModelParameters, Role, RunnerSpec, Temperament, Wording};
use quorate_engine::{Clock, Secret, SystemClock};
use quorate_messages::message;
use quorate_runners::{ModelRunner, Probe};
use quorate_store::{Agent, Credential, Store};
use serde::{Deserialize, Deserializer};

use crate::error::ServiceError;
use crate::language::InBoth;
use crate::meeting_file::create_meeting::CreateMeetingRequest;
use crate::meeting_file::user_file::UserFile;
use crate::planning::models::{ACP, NO_FALLBACK, PROCESS};
use crate::providers::available::providers_of;
use crate::providers::credential::{check_given, credential};
use crate::providers::sources::Sources;
use crate::providers::stored::{not_configured, stored_credentials};

/// The time limit of a connection test: a local model may have to be loaded first.
const TIMEOUT: Duration = Duration::from_secs(120);

/// The settings of an agent. A field that is left out keeps its value; `null` for a sampling parameter uses
/// the provider's default.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct AgentRequest {
    /// 1-50 characters, unique in the library.
    #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 50))]
    pub name: Option<String>,
    /// The name of the role, 1-50 characters.
    #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 50))]
    pub role: Option<String>,
    /// The role: what the agent looks at and how, 1-2000 characters.
    #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 2000))]
    pub description: Option<String>,
    /// An additional instruction for the model, at most 2000 characters.
    #[cfg_attr(feature = "openapi", schema(max_length = 2000))]
    pub system_prompt: Option<String>,
    /// The model, `provider/name`, or what answers in its place: `process/name`, or a coding agent, `acp/name` or
    /// `acp/name/folder`.
    pub model: Option<String>,
    /// The fallback model, `provider/name`, which answers when the model cannot; `none` for no fallback.
    pub fallback: Option<String>,
    /// The behaviour of a simulated agent; set this instead of `model`.
    pub temperament: Option<Temperament>,
    /// The skip list: when every message since the agent's last message is one of these phrases, its turn is
    /// skipped without a call. A phrase that begins with `/` or `!` is a command and also matches with
    /// anything after it. At most 50 phrases of 1-200 characters.
    #[cfg_attr(feature = "openapi", schema(max_items = 50))]
    pub skip_list: Option<Vec<String>>,
    /// The temperature, 0-2.
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<f64>, minimum = 0, maximum = 2))]
    pub temperature: Option<Option<f64>>,
    /// The nucleus sampling threshold, 0-1.
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<f64>, minimum = 0, maximum = 1))]
    pub top_p: Option<Option<f64>>,
    /// The largest number of tokens in one answer.
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<u32>))]
    pub max_tokens: Option<Option<u32>>,
    /// How much the model should think before it answers.
    #[serde(default, deserialize_with = "given")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Effort>))]
    pub effort: Option<Option<Effort>>,
    /// The base URL of its provider's API.
    pub base_url: Option<String>,
    /// The API key of the agent's provider; stored encrypted and never returned.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, write_only))]
    pub api_key: Option<Secret>,
    /// Whether the address may lie on this machine or its network. Only the operator may allow it.
    #[serde(skip)]
    pub allow_local: bool,
}

/// Distinguishes `null` from a missing field.
fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(value: D) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(value).map(Some)
}

impl AgentRequest {
    /// The body of a request over the interface, with the key in plain text.
    pub fn to_body(&self) -> serde_json::Value {
        let Self { name, role, description, system_prompt, model, fallback, temperament, .. } = self;
        let Self {
            temperature, top_p, max_tokens, effort, base_url, api_key, skip_list, allow_local: _, ..
        } = self;
        let mut body = serde_json::json!({
            "name": name, "role": role, "description": description, "system_prompt": system_prompt, "model": model,
            "fallback": fallback, "temperament": temperament, "base_url": base_url,
            "skip_list": skip_list,
            "api_key": api_key.as_ref().map(Secret::expose),
        });
        let fields = body.as_object_mut().expect("an object");
        fields.retain(|_, value| !value.is_null());
        // Of these, null says something.
        let numbers = [
            ("temperature", temperature.map(|value| serde_json::json!(value))),
            ("top_p", top_p.map(|value| serde_json::json!(value))),
            ("max_tokens", max_tokens.map(|value| serde_json::json!(value))),
            ("effort", effort.map(|value| serde_json::json!(value))),
        ];
        fields.extend(numbers.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))));
        body
    }
}

/// An agent after a change.
#[derive(Debug, Clone)]
pub struct SavedAgent {
    /// The agent.
    pub agent: Agent,
    /// Other agents that use the provider whose key or address was given.
    pub shared_with: Vec<String>,
}

impl AgentRequest {
    /// The runner that answers from now on; `None` when the request does not touch it.
    ///
    /// # Errors
    /// When the fields of the request contradict each other.
    pub fn runner(&self, before: Option<&RunnerSpec>) -> Result<Option<RunnerSpec>, ServiceError> {
        if let Some(temperament) = self.temperament {
            if self.model.is_some() {
                let error = ServiceError::usage(
                    message!("app-agent-model-or-temperament"),
                    message!("app-agent-model-or-temperament-hint"),
                );
                return Err(error.with("field", "agent.model"));
            }
            return match self.samples() {
                false => Ok(Some(RunnerSpec::Simulated { temperament })),
                true => Err(no_sampling()),
            };
        }
        if let Some(runner) = self.model.as_deref().and_then(program) {
            return match self.samples() {
                false => Ok(Some(runner)),
                true => Err(no_sampling()),
            };
        }
        let (provider, model, mut parameters) = match (&self.model, before) {
            (Some(text), before) => {
                let (provider, model) = provider_and_model(text)?;
                let parameters = match before {
                    Some(RunnerSpec::Model { parameters, .. }) => *parameters,
                    Some(
                        RunnerSpec::Simulated { .. }
                        | RunnerSpec::Process { .. }
                        | RunnerSpec::Acp { .. }
                        | RunnerSpec::External { .. },
                    )
                    | None => ModelParameters::default(),
                };
                (provider, model, parameters)
            }
            (None, Some(RunnerSpec::Model { .. })) if !self.names_sampling() => return Ok(None),
            (None, Some(RunnerSpec::Model { provider, model, parameters, .. })) => {
                (provider.clone(), model.clone(), *parameters)
            }
            (
                None,
                Some(
                    RunnerSpec::Simulated { .. }
                    | RunnerSpec::Process { .. }
                    | RunnerSpec::Acp { .. }
                    | RunnerSpec::External { .. },
                ),
            ) => {
                return if self.samples() { Err(no_sampling()) } else { Ok(None) };
            }
            (None, None) => return Ok(None),
        };
        parameters.temperature = self.temperature.unwrap_or(parameters.temperature);
        parameters.top_p = self.top_p.unwrap_or(parameters.top_p);
        parameters.max_tokens = self.max_tokens.unwrap_or(parameters.max_tokens);
        parameters.effort = self.effort.unwrap_or(parameters.effort);
        let fallback = self.fallback(before, parameters)?.map(Box::new);
        Ok(Some(RunnerSpec::Model { provider, model, parameters, price: None, fallback }))
    }

    fn fallback(
        &self,
        before: Option<&RunnerSpec>,
        parameters: ModelParameters,
    ) -> Result<Option<RunnerSpec>, ServiceError> {
        Ok(match (self.fallback.as_deref(), before) {
            (Some(NO_FALLBACK), _) => None,
            (Some(text), _) => {
                let (provider, model) = provider_and_model(text)?;
                Some(RunnerSpec::Model { provider, model, parameters, price: None, fallback: None })
            }
            (None, Some(RunnerSpec::Model { fallback, .. })) => {
                fallback.as_deref().map(|own| match own.clone() {
                    RunnerSpec::Model { provider, model, price, fallback, .. } => {
                        RunnerSpec::Model { provider, model, parameters, price, fallback }
                    }
                    other => other,
                })
            }
            (None, _) => None,
        })
    }

    /// Whether the request sets how a model answers, or has it set back to the default of the provider.
    fn names_sampling(&self) -> bool {
        let numbers = self.temperature.is_some() || self.top_p.is_some() || self.max_tokens.is_some();
        numbers || self.effort.is_some() || self.fallback.is_some()
    }

    /// Whether the request sets how a model answers. What has no model has the default already.
    fn samples(&self) -> bool {
        let numbers = self.temperature.flatten().is_some() || self.top_p.flatten().is_some();
        let numbers = numbers || self.max_tokens.flatten().is_some();
        numbers || self.effort.flatten().is_some() || self.fallback.is_some()
    }

    /// A new agent, as the request describes it.
    ///
    /// # Errors
    /// When nothing answers for it. All else is checked where it is stored.
    pub fn new_agent(&self) -> Result<Agent, ServiceError> {
        let Some(runner) = self.runner(None)? else {
            return Err(ServiceError::usage(
                message!("app-agent-without-model"),
                Wording::from(message!("app-agent-without-model-hint"))
                    .at_terminal(message!("app-agent-without-model-hint-terminal")),
            )
            .with("field", "agent.model"));
        };
        let now = SystemClock.now();
        let text = |given: &Option<String>| given.clone().unwrap_or_default();
        Ok(Agent {
            id: AgentId::new(uuid::Uuid::now_v7().to_string()),
            name: text(&self.name),
            role: Role {
                name: text(&self.role),
                description: text(&self.description),
                system_prompt: text(&self.system_prompt),
            },
            runner,
            profile: None,
            skip_list: self.skip_list.clone().unwrap_or_default(),
            created_ms: now,
            updated_ms: now,
        })
    }

    /// An agent as it is after this.
    ///
    /// # Errors
    /// When what the request says cannot go together.
    pub fn changed(&self, before: &Agent) -> Result<Agent, ServiceError> {
        let mut agent = before.clone();
        if let Some(runner) = self.runner(Some(&before.runner))? {
            agent.runner = runner;
        }
        let put = |to: &mut String, given: &Option<String>| {
            if let Some(text) = given {
                to.clone_from(text);
            }
        };
        put(&mut agent.name, &self.name);
        put(&mut agent.role.name, &self.role);
        put(&mut agent.role.description, &self.description);
        put(&mut agent.role.system_prompt, &self.system_prompt);
        if let Some(skip_list) = &self.skip_list {
            agent.skip_list.clone_from(skip_list);
        }
        Ok(agent)
    }

    /// The credential for the agent's provider that the request holds.
    fn credential(&self, agent: &Agent) -> Result<Option<Credential>, ServiceError> {
        match &agent.runner {
            RunnerSpec::Model { provider, .. } => {
                let given = credential(provider, self.base_url.as_deref(), self.api_key.clone())?;
                given.map(|given| check_given(given, self.allow_local)).transpose()
            }
            RunnerSpec::Simulated { .. }
            | RunnerSpec::Process { .. }
            | RunnerSpec::Acp { .. }
            | RunnerSpec::External { .. } => match self.base_url.is_some() || self.api_key.is_some() {
                false => Ok(None),
                true => Err(simulated_needs_no_key()),
            },
        }
    }
}

fn without_a_model() -> Wording {
    Wording::from(message!("app-agent-simulated-hint"))
        .at_terminal(message!("app-agent-simulated-hint-terminal"))
}

/// The error for a key or an address that is given for a simulated agent.
pub fn simulated_needs_no_key() -> ServiceError {
    ServiceError::usage(message!("app-agent-simulated-key"), without_a_model()).with("field", "api_key")
}

/// The program of `process/NAME`, `acp/NAME` or `acp/NAME/FOLDER`. Whether it is configured is known where the agent takes a
/// seat.
fn program(text: &str) -> Option<RunnerSpec> {
    match text.split_once('/')? {
        (_, "") => None,
        (PROCESS, name) => Some(RunnerSpec::Process { name: name.to_owned() }),
        (ACP, name) => Some(RunnerSpec::acp(name)),
        _ => None,
    }
}

/// Splits `PROVIDER/NAME`.
fn provider_and_model(text: &str) -> Result<(String, String), ServiceError> {
    let named = text.split_once('/').filter(|(provider, name)| !provider.is_empty() && !name.is_empty());
    match named {
        None => Err(ServiceError::usage(
            message!("app-agent-model-unclear", %text),
            message!("app-agent-model-unclear-hint"),
        )
        .with("field", "agent.model")),
        Some((provider, model)) => Ok((provider.to_owned(), model.to_owned())),
    }
}

fn no_sampling() -> ServiceError {
    ServiceError::usage(message!("app-agent-simulated-parameters"), without_a_model())
        .with("field", "agent.parameters")
}

/// Takes an agent into the library, with the key and address of its provider; all or nothing.
///
/// # Errors
/// When something about it is not right, or its name is taken.
pub(crate) async fn create_agent(store: &Store, request: &AgentRequest) -> Result<SavedAgent, ServiceError> {
    let agent = request.new_agent()?;
    let credential = request.credential(&agent)?;
    let shared_with = others_with(store, &agent, credential.as_ref()).await?;
    let agent = store.create_agent(agent, credential).await?;
    Ok(SavedAgent { agent, shared_with })
}

/// Changes what is given about the agent of this name or id.
///
/// # Errors
/// When something about it is not right, or there is no such agent.
pub(crate) async fn update_agent(
    store: &Store,
    name: &str,
    request: &AgentRequest,
) -> Result<SavedAgent, ServiceError> {
    let before = store.agent(name).await?;
    let mut agent = request.changed(&before)?;
    let credential = request.credential(&agent)?;
    if agent == before && credential.is_none() {
        return Ok(SavedAgent { agent: before, shared_with: Vec::new() });
    }
    // The moment is the version, too: no two are the same.
    agent.updated_ms = SystemClock.now().max(before.updated_ms.plus_ms(1));
    let shared_with = others_with(store, &agent, credential.as_ref()).await?;
    let agent = store.update_agent(agent, credential).await?;
    Ok(SavedAgent { agent, shared_with })
}

/// The other agents that use the provider whose stored credential is about to change.
async fn others_with(
    store: &Store,
    agent: &Agent,
    credential: Option<&Credential>,
) -> Result<Vec<String>, ServiceError> {
    match credential {
        Some(_) => others_at(store, agent).await,
        None => Ok(Vec::new()),
    }
}

/// The other agents that use an agent's provider.
///
/// # Errors
/// When the database cannot be read.
pub(crate) async fn others_at(store: &Store, agent: &Agent) -> Result<Vec<String>, ServiceError> {
    let provider_of = |agent: &Agent| match &agent.runner {
        RunnerSpec::Model { provider, .. } => Some(provider.clone()),
        RunnerSpec::Simulated { .. }
        | RunnerSpec::Process { .. }
        | RunnerSpec::Acp { .. }
        | RunnerSpec::External { .. } => None,
    };
    let all = store.agents().await?;
    let others = all.iter().filter(|other| other.id != agent.id && provider_of(other) == provider_of(agent));
    Ok(others.map(|other| other.name.clone()).collect())
}

/// Tests the connection by asking an agent's model for one word. Does nothing for an agent without a model:
/// it can always speak.
///
/// # Errors
/// When the provider is not configured, or its answer fails.
pub async fn test_agent(
    sources: &Sources<'_>,
    file: &CreateMeetingRequest,
    agent: &Agent,
) -> Result<Option<Probe>, ServiceError> {
    let RunnerSpec::Model { provider: name, model, parameters, .. } = &agent.runner else { return Ok(None) };
    let user = UserFile::read(sources.config)?;
    let mut providers =
        providers_of(file, &user, &stored_credentials(sources.store_source).await?, true).await?;
    let Some(mut provider) = providers.remove(name) else {
        let (message, hint) = not_configured(&agent.name, name).in_both();
        return Err(ServiceError::api(name, None, message, hint));
    };
    // The test is about the present state, so it does not retry.
    provider.retries = 0;
    let runner = ModelRunner::new(provider)
        .map_err(|error| error.in_both())
        .map_err(|(message, hint)| ServiceError::api(name, None, message, hint))?;
    match tokio::time::timeout(TIMEOUT, runner.probe(model, *parameters)).await {
        Ok(probe) => Ok(Some(probe?)),
        Err(_) => {
            let seconds = TIMEOUT.as_secs();
            let message = message!("app-agent-no-answer", %name, %seconds);
            let hint = message!("app-agent-no-answer-hint");
            Err(ServiceError::api(name, None, message, hint))
        }
    }
}
