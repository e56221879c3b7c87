//! One HTTP request and its response, within the limits of time and size.
//!
//! Every way in which a connection can fail is named here; the caller decides whether to retry.

use std::error::Error;
use std::io::ErrorKind;
use std::ops::ControlFlow;
use std::time::Duration;

use bytes::Bytes;
use quorate_contract::FailureKind;
use quorate_messages::{Message, Value, message};
use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::{RequestBuilder, Response};
use tokio::time::{Instant, timeout, timeout_at};

use super::failure::{Again, AttemptFailure, Spent, hint, joined, speaks, wants_v1};
use super::foreign::BodyStart;
use super::ports::{SendError, Transport};
use super::refusal::refused;
use super::response::{MAX_ANSWER, ModelResponse, ResponseDecoder, Stage};
use super::sse::Lines;
use crate::address::NotPublic;
use crate::provider::ProviderConfig;
use crate::wire_format::WireFormat;

/// The headers in which providers send their id of a request.
const REQUEST_ID: [&str; 4] = ["x-request-id", "request-id", "x-goog-request-id", "x-ds-trace-id"];

/// The number of bytes that are read of an error's body.
const MAX_ERROR: usize = 64 << 10;

/// How long to wait for the usage after an answer has ended.
const USAGE_WAIT: Duration = Duration::from_secs(2);

/// How long to wait for the end of a stream that has said it is done, so that its connection can
/// be used again.
const END_WAIT: Duration = Duration::from_millis(20);

/// The time limits of a call, and the way to its provider.
#[derive(Clone, Copy)]
pub(crate) struct CallTime<'a> {
    pub(crate) config: &'a ProviderConfig,
    /// The deadline of the call.
    pub(crate) deadline: Instant,
    /// Whether the deadline is the request's own, and not the provider's.
    pub(crate) deadline_is_turns: bool,
    /// What takes its requests to the provider.
    pub(crate) transport: &'a dyn Transport,
}

impl CallTime<'_> {
    /// Waits for `future` until `limit` has passed since `since`, or everything has to be over.
    async fn wait<T>(
        &self,
        since: Instant,
        limit: Duration,
        setting: &'static str,
        future: impl Future<Output = T>,
    ) -> Result<T, AttemptFailure> {
        let until = (since + limit).min(self.deadline);
        timeout_at(until, future).await.map_err(|_| {
            if until < self.deadline { self.timed_out(limit, setting) } else { self.out_of_time() }
        })
    }

    fn timed_out(&self, limit: Duration, setting: &'static str) -> AttemptFailure {
        let name = &self.config.name;
        let detail = match setting {
            "idle_ms" => message!("failure-fell-silent", provider = name, duration = ?limit),
            _ => message!("failure-sent-nothing", provider = name, duration = ?limit),
        };
        let hint = message!("remedy-raise-setting", %setting, %name);
        AttemptFailure::doubtful(FailureKind::TimedOut, detail, hint)
    }

    /// The failure of a call whose time is up.
    pub(crate) fn out_of_time(&self) -> AttemptFailure {
        let name = &self.config.name;
        let hint = if self.deadline_is_turns {
            message!("remedy-give-turns-more-time")
        } else {
            message!("remedy-raise-total-time", %name)
        };
        let detail = message!("failure-out-of-time", provider = name);
        AttemptFailure::doubtful(FailureKind::TimedOut, detail, hint).final_one()
    }

    /// The connection broke while it was being used.
    fn cut(&self, when: Interruption) -> AttemptFailure {
        let provider = &self.config.name;
        let detail = match when {
            Interruption::BeforeAnswer => message!("failure-cut-before-answer", provider),
            Interruption::WithinAnswer => message!("failure-cut-within-answer", provider),
            Interruption::BeforeEnd => message!("failure-cut-before-end", provider),
        };
        AttemptFailure::doubtful(FailureKind::Network, detail, hint(self.config, FailureKind::Network))
    }
}

/// When a connection broke.
#[derive(Clone, Copy)]
enum Interruption {
    BeforeAnswer,
    WithinAnswer,
    BeforeEnd,
}

/// Sends a request and waits until an answer begins.
pub(crate) async fn send(
    request: RequestBuilder,
    call_time: CallTime<'_>,
) -> Result<Response, AttemptFailure> {
    let limit = call_time.config.timeouts.first_byte();
    let sent =
        call_time.wait(Instant::now(), limit, "first_byte_ms", call_time.transport.send(request)).await?;
    let response = sent.map_err(|error| unsent(error, call_time))?;
    let status = response.status();
    if status.is_success() {
        return Ok(response);
    }
    let headers = response.headers().clone();
    let body = beginning(response, call_time).await;
    let failed = refused(call_time.config, status, &headers, &body);
    Err(AttemptFailure { request_id: request_id(&headers).map(Into::into), ..failed })
}

