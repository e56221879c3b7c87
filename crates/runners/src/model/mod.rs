//! Models behind any provider, in any wire format (see `wire`).
//!
//! The adapters are our own because clients differ or fail at what they promise: no usage is lost, an answer
//! that was cut off is never taken for a complete one, no server can fill the memory, and nothing is paid
//! twice without the meeting's consent. Rules for retries:
//!
//! - A request that is proven not to have been carried out (no connection, 429, a vendor's own report of
//!   overload) is sent again up to `retries` times, with random waits that grow. A wait that a provider asks
//!   for holds for all calls (see `limits`), and a provider that keeps failing is not called for a while (see
//!   `breaker`).
//! - After a server's refusal of some part of the request (see `capabilities`), the request is sent again
//!   without that part, which does not count as a retry.
//! - A request that may have been carried out (cut off, timed out, unreadable, empty, or 5xx from a gateway)
//!   is not sent again: the meeting, which holds the budget, decides.

mod a2a_agent;
mod attempt;
pub(crate) mod breaker;
mod capabilities;
mod client;
mod concurrency;
mod config_check;
mod failure;
mod foreign;
pub mod fuzzing;
mod health;
mod learned;
mod limits;
mod models;
mod ports;
mod probe;
pub(crate) mod proxy;
mod reasoning;
pub(crate) mod redact;
pub(crate) mod refusal;
mod reply;
mod response;
mod retry;
mod share;
mod sse;
mod streams;
mod surrogates;
mod vendor_errors;
mod waits;
mod web;
pub(crate) mod window;
pub(crate) mod wire;

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use futures::future::BoxFuture;
use quorate_contract::{
    Answer, Failure, FailureKind, ModelParameters, Outcome, RunnerSpec, ToolRequest, ToolRequests, Usage,
};
use quorate_engine::{FragmentSink, Request, Runner};
use quorate_messages::{Message, message};
use reqwest::Client;
use reqwest::header::HeaderMap;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, sleep, timeout};

pub use self::a2a_agent::AGENT as A2A_AGENT;
pub use self::health::Health;
pub use self::learned::{ModelLimits, forget_lessons, lessons, recall, was_refused};
pub use self::models::near_models;
pub use self::ports::{ModelPorts, Network, RandomSource, SendError, Transport};
pub use self::probe::{Probe, ProbeFailure};
pub use self::share::{
    AllowanceNeed, ShareGrant, ShareNeed, ShareStanding, begin_leases, grant_shares, lapse_leases,
    share_limits, share_needs, share_standings, share_wanted,
};
pub use self::wire::search::{has_web_search, searches_without_tools};

use self::a2a_agent::RemoteAgent;
use self::attempt::CallTime;
use self::breaker::Breaker;
use self::capabilities::Capabilities;
use self::client::{client, headers};
use self::failure::{Again, AttemptFailure, Spent};
use self::limits::Limits;
use self::redact::Secrets;
use self::response::CalledTool;
use self::share::Share;
use self::streams::Streams;
use self::wire::{ModelPage, ModelRequest};
use crate::provider::{ProviderConfig, RunnerConfigError, Streaming};
use crate::token_estimate::{image_tokens, prompt_tokens, rates_of};
use crate::vendor::vendor_of;
use crate::wire_format::WireFormat;

/// The time limit of `list_models`.
const LIST_TIME: Duration = Duration::from_secs(15);

/// At most this many pages of a list of models are read.
const MODEL_PAGES: usize = 20;

/// How long a hint may look for similar models.
const HINT_TIME: Duration = Duration::from_secs(2);

/// A wait for the limits that is longer than this is logged.
const SILENCE: Duration = Duration::from_secs(1);

/// The bound of the waits between retries grows up to this many times the first.
const MOST_BACKOFF: u32 = 16;

