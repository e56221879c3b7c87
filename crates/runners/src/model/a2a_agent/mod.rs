//! A remote agent that speaks the Agent2Agent protocol, versions 1.0 and 0.3.
//!
//! A turn is a message: its text is the prompt, and its data the same brief that a process is given. Where the card says that
//! the agent streams, its answer is streamed; otherwise its task is asked for until it is over. A turn that ends here before
//! the task does is cancelled there.

mod card;
mod reading;

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use quorate_contract::{FailureKind, PromptImage, PromptRole, StopReason, Usage, WebFindings, is_blank};
use quorate_engine::{LoadedImage, Request};
use quorate_messages::{Message, message, text};
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Client, RequestBuilder, Response};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep, timeout_at};
use url::Url;

pub(crate) use self::card::{Card, Dialect, card_urls};

use self::card::CardProblem;
use self::reading::{Reading, ReadingProblem, TaskState};
use super::attempt::{CallTime, send, whole};
use super::failure::{AttemptFailure, Spent, hint, shorten};
use super::response::{ModelResponse, Stage};
use super::sse::Lines;
use crate::images::{loaded, text_of};
use crate::process::{SentImages, brief_of};
use crate::provider::ProviderConfig;
use crate::token_estimate::{estimated_tokens, prompt_tokens, usual_rates};

/// The name of the one model of a remote agent: the agent itself.
pub const AGENT: &str = "agent";

/// How long a card is used before it is fetched again.
const CARD_FRESH: Duration = Duration::from_secs(300);
/// The first wait before a task is asked for again, and the longest.
const POLL_FIRST: Duration = Duration::from_millis(200);
const POLL_LONGEST: Duration = Duration::from_secs(5);
/// So shortly before its time is over a task is asked for no more.
const POLL_LAST: Duration = Duration::from_millis(50);
/// The most bytes of one stream: an answer in small pieces has much around them.
const STREAM_MAX: usize = 64 << 20;
/// The most conversations that are remembered. Those that are forgotten begin anew.
const CONTEXTS_MAX: usize = 1000;
/// The time limit for cancelling a task.
const CANCEL_TIME: Duration = Duration::from_secs(5);

/// One remote agent.
pub(crate) struct RemoteAgent {
    config: ProviderConfig,
    headers: HeaderMap,
    card: Mutex<Option<(Instant, Arc<Card>)>>,
    /// The agent's own name of each conversation: a meeting and a participant.
    contexts: Mutex<HashMap<String, String>>,
}

/// How a task is asked for or cancelled once it is known.
#[derive(Clone)]
struct Line {
    client: Client,
    headers: HeaderMap,
    card: Arc<Card>,
}

/// The operations that are used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operation {
    Send,
    Stream,
    Get,
    Cancel,
}

impl RemoteAgent {
    /// The agent of a provider whose format is that of the protocol.
    pub(crate) fn new(config: ProviderConfig, headers: HeaderMap) -> Self {
        Self { config, headers, card: Mutex::default(), contexts: Mutex::default() }
    }

    /// The card, fetched unless it was a short while ago.
    pub(crate) async fn card(
        &self,
        client: &Client,
        call_time: CallTime<'_>,
    ) -> Result<Arc<Card>, AttemptFailure> {
        if let Some((at, card)) = locked(&self.card).as_ref()
            && at.elapsed() < CARD_FRESH
        {
            return Ok(Arc::clone(card));
        }
        let mut refused = None;
        for url in card_urls(&self.config.base_url) {
            let mut headers = self.headers.clone();
            headers.remove(CONTENT_TYPE);
            match send(client.get(url).headers(headers), call_time).await {
                Ok(mut response) => {
                    let body = whole(&mut response, call_time).await?;
                    let value: Value = serde_json::from_slice(&body).unwrap_or_default();
                    let card = card::read(&self.config, &value).map_err(|problem| self.bad_card(problem))?;
                    let card = Arc::new(card);
                    *locked(&self.card) = Some((Instant::now(), Arc::clone(&card)));
                    return Ok(card);
                }
                // An agent of an older version has it elsewhere.
                Err(trouble) if matches!(trouble.status, Some(404 | 405 | 410)) => {
                    refused = refused.or(Some(trouble));
                }
                Err(trouble) => return Err(trouble),
            }
        }
        Err(match refused {
            Some(trouble) => {
                let hint = message!("remedy-agent-address", url = self.config.shown_url());
                AttemptFailure { hint, ..trouble }
            }
            None => self.bad_card(CardProblem::NotACard),
        })
    }