/// The provider's own name for a request, by which its support can find it.
fn request_id(headers: &HeaderMap) -> Option<String> {
    let value = REQUEST_ID.iter().find_map(|name| headers.get(*name))?;
    value.to_str().ok().map(str::to_owned).filter(|id| !id.is_empty())
}

/// The error of a request that got no response. The error text itself is not shown: it contains the whole
/// address.
fn unsent(error: SendError, call_time: CallTime<'_>) -> AttemptFailure {
    let config = call_time.config;
    let name = &config.name;
    let network = hint(config, FailureKind::Network);
    let safely = |kind, detail: Message, hint: Message, again| AttemptFailure {
        kind,
        detail,
        hint,
        again,
        spent: Spent::Nothing,
        asked: None,
        status: None,
        refusal: None,
        request_id: None,
        window: None,
    };
    let error = match error {
        SendError::Client(error) => error,
        SendError::Cut => return call_time.cut(Interruption::BeforeAnswer),
        SendError::NoConnection(kind) => {
            let detail = message!("failure-unreachable", provider = name, why = cause(kind));
            return safely(FailureKind::Network, detail, network, Again::Safely(None));
        }
    };
    if error.is_connect() && error.is_timeout() {
        let limit = config.timeouts.connect();
        let limit_is = message!("remedy-connect-time");
        let hint = joined(limit_is, network);
        let detail = message!("failure-no-connection", provider = name, duration = ?limit);
        safely(FailureKind::Network, detail, hint, Again::Safely(None))
    } else if let Some(why) = cause_of::<NotPublic>(&error) {
        let detail = message!("failure-not-public", provider = name, why = why.message());
        let hint = message!("remedy-public-address");
        safely(FailureKind::BadRequest, detail, hint, Again::Never)
    } else if error.is_connect() {
        match refusal_to_trust(&error) {
            Some(why) => {
                let check = message!("remedy-check-certificates");
                let hint = joined(check, network);
                let detail = message!("failure-untrusted-certificate", provider = name, why);
                safely(FailureKind::Network, detail, hint, Again::Never)
            }
            None => {
                let detail = message!("failure-unreachable", provider = name, why = root_cause(&error));
                safely(FailureKind::Network, detail, network, Again::Safely(None))
            }
        }
    } else if error.is_builder() {
        let kind = FailureKind::BadRequest;
        let detail = message!("failure-no-request", provider = name);
        safely(kind, detail, hint(config, kind), Again::Never)
    } else {
        call_time.cut(Interruption::BeforeAnswer)
    }
}

/// The innermost reason: `connection refused`, say, without the address.
fn root_cause(error: &(dyn Error + 'static)) -> Value {
    let mut cause = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    match cause.downcast_ref::<std::io::Error>() {
        // What looks names up has kinds of its own, and says them in words.
        Some(error) if error.raw_os_error().is_none() && error.get_ref().is_some() => {
            error.to_string().into()
        }
        Some(error) if error.to_string().contains("lookup") => message!("failure-cause-no-address").into(),
        Some(error) => self::cause(error.kind()),
        None => cause.to_string().into(),
    }
}

/// The reason of the operating system in words.
fn cause(kind: ErrorKind) -> Value {
    match kind {
        ErrorKind::ConnectionRefused => message!("failure-cause-refused").into(),
        ErrorKind::ConnectionReset => message!("failure-cause-reset").into(),
        ErrorKind::HostUnreachable => message!("failure-cause-host-unreachable").into(),
        ErrorKind::NetworkUnreachable => message!("failure-cause-network-unreachable").into(),
        other => other.to_string().into(),
    }
}

/// The cause of this type, if it is among the causes.
fn cause_of<'a, E: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a E> {
    let mut next = Some(error);
    while let Some(cause) = next {
        if let Some(found) = cause.downcast_ref() {
            return Some(found);
        }
        next = cause.source();
    }
    None
}