/// Answers with the models of one provider.
pub struct ModelRunner {
    config: ProviderConfig,
    client: Client,
    /// Opens a connection for each request; made when it is first needed.
    fresh: OnceLock<Client>,
    headers: HeaderMap,
    secrets: Secrets,
    share: Arc<Share>,
    limits: Limits,
    breaker: Breaker,
    ports: ModelPorts,
    /// The calls that have passed the limits and not begun, by their idempotency keys.
    ready: Mutex<HashSet<String>>,
    /// The capabilities of each model that has answered.
    capabilities: Mutex<HashMap<String, Capabilities>>,
    streams: Streams,
    /// The agent, where the provider is one.
    agent: Option<RemoteAgent>,
}

impl fmt::Debug for ModelRunner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelRunner")
            .field("provider", &self.config.name)
            .field("base_url", &self.config.shown_url())
            .finish_non_exhaustive()
    }
}

/// The context window of a provider's model, prompt and answer together, when its server has reported it in a
/// list of models or a refusal, or the table of vendors has it. Makes no request.
pub fn known_window(config: &ProviderConfig, model: &str) -> Option<u32> {
    window::known(config, model).and_then(|tokens| u32::try_from(tokens).ok()).filter(|tokens| *tokens >= 512)
}

impl ModelRunner {
    /// Checks the configuration; nothing is sent yet. Installs the process's TLS provider if there is none.
    pub fn new(config: ProviderConfig) -> Result<Self, RunnerConfigError> {
        Self::over(config, ModelPorts::default())
    }