    fn bad_card(&self, problem: CardProblem) -> AttemptFailure {
        let (agent, url) = (&self.config.name, self.config.shown_url());
        let (detail, hint) = match problem {
            CardProblem::NotACard => {
                (message!("failure-agent-no-card", agent), message!("remedy-agent-address", url))
            }
            CardProblem::NoDialect(offered) => {
                (message!("failure-agent-not-spoken", agent, offered), message!("remedy-agent-version"))
            }
            CardProblem::Elsewhere(place) => (
                message!("failure-agent-elsewhere", agent, place = &place),
                message!("remedy-agent-elsewhere", place),
            ),
            CardProblem::NotPublic(place) => {
                (message!("failure-agent-elsewhere", agent, place), message!("remedy-public-address"))
            }
            CardProblem::Requires(extension) => {
                (message!("failure-agent-extension", agent, extension), message!("remedy-agent-version"))
            }
        };
        nothing_done(FailureKind::BadRequest, detail, hint)
    }

    /// Asks once.
    pub(crate) async fn attempt(
        &self,
        client: &Client,
        request: &Request,
        call_time: CallTime<'_>,
        stage: &mut Stage<'_>,
    ) -> Result<ModelResponse, AttemptFailure> {
        stage.begin();
        let card = self.card(client, call_time).await?;
        let line = self.line(client, card);
        let conversation = conversation(request);
        let context = locked(&self.contexts).get(&conversation).cloned();
        let params = self.message(&line.card, request, context.as_deref(), call_time);
        let asked = self.ask(&line, params, call_time, stage).await;
        let reading = asked.inspect_err(|trouble| {
            // The agent may have forgotten the conversation. The next message begins another.
            if trouble.kind == FailureKind::BadRequest {
                locked(&self.contexts).remove(&conversation);
            }
            if trouble.kind == FailureKind::BadRequest || trouble.kind == FailureKind::Network {
                *locked(&self.card) = None;
            }
        })?;
        if let Some(context) = &reading.context {
            let mut contexts = locked(&self.contexts);
            if contexts.len() >= CONTEXTS_MAX && !contexts.contains_key(&conversation) {
                contexts.clear();
            }
            contexts.insert(conversation, context.clone());
        }
        let text = self.judged(&reading)?;
        stage.finish();
        let usage = Usage {
            input_tokens: prompt_tokens(&request.prompt, usual_rates()),
            output_tokens: estimated_tokens(&text, usual_rates()),
            estimated: true,
            ..Usage::default()
        };
        Ok(ModelResponse {
            web: WebFindings::default(),
            text,
            reasoning: None,
            usage,
            stop: StopReason::Stop,
            request_id: reading.task,
            calls: Vec::new(),
            continuation: String::new(),
        })
    }

    fn line(&self, client: &Client, card: Arc<Card>) -> Line {
        let mut headers = self.headers.clone();
        if card.key_header != AUTHORIZATION
            && let Some(key) = &self.config.key
            && let Ok(mut value) = HeaderValue::try_from(key.expose())
        {
            value.set_sensitive(true);
            headers.remove(AUTHORIZATION);
            headers.insert(card.key_header.clone(), value);
        }
        headers.insert("a2a-version", HeaderValue::from_static(card.dialect.version()));
        Line { client: client.clone(), headers, card }
    }

