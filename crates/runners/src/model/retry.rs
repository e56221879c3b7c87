//! The retry loop: asks until there is an answer, or a failure that a retry cannot help.

use std::time::Duration;

use bytes::Bytes;
use quorate_contract::{FailureKind, Retry, RunnerSpec, Usage};
use quorate_engine::{FragmentSink, Request};
use quorate_messages::{Message, message};
use reqwest::header::HeaderValue;
use reqwest::{Client, RequestBuilder};
use tokio::time::{Instant, sleep, timeout_at};

use super::attempt::CallTime;
use super::breaker::OpenBreaker;
use super::capabilities::images::are_blamed;
use super::client::client;
use super::concurrency::CallOutcome;
use super::failure::{Again, AttemptFailure, Spent};
use super::response::{ModelResponse, Stage};
use super::wire::ModelRequest;
use super::wire::search::{SearchForm, charges_one_search};
use super::{MOST_BACKOFF, ModelRunner, attempt, failure, learned, window};

/// How much longer the waits are where a rate limit does not say how long it holds: each doubles them.
const RATE_LIMIT_DOUBLINGS: u32 = 3;
use crate::token_estimate::{image_tokens, prompt_tokens, rates_of};

impl ModelRunner {
    /// Asks, unless the provider is not to be asked now.
    pub(super) async fn ask_with_retries(
        &self,
        ask: ModelRequest<'_>,
        request: &Request,
        call_time: CallTime<'_>,
        sink: &FragmentSink,
        is_ready: bool,
    ) -> Result<ModelResponse, AttemptFailure> {
        if let Some(failed) = self.missing_key() {
            return Err(failed);
        }
        let pass = self.breaker.enter_after_test(call_time.deadline).await;
        let pass = pass.map_err(|open| self.breaker_failure(open))?;
        if !is_ready {
            self.wait_for_limits(self.tokens_of(request), call_time).await?;
        }
        let result = self.send_until_answered(ask, request, call_time, sink).await;
        match &result {
            Ok(_) => pass.worked(),
            Err(failed) => pass.failed(failed.kind),
        }
        result
    }