/// What is wrong with the server's certificate, if that was the error.
fn refusal_to_trust(error: &(dyn Error + 'static)) -> Option<String> {
    let mut next = Some(error);
    while let Some(cause) = next {
        // An I/O error hides its own content from `source`.
        let inner = cause.downcast_ref::<std::io::Error>().and_then(|error| error.get_ref());
        let tls = inner
            .and_then(|inner| inner.downcast_ref::<rustls::Error>())
            .or_else(|| cause.downcast_ref::<rustls::Error>());
        if let Some(rustls::Error::InvalidCertificate(problem)) = tls {
            return Some(problem.to_string());
        }
        next = cause.source();
    }
    None
}

/// The beginning of an error's body; what cannot be read of it is left out.
async fn beginning(mut response: Response, call_time: CallTime<'_>) -> Vec<u8> {
    let mut body = Vec::new();
    let until = (Instant::now() + USAGE_WAIT).min(call_time.deadline);
    while body.len() < MAX_ERROR
        && let Ok(Ok(Some(chunk))) = timeout_at(until, response.chunk()).await
    {
        let room = MAX_ERROR - body.len();
        body.extend_from_slice(&chunk[..chunk.len().min(room)]);
    }
    body
}

/// Reads a complete body, up to [`MAX_ANSWER`]. Blanks at its beginning keep a connection alive but are no
/// sign of an answer.
pub(crate) async fn whole(
    response: &mut Response,
    call_time: CallTime<'_>,
) -> Result<Vec<u8>, AttemptFailure> {
    match whole_or_cut(response, call_time).await? {
        (body, None) => Ok(body),
        (_, Some(cut)) => Err(cut),
    }
}

/// The same; or the part before the connection broke or fell silent, with the failure.
async fn whole_or_cut(
    response: &mut Response,
    call_time: CallTime<'_>,
) -> Result<(Vec<u8>, Option<AttemptFailure>), AttemptFailure> {
    let timeouts = &call_time.config.timeouts;
    let mut body = Vec::new();
    let mut last = Instant::now();
    loop {
        let (limit, setting) = match body.is_empty() {
            true => (timeouts.first_byte(), "first_byte_ms"),
            false => (timeouts.idle(), "idle_ms"),
        };
        let chunk = match call_time.wait(last, limit, setting, response.chunk()).await {
            Ok(Ok(Some(chunk))) => chunk,
            Ok(Ok(None)) => return Ok((without_mark(body), None)),
            Ok(Err(_)) => return Ok((without_mark(body), Some(call_time.cut(Interruption::WithinAnswer)))),
            Err(late) => return Ok((without_mark(body), Some(late))),
        };
        let chunk = if body.is_empty() { chunk.trim_ascii_start() } else { &chunk };
        if chunk.is_empty() {
            continue;
        }
        last = Instant::now();
        if body.len() + chunk.len() > MAX_ANSWER {
            let name = &call_time.config.name;
            let failed = AttemptFailure::doubtful(
                FailureKind::Malformed,
                message!("failure-answer-too-large", provider = name),
                hint(call_time.config, FailureKind::Malformed),
            );
            return Err(failed.final_one());
        }
        body.extend_from_slice(chunk);
    }
}

/// A body without the byte order mark that some servers put in front, which is no JSON.
fn without_mark(mut body: Vec<u8>) -> Vec<u8> {
    if body.starts_with(b"\xef\xbb\xbf") {
        body.drain(..3);
    }
    body
}

/// Reads an answer, in whichever of the two ways the server chose to send it.
pub(crate) async fn read(
    mut response: Response,
    call_time: CallTime<'_>,
    stage: &mut Stage<'_>,
    prompt_tokens: impl Fn() -> u64,
) -> Result<ModelResponse, AttemptFailure> {
    let request_id = request_id(response.headers());
    let heard = read_all(&mut response, call_time, stage, prompt_tokens).await;
    match heard {
        Ok(heard) => Ok(ModelResponse { request_id, ..heard }),
        Err(failed) => Err(AttemptFailure { request_id: request_id.map(Into::into), ..failed }),
    }
}

async fn read_all(
    response: &mut Response,
    call_time: CallTime<'_>,
    stage: &mut Stage<'_>,
    prompt_tokens: impl Fn() -> u64,
) -> Result<ModelResponse, AttemptFailure> {
    let content_type = response.headers().get(CONTENT_TYPE);
    let content_type = content_type.and_then(|value| value.to_str().ok()).unwrap_or_default();
    let content_type = content_type.to_ascii_lowercase();
    if content_type.starts_with("text/html") {
        return Err(web_page(call_time.config));
    }
    let mut decoder = ResponseDecoder::new(call_time.config, stage);
    if content_type.starts_with("application/json") {
        let (body, cut) = whole_or_cut(response, call_time).await?;
        if BodyStart::of(&body).is_page() {
            return Err(web_page(call_time.config));
        }
        let taken = decoder.take_whole(&body);
        // A complete answer counts, whatever happened to the connection after it.
        match (taken, cut) {
            (Ok(()), None) => {}
            (Ok(()), Some(_)) if decoder.is_finished() => {}
            (_, Some(cut)) => return Err(AttemptFailure { spent: decoder.spent(), ..cut }),
            (Err(failed), None) => return Err(failed),
        }
        return decoder.end(prompt_tokens);
    }
    stream(response, call_time, &mut decoder).await?;
    if decoder.is_done() {
        let _ = timeout(END_WAIT, async { while let Ok(Some(_)) = response.chunk().await {} }).await;
    }
    decoder.end(prompt_tokens)
}

/// The failure of a page in place of an answer, such as that of a proxy. No model wrote it.
fn web_page(config: &ProviderConfig) -> AttemptFailure {
    let detail = message!("failure-web-page", provider = &config.name);
    let url = config.shown_url();
    let title = config.wire.wire().title();
    let hint = match config.wire {
        WireFormat::Gemini | WireFormat::Ollama | WireFormat::A2a => speaks(&url, title),
        _ => wants_v1(&url, title),
    };
    let failed = AttemptFailure::doubtful(FailureKind::Malformed, detail, hint).final_one();
    AttemptFailure { spent: Spent::Nothing, ..failed }
}

/// Reads the events of a stream until it is complete.
async fn stream(
    response: &mut Response,
    call_time: CallTime<'_>,
    decoder: &mut ResponseDecoder<'_, '_>,
) -> Result<(), AttemptFailure> {
    let timeouts = &call_time.config.timeouts;
    let mut lines = Lines::default();
    let mut last_event = Instant::now();
    let mut heard_any = false;
    let mut start = BodyStart::default();
    loop {
        let (limit, setting) = match (decoder.is_finished(), heard_any) {
            (true, _) => (timeouts.idle().min(USAGE_WAIT), "idle_ms"),
            (false, true) => (timeouts.idle(), "idle_ms"),
            (false, false) => (timeouts.first_byte(), "first_byte_ms"),
        };
        let chunk = call_time.wait(last_event, limit, setting, response.chunk()).await;
        let chunk: Option<Bytes> = match chunk {
            Ok(Ok(chunk)) => chunk,
            Ok(Err(_)) | Err(_) => {
                // The last line may be complete except for its end.
                let _ = lines.finish(|data| match decoder.take(data) {
                    Ok(()) => ControlFlow::<()>::Continue(()),
                    Err(_) => ControlFlow::Break(()),
                });
                if decoder.is_finished() {
                    return Ok(()); // all but the usage has come
                }
                let failed = match chunk {
                    Err(late) => late,
                    Ok(_) => call_time.cut(Interruption::WithinAnswer),
                };
                return Err(AttemptFailure { spent: decoder.spent(), ..failed });
            }
        };
        if let Some(chunk) = &chunk {
            start.take(chunk);
            if start.is_page() {
                return Err(web_page(call_time.config));
            }
        }
        let mut events = 0u32;
        let mut take = |data: &[u8]| match decoder.take(data) {
            Ok(()) if decoder.is_done() => ControlFlow::Break(Ok(())),
            Ok(()) => {
                events += 1;
                ControlFlow::Continue(())
            }
            Err(failed) => ControlFlow::Break(Err(failed)),
        };
        let flow = match &chunk {
            Some(chunk) => lines.feed(chunk, &mut take),
            None => Ok(lines.finish(&mut take)),
        };
        match flow {
            Ok(ControlFlow::Continue(())) => {}
            Ok(ControlFlow::Break(result)) => return result,
            Err(_) if decoder.is_finished() => return Ok(()),
            Err(_) => {
                let line = message!("failure-line-too-large", provider = &call_time.config.name);
                return Err(decoder.too_long(line));
            }
        }
        if events > 0 {
            heard_any = true;
            last_event = Instant::now();
        }
        if chunk.is_none() {
            // Without an end marker, the end of a stream is an error, however clean it looks.
            if decoder.is_finished() {
                return Ok(());
            }
            let failed = call_time.cut(Interruption::BeforeEnd);
            return Err(AttemptFailure { spent: decoder.spent(), ..failed });
        }
    }
}