    /// The parameters of a message: the prompt as text and, where the agent takes data, the brief.
    fn message(
        &self,
        card: &Card,
        request: &Request,
        context: Option<&str>,
        call_time: CallTime<'_>,
    ) -> Value {
        let before = card.dialect == Dialect::JsonRpcBefore;
        let (mut prompt, mut shown) = (request.prompt.system.clone(), Vec::new());
        for message in &request.prompt.messages {
            prompt.push_str("\n\n");
            if message.role == PromptRole::Assistant {
                prompt.push_str(text!(request.prompt.brief.language, "a2a-own-message"));
                prompt.push('\n');
            }
            let is_shown =
                |image: &PromptImage| card.takes_images && loaded(&request.images, image).is_some();
            let (told, images) = text_of(message, request.prompt.brief.language, is_shown);
            prompt.push_str(&told);
            shown.extend(images.into_iter().map(|(_, image)| image));
        }
        let mut parts = vec![match before {
            true => json!({ "kind": "text", "text": prompt.trim() }),
            false => json!({ "text": prompt.trim(), "mediaType": "text/plain" }),
        }];
        for image in shown {
            let Some(LoadedImage { media_type, base64, .. }) = loaded(&request.images, image) else {
                continue;
            };
            parts.push(match before {
                true => json!({
                    "kind": "file", "file": { "name": image.name, "mimeType": media_type, "bytes": &**base64 },
                }),
                false => json!({ "raw": &**base64, "mediaType": media_type, "filename": image.name }),
            });
        }
        if card.takes_data {
            let left = call_time.deadline.saturating_duration_since(Instant::now());
            let images = if card.takes_images { SentImages::Beside } else { SentImages::Named };
            let brief = brief_of(request, u64::try_from(left.as_millis()).unwrap_or(u64::MAX), images);
            parts.push(match before {
                true => json!({ "kind": "data", "data": brief }),
                false => json!({ "data": brief, "mediaType": "application/json" }),
            });
        }
        let role = if before { "user" } else { "ROLE_USER" };
        // Another attempt is another message: a repetition is the meeting's decision.
        let id = format!("{}-{}", request.run, request.idempotency_key);
        let mut message = json!({ "messageId": id, "role": role, "parts": parts });
        if before {
            message["kind"] = "message".into();
        }
        if let Some(context) = context {
            message["contextId"] = context.into();
        }
        let modes = ["text/plain", "text/markdown", "application/json"];
        let configuration = match before {
            true => json!({ "acceptedOutputModes": modes, "blocking": false }),
            false => json!({ "acceptedOutputModes": modes, "returnImmediately": true }),
        };
        let mut params = json!({ "message": message, "configuration": configuration });
        if let Some(tenant) = &card.tenant {
            params["tenant"] = tenant.as_str().into();
        }
        params
    }

    /// Sends the message and waits until the task is over.
    async fn ask(
        &self,
        line: &Line,
        params: Value,
        call_time: CallTime<'_>,
        stage: &mut Stage<'_>,
    ) -> Result<Reading, AttemptFailure> {
        let mut guard = CancelGuard { line: line.clone(), task: None };
        let mut reading = Reading::default();
        if line.card.streaming {
            match self.stream(line, &params, call_time, stage, &mut reading, &mut guard).await {
                Ok(()) => {}
                // The card says that it streams, and it does not. Nothing was done.
                Err(trouble) if reading.task.is_none() && is_no_stream(&trouble) => {
                    let result = self.exchange(line, Operation::Send, params, call_time).await?;
                    self.take(&mut reading, &result, stage)?;
                }
                Err(trouble) => return Err(trouble),
            }
        } else {
            let result = self.exchange(line, Operation::Send, params, call_time).await?;
            self.take(&mut reading, &result, stage)?;
        }
        guard.task.clone_from(&reading.task);
        let mut wait = POLL_FIRST;
        while !reading.is_over() {
            let Some(task) = reading.task.clone() else {
                return Err(self.unreadable(ReadingProblem::Unreadable));
            };
            let left = call_time.deadline.saturating_duration_since(Instant::now());
            if left <= POLL_LAST {
                return Err(call_time.out_of_time());
            }
            sleep(wait.min(left.saturating_sub(POLL_LAST))).await;
            wait = wait.mul_f32(1.5).min(POLL_LONGEST);
            let result = self.exchange(line, Operation::Get, json!({ "id": task }), call_time).await?;
            self.take(&mut reading, &result, stage)?;
        }
        let is_left = matches!(reading.state, Some(TaskState::InputRequired | TaskState::AuthRequired));
        if !is_left {
            guard.task = None;
        }
        Ok(reading)
    }