    /// Asks until there is an answer, a failure that a retry cannot help, or one after which it is unknown
    /// whether the work was done: then the meeting, which pays, decides.
    async fn send_until_answered(
        &self,
        mut ask: ModelRequest<'_>,
        request: &Request,
        call_time: CallTime<'_>,
        sink: &FragmentSink,
    ) -> Result<ModelResponse, AttemptFailure> {
        let mut stage = Stage::new(sink, &self.secrets);
        let mut body = Bytes::from(ask.body());
        let (mut retries, mut variant) = (0, 0u32);
        for number in 1u32.. {
            let shares = !ask.streamed || self.streams.share_connections();
            // What was lost may have been lost by a connection that was kept open too long.
            let client = if shares && request.attempt == 1 { &self.client } else { self.fresh() };
            stage.answer_tool = ask.schema().map(|schema| schema.name);
            stage.offers_tools = ask.offers_tools();
            let search = ask.search().map(|(form, _)| form);
            stage.offers_search = search.is_some();
            stage.charges_one_search = charges_one_search(&self.config, ask.model);
            stage.always_searches = search == Some(SearchForm::SearchModel);
            let sent = Instant::now();
            let result = match &self.agent {
                Some(agent) => agent.attempt(client, request, call_time, &mut stage).await,
                None => {
                    let sending =
                        self.question(client, &ask, body.clone(), &request.idempotency_key, variant);
                    match attempt::send(sending, call_time).await {
                        Ok(response) => {
                            self.streams.came_over(response.version());
                            let count = || ask.prompt_tokens();
                            attempt::read(response, call_time, &mut stage, count).await
                        }
                        Err(failed) => Err(failed),
                    }
                }
            };
            self.note_load(sent, &result);
            let mut failed = match result {
                Ok(result) if self.agent.is_some() => return Ok(result),
                Ok(result) => {
                    if self.streams.answered(ask.model, ask.streamed) {
                        tracing::info!(provider = self.config.name, model = ask.model, "streams badly");
                        ask.capabilities.no_stream = true;
                        learned::learn_whole(&self.config, ask.model);
                    }
                    if ask.capabilities.no_images && !self.first_capabilities(ask.model).no_images {
                        tracing::info!(provider = self.config.name, model = ask.model, "sees no images");
                        learned::learn_blind(&self.config, ask.model);
                    }
                    self.remember(ask.model, ask.capabilities);
                    return Ok(result);
                }
                Err(failed) => self.clean(failed),
            };
            self.streams.failed(ask.model, ask.streamed, &failed);
            if let Some(met) = failed.window {
                window::learn(&self.config, ask.model, met.tokens);
                // The prompt may fit where it leaves no room for so long an answer. Nothing was done.
                let room = met.prompt_tokens.map_or(0, |read| window::room(met.tokens, read));
                if room > window::LEAST_ANSWER && room < ask.max_tokens() {
                    request.retries.tell(retry(number, &failed, Duration::ZERO)).await;
                    ask.most_tokens = room;
                    body = Bytes::from(ask.body());
                    variant += 1;
                    if self.wait_for_limits(0, call_time).await.is_err() {
                        return Err(given_up(failed, retries));
                    }
                    continue;
                }
            }
            let refusal = failed.refusal.as_deref();
            if let Some(next) =
                refusal.and_then(|words| ask.capabilities.learn(words, self.config.wire.wire().sent(&ask)))
            {
                tracing::debug!(provider = self.config.name, model = ask.model, ?next, "capability");
                request.retries.tell(retry(number, &failed, Duration::ZERO)).await;
                ask.capabilities = next;
                ask.streamed &= !next.no_stream;
                body = Bytes::from(ask.body());
                variant += 1;
                if self.wait_for_limits(0, call_time).await.is_err() {
                    return Err(given_up(failed, retries));
                }
                continue;
            }
            if ask.shows_images() && is_about_images(&failed) {
                request.retries.tell(retry(number, &failed, Duration::ZERO)).await;
                ask.hides_images = true;
                body = Bytes::from(ask.body());
                variant += 1;
                if self.wait_for_limits(0, call_time).await.is_err() {
                    return Err(given_up(failed, retries));
                }
                continue;
            }
            if failed.again == Again::Doubtful && failed.status.is_some() {
                // The next attempt of the meeting has to wait a little.
                self.limits.close(failed.asked.unwrap_or_else(|| self.backoff(1)));
            }
            let Again::Safely(asked) = failed.again else { return Err(given_up(failed, retries)) };
            if let (FailureKind::RateLimit, Some(asked)) = (failed.kind, asked) {
                self.limits.close(asked);
            }
            if retries >= self.config.retries {
                return Err(given_up(failed, retries));
            }
            let wait = match (failed.kind, asked) {
                // A limit by the minute is not over in a second.
                (FailureKind::RateLimit, None) => self.backoff(retries + RATE_LIMIT_DOUBLINGS),
                _ => self.backoff(retries).max(asked.unwrap_or_default()),
            };
            if wait >= call_time.deadline.saturating_duration_since(Instant::now()) {
                if asked.is_some() {
                    let asked = message!("remedy-wait-too-long", seconds = seconds(wait));
                    failed.hint = failure::joined(asked, failed.hint);
                }
                return Err(given_up(failed, retries));
            }
            retries += 1;
            request.retries.tell(retry(number, &failed, wait)).await;
            let ms = wait.as_millis();
            tracing::debug!(provider = self.config.name, kind = ?failed.kind, ms, "asks again");
            sleep(wait).await;
            if self.wait_for_limits(0, call_time).await.is_err() {
                return Err(given_up(failed, retries - 1));
            }
        }
        unreachable!("a call ends long before its requests are as many as that")
    }

    /// Takes in what a request tells of the load of the provider. How long an agent takes says nothing of it.
    fn note_load(&self, sent: Instant, result: &Result<ModelResponse, AttemptFailure>) {
        let is_agent = self.agent.is_some();
        match result {
            Ok(answer) if !is_agent => {
                let tokens = answer.usage.output_tokens;
                self.share.ended(CallOutcome::Answered { sent, took: sent.elapsed(), tokens });
            }
            Err(failed) if matches!(failed.kind, FailureKind::RateLimit | FailureKind::Overloaded) => {
                self.share.ended(CallOutcome::Overloaded { sent });
            }
            Ok(_) | Err(_) => {}
        }
    }

    /// Waits until a request may be sent, unless that takes longer than the call may.
    async fn wait_for_limits(&self, tokens: u64, call_time: CallTime<'_>) -> Result<(), AttemptFailure> {
        let name = &self.config.name;
        let unsent = |detail: Message, hint: Message| {
            let failed = AttemptFailure::doubtful(FailureKind::RateLimit, detail, hint).final_one();
            AttemptFailure { spent: Spent::Nothing, ..failed }
        };
        let left = call_time.deadline.saturating_duration_since(Instant::now());
        if let Some(wait) = self.limits.closed_for().filter(|wait| *wait >= left) {
            let detail = message!("failure-closed", provider = name, seconds = seconds(wait));
            return Err(unsent(detail, message!("remedy-go-on-after-wait")));
        }
        match timeout_at(call_time.deadline, self.limits.pass(tokens)).await {
            Ok(false) => Ok(()),
            Ok(true) => {
                // Those who waited together do not come back together.
                sleep(self.backoff(0)).await;
                Ok(())
            }
            Err(_) => {
                let detail = message!("failure-rate-limits", provider = name);
                Err(unsent(detail, message!("remedy-raise-rate-limits", name)))
            }
        }
    }