    /// The same with another network, or other random numbers.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn over(config: ProviderConfig, ports: ModelPorts) -> Result<Self, RunnerConfigError> {
        crate::install_tls();
        config.check()?;
        let headers = headers(&config)?;
        let client = match ports.transport.client() {
            Some(client) => Ok(client),
            None => client(&config).and_then(|builder| builder.build()),
        };
        let client = client.map_err(|source| RunnerConfigError::Client {
            provider: config.name.clone(),
            source: source.without_url(),
        })?;
        let share = Share::of(&config);
        Ok(Self {
            secrets: Secrets::of(&config),
            limits: Limits::new(&config, Arc::clone(&share)),
            share,
            breaker: Breaker::with(ports.random.clone()),
            ports,
            ready: Mutex::default(),
            agent: (config.wire == WireFormat::A2a)
                .then(|| RemoteAgent::new(config.clone(), headers.clone())),
            client,
            fresh: OnceLock::new(),
            headers,
            capabilities: Mutex::default(),
            streams: Streams::default(),
            config,
        })
    }

    /// The names of the models that the provider lists, sorted.
    pub async fn list_models(&self) -> Result<Vec<String>, Failure> {
        let started = Instant::now();
        let call_time = self.call_time(started, LIST_TIME);
        let listed = match self.missing_key() {
            Some(failed) => Err(failed),
            None => self.models(call_time).await,
        };
        listed.map_err(|failed| self.clean(failed)).map_err(|failed| Failure {
            kind: failed.kind,
            detail: failed.detail.into(),
            // A list is asked for outside of meetings: there are no turns that could have more time.
            hint: match failed.kind {
                FailureKind::TimedOut => message!("remedy-is-server-running").into(),
                _ => failed.hint.into(),
            },
            usage: Some(Usage::default()),
            latency_ms: ms_since(started),
            request_id: failed.request_id.map(String::from),
            doubtful: false,
            window: failed.window,
        })
    }

    /// What the card of a remote agent says, in one line; `None` for a provider of models. Makes no request when the card was
    /// fetched a short while ago.
    pub async fn shown_card(&self) -> Option<String> {
        let card =
            self.agent.as_ref()?.card(&self.client, self.call_time(Instant::now(), LIST_TIME)).await.ok()?;
        Some(self.secrets.redact(card.in_a_line()))
    }

    /// The health of the provider; makes no request.
    pub fn health(&self) -> Health {
        Health {
            failures: self.breaker.failures(),
            pause: self.breaker.open().map(|open| (open.kind, open.wait)),
            closed: self.limits.closed_for(),
        }
    }

    /// Tests a model by asking for one word, with the parameters of the participant that will use it. Costs a
    /// few tokens.
    ///
    /// # Errors
    /// The failure, with the HTTP status when the provider sent one.
    pub async fn probe(&self, model: &str, parameters: ModelParameters) -> Result<Probe, ProbeFailure> {
        let request = probe::request(&self.config.name, model, parameters);
        match self.answer(&request, &FragmentSink::nobody()).await {
            Ok((answer, _)) => Ok(Probe {
                model: model.to_owned(),
                said: failure::shorten(&answer.text),
                usage: answer.usage,
                latency_ms: answer.latency_ms,
            }),
            Err((failure, status)) => {
                Err(ProbeFailure { provider: self.config.name.clone(), status, failure })
            }
        }
    }

    /// Calls the model; returns the answer, or the failure with the HTTP status that came instead.
    async fn answer(
        &self,
        request: &Request,
        sink: &FragmentSink,
    ) -> Result<(Answer, ToolRequests), (Failure, Option<u16>)> {
        let started = Instant::now();
        let is_ready = self.ready_calls().remove(&request.idempotency_key);
        let RunnerSpec::Model { model, parameters, .. } = &request.runner else {
            let kind = FailureKind::NotConfigured;
            let detail = message!("failure-models-only", provider = &self.config.name);
            return Err((Failure::unsent(kind, detail, failure::hint(&self.config, kind)), None));
        };
        if self.agent.is_some() && model != a2a_agent::AGENT {
            let kind = FailureKind::ModelUnknown;
            let detail = message!("failure-agent-one-model", agent = &self.config.name);
            return Err((Failure::unsent(kind, detail, failure::hint(&self.config, kind)), None));
        }
        let call_time = self.call_time(started, Duration::from_millis(request.timeout_ms));
        let capabilities = self.known_capabilities(model);
        let told = wire::tools::told(&request.prompt.tools.steps);
        let mut ask = ModelRequest {
            tools: &request.tools,
            told: &told,
            config: &self.config,
            model,
            parameters: *parameters,
            prompt: &request.prompt,
            streamed: sink.is_heard() && self.may_stream(model, capabilities),
            most_tokens: u32::MAX,
            capabilities,
            images: &request.images,
            hides_images: false,
        };
        ask.most_tokens = self.room_for_answer(&ask);
        self.make_room(&mut ask);
        match self.ask_with_retries(ask, request, call_time, sink, is_ready).await {
            Ok(heard) => {
                let answer = Answer {
                    text: heard.text,
                    reasoning: heard.reasoning,
                    web: heard.web,
                    usage: heard.usage,
                    stop: heard.stop,
                    latency_ms: ms_since(started),
                    request_id: heard.request_id.map(|id| self.secrets.redact(id)),
                };
                let is_known = |name: &str| request.tools.iter().find(|tool| tool.name == name);
                let call = |call: CalledTool| ToolRequest {
                    effects: is_known(&call.name).is_some_and(|tool| tool.effects),
                    tool: call.name,
                    arguments: call.arguments,
                };
                let calls = heard.calls.into_iter().map(call).collect();
                Ok((answer, ToolRequests { continuation: heard.continuation, calls }))
            }
            Err(mut failed) => {
                if failed.kind == FailureKind::ModelUnknown
                    && let Some(hint) = self.near_models(model, call_time).await
                {
                    failed.hint = hint;
                }
                if failed.kind == FailureKind::ModelUnknown && self.config.wire == WireFormat::Ollama {
                    let pull = message!("remedy-ollama-pull", %model);
                    failed.hint = failure::joined(pull, failed.hint);
                }
                let (status, failed) = (failed.status, self.clean(failed));
                let rates = rates_of(&self.config, model);
                let sees = !self.known_capabilities(model).no_images && !request.images.is_empty();
                let images = if sees { image_tokens(&request.prompt) } else { 0 };
                let read = prompt_tokens(&request.prompt, rates) + images;
                Err((failure(failed, started, read), status))
            }
        }
    }

    /// The failure without secrets.
    fn clean(&self, failed: AttemptFailure) -> AttemptFailure {
        AttemptFailure {
            detail: failed.detail.map(&|text| self.secrets.redact_quotes(text)),
            hint: failed.hint.map(&|text| self.secrets.redact_quotes(text)),
            request_id: failed.request_id.map(|id| self.secrets.redact(id.into()).into()),
            ..failed
        }
    }

    fn ready_calls(&self) -> MutexGuard<'_, HashSet<String>> {
        self.ready.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All models that the provider lists, sorted by name.
    async fn models(&self, call_time: CallTime<'_>) -> Result<Vec<String>, AttemptFailure> {
        if let Some(agent) = &self.agent {
            agent.card(&self.client, call_time).await?;
            return Ok(vec![a2a_agent::AGENT.to_owned()]);
        }
        let (mut names, mut page) = (Vec::new(), None);
        for _ in 0..MODEL_PAGES {
            let url = self.config.wire.wire().models_url(&self.config, page.as_deref());
            let request = self.client.get(url).headers(self.headers.clone());
            let ModelPage { names: more, next, windows } = models::page(request, call_time).await?;
            windows.iter().for_each(|(model, tokens)| window::learn(&self.config, model, *tokens));
            names.extend(more);
            page = next;
            if page.is_none() {
                break;
            }
        }
        let mut names: Vec<String> = names.into_iter().map(|name| self.secrets.redact(name)).collect();
        names.sort();
        names.dedup();
        Ok(names)
    }

    /// A hint with the models that resemble `wanted`, when the list is available quickly.
    async fn near_models(&self, wanted: &str, call_time: CallTime<'_>) -> Option<Message> {
        let deadline = call_time.deadline.min(Instant::now() + HINT_TIME);
        let models = self.models(CallTime { deadline, ..call_time }).await.ok()?;
        Some(models::near(&self.config.name, wanted, models))
    }

    /// A key that is asked for and not there is not worth a request.
    fn missing_key(&self) -> Option<AttemptFailure> {
        let variable = self.config.key_variable.as_ref()?;
        if self.config.key.is_some() {
            return None;
        }
        let kind = FailureKind::Authentication;
        let detail = message!("failure-no-key", provider = &self.config.name, variable);
        let failed = AttemptFailure::doubtful(kind, detail, failure::hint(&self.config, kind));
        Some(AttemptFailure { spent: Spent::Nothing, ..failed.final_one() })
    }

    fn call_time(&self, started: Instant, limit: Duration) -> CallTime<'_> {
        let total = Duration::from_millis(self.config.timeouts.total_ms);
        CallTime {
            config: &self.config,
            deadline: started + limit.min(total),
            deadline_is_turns: limit < total,
            transport: &*self.ports.transport,
        }
    }

    fn known_capabilities(&self, model: &str) -> Capabilities {
        let known = self.capabilities.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(model).copied().unwrap_or_else(|| self.first_capabilities(model))
    }

    /// The most tokens that an answer may be given, where the model's window leaves less than was asked for:
    /// some servers refuse what goes beyond it.
    fn room_for_answer(&self, ask: &ModelRequest<'_>) -> u32 {
        let given = ask.parameters.context_tokens.map(u64::from);
        let Some(window) = window::known(&self.config, ask.model).or(given) else { return u32::MAX };
        window::room(window, ask.prompt_tokens().saturating_mul(11) / 10)
    }

    fn may_stream(&self, model: &str, capabilities: Capabilities) -> bool {
        match self.config.streaming {
            Streaming::On => true,
            Streaming::Off => false,
            Streaming::Auto => !capabilities.no_stream && !self.streams.wants_whole(model),
        }
    }

    fn first_capabilities(&self, model: &str) -> Capabilities {
        let mut known = Capabilities::known(self.config.structured, vendor_of(&self.config), model);
        known.no_stream |= learned::is_whole(&self.config, model);
        known.no_images |= learned::is_blind(&self.config, model);
        known
    }

    /// Requests a context window of the size that the prompt needs, and at least that of all before it:
    /// participants that share a model would otherwise have it loaded again at each turn.
    fn make_room(&self, ask: &mut ModelRequest<'_>) {
        let window = self.config.wire.wire().window(ask).max(ask.capabilities.window);
        if window > ask.capabilities.window {
            ask.capabilities.window = window;
            self.remember(ask.model, ask.capabilities);
        }
    }

    fn remember(&self, model: &str, capabilities: Capabilities) {
        if capabilities == self.first_capabilities(model) {
            return;
        }
        let mut known = self.capabilities.lock().unwrap_or_else(PoisonError::into_inner);
        match known.get_mut(model) {
            Some(before) => *before = before.and(capabilities),
            None => {
                known.insert(model.to_owned(), capabilities);
            }
        }
    }
}