    fn take(
        &self,
        reading: &mut Reading,
        result: &Value,
        stage: &mut Stage<'_>,
    ) -> Result<(), AttemptFailure> {
        reading.take(result, |piece| stage.answer(piece)).map_err(|problem| self.unreadable(problem))
    }

    async fn stream(
        &self,
        line: &Line,
        params: &Value,
        call_time: CallTime<'_>,
        stage: &mut Stage<'_>,
        reading: &mut Reading,
        guard: &mut CancelGuard,
    ) -> Result<(), AttemptFailure> {
        let mut response = send(line.request(Operation::Stream, params.clone()), call_time).await?;
        if !is_event_stream(&response) {
            let result = self.result(&line.card, &mut response, call_time).await?;
            return self.take(reading, &result, stage);
        }
        let (mut lines, mut bytes) = (Lines::default(), 0usize);
        loop {
            let chunk = match timeout_at(call_time.deadline, response.chunk()).await {
                Err(_) => return Err(call_time.out_of_time()),
                Ok(Ok(Some(chunk))) => chunk,
                // A stream that ends or breaks before its task does is followed by asking for the task.
                Ok(Ok(None)) | Ok(Err(_)) if reading.task.is_some() => return Ok(()),
                Ok(Ok(None)) => return Err(self.unreadable(ReadingProblem::Unreadable)),
                Ok(Err(_)) => {
                    let detail = message!("failure-cut-before-answer", provider = &self.config.name);
                    let kind = FailureKind::Network;
                    return Err(AttemptFailure::doubtful(kind, detail, hint(&self.config, kind)));
                }
            };
            bytes += chunk.len();
            if bytes > STREAM_MAX {
                return Err(self.unreadable(ReadingProblem::TooLong));
            }
            let flow = lines.feed(&chunk, |data| {
                let taken =
                    self.opened(&line.card, data).and_then(|result| self.take(reading, &result, stage));
                guard.task.clone_from(&reading.task);
                match taken {
                    Ok(()) if reading.is_over() => ControlFlow::Break(Ok(())),
                    Ok(()) => ControlFlow::Continue(()),
                    Err(trouble) => ControlFlow::Break(Err(trouble)),
                }
            });
            match flow {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(ended)) => return ended,
                Err(_) => return Err(self.unreadable(ReadingProblem::TooLong)),
            }
        }
    }

    async fn exchange(
        &self,
        line: &Line,
        operation: Operation,
        params: Value,
        call_time: CallTime<'_>,
    ) -> Result<Value, AttemptFailure> {
        let mut response = send(line.request(operation, params), call_time).await?;
        self.result(&line.card, &mut response, call_time).await
    }

    async fn result(
        &self,
        card: &Card,
        response: &mut Response,
        call_time: CallTime<'_>,
    ) -> Result<Value, AttemptFailure> {
        let body = whole(response, call_time).await?;
        self.opened(card, &body)
    }

    /// The result in an answer, or the error that it is.
    fn opened(&self, card: &Card, body: &[u8]) -> Result<Value, AttemptFailure> {
        let Ok(mut answer) = serde_json::from_slice::<Value>(body) else {
            return Err(self.unreadable(ReadingProblem::Unreadable));
        };
        if answer["error"].is_object() {
            return Err(self.reported(&answer["error"]));
        }
        match card.dialect {
            Dialect::Http => Ok(answer),
            Dialect::JsonRpc | Dialect::JsonRpcBefore => match answer["result"].take() {
                result @ Value::Object(_) => Ok(result),
                _ => Err(self.unreadable(ReadingProblem::Unreadable)),
            },
        }
    }

    /// An error of JSON-RPC, or of the other binding.
    fn reported(&self, error: &Value) -> AttemptFailure {
        let agent = &self.config.name;
        let code = error["code"].as_i64().unwrap_or_default();
        let said = shorten(&self.config.redact(error["message"].as_str().unwrap_or_default().to_owned()));
        let detail = message!("failure-agent-reports", agent, code = code.to_string(), said);
        match code {
            // Another client could not do better: no such task, context, method, version, or form.
            -32601 | -32004 => {
                let failure = nothing_done(FailureKind::BadRequest, detail, message!("remedy-agent-version"));
                AttemptFailure { refusal: Some(NO_STREAM.into()), ..failure }
            }
            -32001 | -32005 | -32009..=-32007 | -32600 | -32602 | -32700 => {
                nothing_done(FailureKind::BadRequest, detail, message!("remedy-agent-version"))
            }
            _ => {
                let hint = message!("remedy-agent-log", agent);
                AttemptFailure::doubtful(FailureKind::AgentFailed, detail, hint).final_one()
            }
        }
    }

    fn unreadable(&self, problem: ReadingProblem) -> AttemptFailure {
        let agent = &self.config.name;
        let detail = match problem {
            ReadingProblem::Unreadable => message!("failure-agent-unreadable", agent),
            ReadingProblem::OtherTask => message!("failure-agent-other-task", agent),
            ReadingProblem::TooLong => message!("failure-answer-too-large", provider = agent),
        };
        let hint = message!("remedy-agent-log", agent);
        AttemptFailure::doubtful(FailureKind::Malformed, detail, hint).final_one()
    }

    /// The answer that a task came to, or why it is none.
    fn judged(&self, reading: &Reading) -> Result<String, AttemptFailure> {
        let agent = &self.config.name;
        let said = || shorten(&self.config.redact(reading.words()));
        let failed =
            |kind, detail: Message, hint: Message| AttemptFailure::doubtful(kind, detail, hint).final_one();
        match reading.state {
            None | Some(TaskState::Completed | TaskState::Going) => {}
            Some(TaskState::InputRequired) => {
                let detail = message!("failure-agent-asks", agent, said = said());
                return Err(failed(FailureKind::BadRequest, detail, message!("remedy-agent-asks")));
            }
            Some(TaskState::AuthRequired) => {
                let detail = message!("failure-agent-wants-sign-in", agent, said = said());
                let hint = message!("remedy-agent-sign-in", agent);
                return Err(failed(FailureKind::Authentication, detail, hint));
            }
            Some(TaskState::Rejected) => {
                let detail = message!("failure-agent-rejected", agent, said = said());
                return Err(failed(FailureKind::ContentRefused, detail, message!("remedy-other-words")));
            }
            Some(TaskState::Failed) => {
                let detail = message!("failure-agent-failed", agent, said = said());
                let hint = message!("remedy-agent-log", agent);
                return Err(failed(FailureKind::AgentFailed, detail, hint));
            }
            Some(TaskState::Canceled) => {
                let detail = message!("failure-agent-canceled", agent, said = said());
                let hint = message!("remedy-agent-log", agent);
                return Err(failed(FailureKind::AgentFailed, detail, hint));
            }
        }
        let text = self.config.redact(reading.text());
        if is_blank(&text) {
            let (detail, hint) = (message!("failure-empty"), message!("remedy-agent-log", agent));
            return Err(failed(FailureKind::Empty, detail, hint));
        }
        Ok(text)
    }
}