    /// The estimated largest number of tokens of a call; 0 when there is no limit on tokens.
    pub(super) fn tokens_of(&self, request: &Request) -> u64 {
        let RunnerSpec::Model { model, parameters, .. } = &request.runner else { return 0 };
        match self.limits.counts_tokens() {
            true => {
                let answer = parameters.max_tokens.unwrap_or(request.prompt.max_tokens);
                let answer = u64::from(answer) + u64::from(parameters.thinking_room());
                let sees = !request.images.is_empty() && !self.known_capabilities(model).no_images;
                let images = if sees { image_tokens(&request.prompt) } else { 0 };
                prompt_tokens(&request.prompt, rates_of(&self.config, model)) + images + answer
            }
            false => 0,
        }
    }

    /// A provider that keeps failing is left alone.
    fn breaker_failure(&self, open: OpenBreaker) -> AttemptFailure {
        let OpenBreaker { failures, kind, wait } = open;
        let name = &self.config.name;
        let detail = match wait.is_zero() {
            true => message!("failure-resting-tried", provider = name, failures),
            false => message!("failure-resting", provider = name, failures, seconds = seconds(wait)),
        };
        let hint = failure::hint(&self.config, kind);
        AttemptFailure { spent: Spent::Nothing, ..AttemptFailure::doubtful(kind, detail, hint).final_one() }
    }

    fn question(
        &self,
        client: &Client,
        ask: &ModelRequest<'_>,
        body: Bytes,
        key: &str,
        variant: u32,
    ) -> RequestBuilder {
        let url = self.config.wire.wire().question_url(&self.config, ask);
        let request = client.post(url).headers(self.headers.clone()).body(body);
        // Another body is another request: with the same key the server would repeat the first answer.
        let key = if variant == 0 { key.to_owned() } else { format!("{key}~{variant}") };
        match HeaderValue::try_from(key) {
            Ok(key) => request.header("idempotency-key", key),
            // A name from outside ASCII: the header is a courtesy, nothing relies on it.
            Err(_) => request,
        }
    }

    /// A wait that is random up to a bound, so that those who failed together do not come back
    /// together; the bound doubles with each retry.
    pub(super) fn backoff(&self, retries: u32) -> Duration {
        let factor = 2u32.saturating_pow(retries).min(MOST_BACKOFF);
        let bound = Duration::from_millis(self.config.timeouts.backoff_ms) * factor;
        // Without randomness the wait has its full length, which is valid too.
        let rng = self.ports.random.next(u32::MAX);
        bound.mul_f64(f64::from(rng) / f64::from(u32::MAX))
    }

    fn fresh(&self) -> &Client {
        self.fresh.get_or_init(|| {
            if let Some(client) = self.ports.transport.client() {
                return client;
            }
            let builder = client(&self.config).map(|builder| builder.pool_max_idle_per_host(0));
            builder.and_then(|builder| builder.build()).unwrap_or_else(|_| self.client.clone())
        })
    }
}

/// Whether a request failed because of one of its images, or of their size, and not because the model sees none.
fn is_about_images(failed: &AttemptFailure) -> bool {
    let is_too_large = failed.kind == FailureKind::ContextTooLong && failed.window.is_none();
    is_too_large || failed.refusal.as_deref().is_some_and(are_blamed)
}

/// Whole seconds, rounded up.
fn seconds(wait: Duration) -> u64 {
    wait.as_millis().div_ceil(1000).try_into().unwrap_or(u64::MAX)
}

fn given_up(failed: AttemptFailure, retries: u32) -> AttemptFailure {
    if retries == 0 {
        return failed;
    }
    let detail = message!("failure-asked-times", failure = failed.detail, times = retries + 1);
    AttemptFailure { detail, ..failed }
}

fn retry(request: u32, failed: &AttemptFailure, wait: Duration) -> Retry {
    Retry {
        request,
        kind: failed.kind,
        detail: failed.detail.clone().into(),
        wait_ms: u64::try_from(wait.as_millis()).unwrap_or(u64::MAX),
        usage: Usage::default(),
    }
}