impl Runner for ModelRunner {
    fn admit(&self) -> BoxFuture<'_, Option<OwnedSemaphorePermit>> {
        Box::pin(self.share.place())
    }

    fn takes_images(&self) -> bool {
        true
    }

    fn paused_for(&self) -> Option<Duration> {
        // A call that tries it now is over soon, or says how long it takes; and no clock is as exact as that.
        let left_alone = self.breaker.open().map(|open| open.wait.max(Duration::from_secs(1)));
        left_alone.max(self.limits.closed_for()).map(|wait| wait + Duration::from_millis(250))
    }

    fn try_now(&self) {
        self.breaker.try_now();
    }

    fn ready<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            let limit = Duration::from_millis(request.timeout_ms.min(self.config.timeouts.total_ms));
            let mut line = pin!(self.limits.pass(self.tokens_of(request)));
            for second in 0u32.. {
                // A call that cannot be made says so itself, at once.
                let is_closed = self.limits.closed_for().is_some_and(|wait| wait >= limit);
                if is_closed || self.breaker.open().is_some() || self.missing_key().is_some() {
                    return;
                }
                match timeout(SILENCE, &mut line).await {
                    Ok(false) => break,
                    Ok(true) => {
                        // Those who waited together do not come back together.
                        sleep(self.backoff(0)).await;
                        break;
                    }
                    Err(_) if second == 0 => {
                        let key = &request.idempotency_key;
                        tracing::info!(
                            provider = self.config.name,
                            key,
                            "waits for the limits of its provider"
                        );
                    }
                    Err(_) => {}
                }
            }
            self.ready_calls().insert(request.idempotency_key.clone());
        })
    }

    fn run(&self, request: Request, sink: FragmentSink) -> BoxFuture<'_, Outcome> {
        Box::pin(async move {
            let answered = self.answer(&request, &sink).await;
            if let RunnerSpec::Model { model, .. } = &request.runner {
                let is_unknown = |failure: &Failure| failure.kind == FailureKind::ModelUnknown;
                match &answered {
                    Ok(_) => learned::learn_given(&self.config, model, true),
                    Err((failure, _)) if is_unknown(failure) => {
                        learned::learn_given(&self.config, model, false);
                    }
                    Err(_) => {}
                }
            }
            match answered {
                Ok((answer, requests)) if requests.calls.is_empty() => Outcome::Answered(answer),
                Ok((answer, requests)) => Outcome::CalledTools(answer, requests),
                Err((failure, _)) => Outcome::Failed(failure),
            }
        })
    }
}

/// The failure behind a failed attempt. Usage that the provider did not count is estimated, and marked as such.
fn failure(failed: AttemptFailure, started: Instant, read: u64) -> Failure {
    let usage = match failed.spent {
        Spent::Nothing => Usage::default(),
        Spent::Counted(usage) => *usage,
        Spent::Unknown { written } => {
            Usage { input_tokens: read, output_tokens: written, estimated: true, ..Usage::default() }
        }
    };
    Failure {
        kind: failed.kind,
        detail: failed.detail.into(),
        hint: failed.hint.into(),
        usage: Some(usage),
        latency_ms: ms_since(started),
        request_id: failed.request_id.map(String::from),
        doubtful: matches!(failed.again, Again::Doubtful),
        window: failed.window,
    }
}

fn ms_since(started: Instant) -> u64 {
    u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX)
}