/// Marks a failure after which the message is sent without a stream.
const NO_STREAM: &str = "no stream";

/// Whether a failure says that there is no stream, in either binding.
fn is_no_stream(trouble: &AttemptFailure) -> bool {
    trouble
        .refusal
        .as_deref()
        .is_some_and(|words| words == NO_STREAM || words.contains("unsupported_operation"))
}

impl Line {
    fn request(&self, operation: Operation, params: Value) -> RequestBuilder {
        let card = &self.card;
        let request = match card.dialect {
            Dialect::Http => self.http(operation, params),
            Dialect::JsonRpc | Dialect::JsonRpcBefore => {
                let method = match (operation, card.dialect == Dialect::JsonRpcBefore) {
                    (Operation::Send, true) => "message/send",
                    (Operation::Stream, true) => "message/stream",
                    (Operation::Get, true) => "tasks/get",
                    (Operation::Cancel, true) => "tasks/cancel",
                    (Operation::Send, false) => "SendMessage",
                    (Operation::Stream, false) => "SendStreamingMessage",
                    (Operation::Get, false) => "GetTask",
                    (Operation::Cancel, false) => "CancelTask",
                };
                let mut params = params;
                if let Some(tenant) = &card.tenant {
                    params["tenant"] = tenant.as_str().into();
                }
                let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
                self.client.post(card.url.clone()).body(body.to_string())
            }
        };
        let accept = match operation {
            Operation::Stream => "text/event-stream",
            Operation::Send | Operation::Get | Operation::Cancel => "application/json",
        };
        request.headers(self.headers.clone()).header("accept", accept)
    }

    fn http(&self, operation: Operation, params: Value) -> RequestBuilder {
        let id = params["id"].as_str().unwrap_or_default();
        let id = percent_encoding::utf8_percent_encode(id, percent_encoding::NON_ALPHANUMERIC).to_string();
        let at = |path: &str| -> Url {
            let mut url = self.card.url.clone();
            let before = url.path().trim_end_matches('/').to_owned();
            let tenant = self.card.tenant.as_ref().map(|tenant| format!("/{tenant}")).unwrap_or_default();
            url.set_path(&format!("{before}{tenant}{path}"));
            url
        };
        match operation {
            Operation::Send => self.client.post(at("/message:send")).body(params.to_string()),
            Operation::Stream => self.client.post(at("/message:stream")).body(params.to_string()),
            Operation::Get => self.client.get(at(&format!("/tasks/{id}"))),
            Operation::Cancel => self.client.post(at(&format!("/tasks/{id}:cancel"))).body("{}"),
        }
    }

    /// Cancels a task that nobody waits for any more.
    async fn cancel(&self, task: &str) {
        let request = self.request(Operation::Cancel, json!({ "id": task }));
        _ = timeout_at(Instant::now() + CANCEL_TIME, request.send()).await;
    }
}

/// Cancels a task whose turn has ended before it: its time is up, the meeting withdrew the call, or it waits for what nobody
/// here can give.
struct CancelGuard {
    line: Line,
    task: Option<String>,
}

impl Drop for CancelGuard {
    fn drop(&mut self) {
        if let (Some(task), Ok(runtime)) = (self.task.take(), tokio::runtime::Handle::try_current()) {
            let line = self.line.clone();
            runtime.spawn(async move { line.cancel(&task).await });
        }
    }
}

/// A failure before which nothing was done.
fn nothing_done(kind: FailureKind, detail: Message, hint: Message) -> AttemptFailure {
    AttemptFailure { spent: Spent::Nothing, ..AttemptFailure::doubtful(kind, detail, hint).final_one() }
}

/// The conversation of a participant of a meeting with the agent.
fn conversation(request: &Request) -> String {
    format!("{}/{}/{}", request.meeting, request.run, request.prompt.brief.name)
}

fn is_event_stream(response: &Response) -> bool {
    let media =
        response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    media.trim_start().to_ascii_lowercase().starts_with("text/event-stream")
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
