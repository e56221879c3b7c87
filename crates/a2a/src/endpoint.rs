//! The endpoint: cards, JSON-RPC and HTTP+JSON, each for one format or for all.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::stream::unfold;
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode, header};
use http_body::{Body, Frame};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, Limited, StreamBody};
use quorate_contract::Format;
use quorate_messages::{Language, text};
use serde_json::{Map, Value, json};
use tokio::time::timeout;

use crate::api::Api;
use crate::card::card;
use crate::dialect::{Operation, Version, event_before, is_spoken, method, methods, task_before};
use crate::error::{A2aError, ErrorKind};
use crate::language;
use crate::limits::{Answered, Streams};
use crate::operations::{Asker, Operations, Piece, TaskStream};

/// The largest body of a request, in bytes.
const BODY_MAX: usize = 1 << 20;
/// The header that names the version of the protocol.
const VERSION: &str = "a2a-version";
/// The paths of a card, of versions 0.3 and later and of those before.
const CARDS: [&str; 2] = [".well-known/agent-card.json", ".well-known/agent.json"];
/// The media type of HTTP+JSON.
const A2A_JSON: &str = "application/a2a+json";
/// A comment is sent after so long without an event.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

type HttpResponse = Response<UnsyncBoxBody<Bytes, Infallible>>;

/// Under which address clients reach the server.
#[derive(Debug, Clone)]
pub struct PublicAddress {
    /// The operator's own, such as `https://quorate.example`; otherwise the host that a request names counts.
    pub url: Option<String>,
    /// The scheme before that host.
    pub scheme: &'static str,
}

/// The endpoint. Host, origin and credentials are for the server around it to check.
#[derive(Clone)]
pub struct A2aEndpoint {
    operations: Arc<Operations>,
    language: Language,
    address: PublicAddress,
}

impl std::fmt::Debug for A2aEndpoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("A2aEndpoint")
    }
}

/// What a path asks for.
#[derive(Debug, Clone, PartialEq)]
enum Target {
    Card(Option<Format>),
    Rpc(Option<Format>),
    Rest(Option<Format>, String),
    Nothing,
}

impl A2aEndpoint {
    /// The endpoint over this API. Clients that name no language read this one.
    pub fn new(api: Arc<dyn Api>, language: Language, address: PublicAddress) -> Self {
        let operations = Operations { api, streams: Streams::default(), answered: Answered::default() };
        Self { operations: Arc::new(operations), language, address }
    }

    /// Answers a request.
    pub async fn handle<B>(&self, request: Request<B>) -> HttpResponse
    where
        B: Body<Data = Bytes> + Send + 'static,
        B::Error: std::fmt::Display + Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let (parts, body) = request.into_parts();
        let language = language::preferred(&parts, self.language);
        match target(parts.uri.path()) {
            Target::Card(format) if is_reading(&parts.method) => self.card(&parts, format, language),
            Target::Rpc(format) if parts.method == Method::POST => {
                let asker = Asker { parts, language, format };
                match read(body, language).await {
                    Ok(bytes) => self.rpc(&asker, &bytes).await,
                    Err(error) => refused_rpc(&Value::Null, &error),
                }
            }
            Target::Rest(format, path) => {
                let asker = Asker { parts, language, format };
                match read(body, language).await {
                    Ok(bytes) => self.rest(&asker, &path, &bytes).await,
                    Err(error) => refused_http(&error),
                }
            }
            Target::Card(_) | Target::Rpc(_) => {
                let error = A2aError::new(ErrorKind::InvalidRequest, text!(language, "a2a-post"));
                let mut answer = refused_http(&error);
                *answer.status_mut() = StatusCode::METHOD_NOT_ALLOWED;
                answer
            }
            Target::Nothing => {
                let formats: Vec<&str> = Format::ALL.iter().map(|format| format.as_str()).collect();
                let told = text!(language, "a2a-no-agent", formats = &formats[..]);
                refused_http(&A2aError::new(ErrorKind::MethodNotFound, told))
            }
        }
    }

    fn card(&self, parts: &Parts, format: Option<Format>, language: Language) -> HttpResponse {
        let site = self.site(parts);
        let url = match format {
            Some(format) => format!("{site}/a2a/{}", format.as_str()),
            None => format!("{site}/a2a"),
        };
        let mut answer =
            json_answer(StatusCode::OK, &card(format, &url, language, &site), "application/json");
        let headers = answer.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("max-age=300"));
        headers.insert(header::VARY, HeaderValue::from_static("accept-language, host"));
        answer
    }

    /// The address under which the client has found the server.
    fn site(&self, parts: &Parts) -> String {
        if let Some(url) = &self.address.url {
            return url.trim_end_matches('/').to_owned();
        }
        let named = parts.headers.get(header::HOST).and_then(|host| host.to_str().ok());
        let host = parts.uri.authority().map(http::uri::Authority::as_str).or(named).unwrap_or("localhost");
        format!("{}://{host}", self.address.scheme)
    }

    /// One request in JSON-RPC.
    async fn rpc(&self, asker: &Asker, bytes: &[u8]) -> HttpResponse {
        let language = asker.language;
        let request: Value = match serde_json::from_slice(bytes) {
            Ok(request) => request,
            Err(error) => {
                let told = text!(language, "a2a-not-json", problem = error.to_string());
                return refused_rpc(&Value::Null, &A2aError::new(ErrorKind::NotJson, told));
            }
        };
        let id = Some(&request["id"]).filter(|id| id.is_string() || id.is_i64() || id.is_u64());
        let id = id.cloned().unwrap_or_default();
        match self.rpc_operation(asker, &request).await {
            Ok((version, Done::Value(value))) => {
                let result = match version {
                    Version::One => value,
                    Version::Before => task_before(value.get("task").unwrap_or(&value)),
                };
                let body = json!({ "jsonrpc": "2.0", "id": id, "result": result });
                json_answer(StatusCode::OK, &body, "application/json")
            }
            Ok((version, Done::Stream(stream))) => streamed(stream, move |event| {
                let result = match version {
                    Version::One => event,
                    Version::Before => event_before(&event),
                };
                json!({ "jsonrpc": "2.0", "id": id, "result": result })
            }),
            Err(error) => refused_rpc(&id, &error),
        }
    }

    async fn rpc_operation(&self, asker: &Asker, request: &Value) -> Result<(Version, Done), A2aError> {
        let language = asker.language;
        let invalid = |told: &str| A2aError::new(ErrorKind::InvalidRequest, told);
        let Value::Object(fields) = request else { return Err(invalid(text!(language, "a2a-no-batch"))) };
        if request["jsonrpc"] != "2.0" {
            return Err(invalid(text!(language, "a2a-jsonrpc")));
        }
        let id = fields.get("id").unwrap_or(&Value::Null);
        if !(id.is_string() || id.is_i64() || id.is_u64() || id.is_null()) {
            return Err(invalid(text!(language, "a2a-rpc-id")));
        }
        check_version(&asker.parts.headers, language)?;
        let named = request["method"].as_str().ok_or_else(|| invalid(text!(language, "a2a-rpc-method")))?;
        let Some((version, operation)) = method(named) else {
            let known = format!("{}; {}", methods(Version::One), methods(Version::Before));
            let told = text!(language, "a2a-no-method", known);
            return Err(A2aError::new(ErrorKind::MethodNotFound, told));
        };
        let empty = json!({});
        let params = match fields.get("params") {
            None | Some(Value::Null) => &empty,
            Some(params @ Value::Object(_)) => params,
            Some(_) => {
                return Err(A2aError::new(ErrorKind::InvalidParams, text!(language, "a2a-params")));
            }
        };
        let done = self.perform(asker, operation, params).await?;
        Ok((version, done))
    }

    async fn perform(&self, asker: &Asker, operation: Operation, params: &Value) -> Result<Done, A2aError> {
        let operations = &self.operations;
        Ok(match operation {
            Operation::Send => Done::Value(json!({ "task": operations.send(asker, params).await? })),
            Operation::Stream => Done::Stream(operations.stream(asker, params).await?),
            Operation::Get => Done::Value(operations.get(asker, params).await?),
            Operation::List => Done::Value(operations.list(asker, params).await?),
            Operation::Cancel => Done::Value(operations.cancel(asker, params).await?),
            Operation::Subscribe => Done::Stream(operations.subscribe(asker, params).await?),
            Operation::Push => {
                let told = text!(asker.language, "a2a-no-push");
                return Err(A2aError::new(ErrorKind::PushNotificationNotSupported, told));
            }
            Operation::ExtendedCard => {
                let told = text!(asker.language, "a2a-no-extended-card");
                return Err(A2aError::new(ErrorKind::ExtendedCardNotConfigured, told));
            }
        })
    }

    /// One request in HTTP+JSON, version 1.0.
    async fn rest(&self, asker: &Asker, path: &str, bytes: &[u8]) -> HttpResponse {
        let language = asker.language;
        let Some((operation, id)) = rest_operation(&asker.parts.method, path) else {
            let told = text!(language, "a2a-no-method", known = methods(Version::One));
            return refused_http(&A2aError::new(ErrorKind::MethodNotFound, told));
        };
        if let Err(error) = check_version(&asker.parts.headers, language) {
            return refused_http(&error);
        }
        let mut params = query(asker.parts.uri.query().unwrap_or_default());
        if !bytes.trim_ascii().is_empty() {
            match serde_json::from_slice(bytes) {
                Ok(Value::Object(body)) => params.extend(body),
                Ok(_) => {
                    let told = text!(language, "a2a-params");
                    return refused_http(&A2aError::new(ErrorKind::InvalidParams, told));
                }
                Err(error) => {
                    let told = text!(language, "a2a-not-json", problem = error.to_string());
                    return refused_http(&A2aError::new(ErrorKind::NotJson, told));
                }
            }
        }
        if let Some(id) = id {
            params.insert("id".to_owned(), id.into());
        }
        match self.perform(asker, operation, &params.into()).await {
            Ok(Done::Value(value)) => json_answer(StatusCode::OK, &value, A2A_JSON),
            Ok(Done::Stream(stream)) => streamed(stream, |event| event),
            Err(error) => refused_http(&error),
        }
    }
}

/// What an operation yields.
enum Done {
    Value(Value),
    Stream(TaskStream),
}

/// What a path asks for.
fn target(path: &str) -> Target {
    let path = path.trim_matches('/');
    if CARDS.contains(&path) {
        return Target::Card(None);
    }
    let Some(below) = path.strip_prefix("a2a") else { return Target::Nothing };
    let Some(below) = below.strip_prefix('/') else {
        return if below.is_empty() { Target::Rpc(None) } else { Target::Nothing };
    };
    let (first, rest) = below.split_once('/').unwrap_or((below, ""));
    let named = Format::ALL.into_iter().find(|format| format.as_str() == first);
    let (format, rest) = match named {
        Some(format) => (Some(format), rest),
        None => (None, below),
    };
    match rest {
        "" => Target::Rpc(format),
        card if CARDS.contains(&card) => Target::Card(format),
        rest if format.is_some() || is_rest(rest) => Target::Rest(format, rest.to_owned()),
        _ => Target::Nothing,
    }
}

/// Whether a path is one of HTTP+JSON, and not the name of an agent that does not exist.
fn is_rest(path: &str) -> bool {
    ["message:", "tasks", "extendedAgentCard"].iter().any(|begin| path.starts_with(begin))
}

/// The operation behind a path of HTTP+JSON, with the task that it names.
fn rest_operation(method: &Method, path: &str) -> Option<(Operation, Option<String>)> {
    let decoded = |id: &str| {
        let id = percent_encoding::percent_decode_str(id).decode_utf8_lossy().into_owned();
        Some(id).filter(|id| !id.is_empty())
    };
    let reads = is_reading(method);
    let posts = *method == Method::POST;
    match path {
        "message:send" if posts => return Some((Operation::Send, None)),
        "message:stream" if posts => return Some((Operation::Stream, None)),
        "tasks" if reads => return Some((Operation::List, None)),
        "extendedAgentCard" if reads => return Some((Operation::ExtendedCard, None)),
        _ => {}
    }
    let below = path.strip_prefix("tasks/")?;
    if let Some((id, rest)) = below.split_once('/') {
        return (rest == "pushNotificationConfigs" || rest.starts_with("pushNotificationConfigs/"))
            .then(|| (Operation::Push, decoded(id)));
    }
    let (id, verb) = below.rsplit_once(':').unwrap_or((below, ""));
    match verb {
        "" if reads => Some((Operation::Get, Some(decoded(id)?))),
        "cancel" if posts => Some((Operation::Cancel, Some(decoded(id)?))),
        "subscribe" if posts || reads => Some((Operation::Subscribe, Some(decoded(id)?))),
        _ => None,
    }
}

/// The parameters in a query: numbers and truth values as such.
fn query(text: &str) -> Map<String, Value> {
    let decoded = |part: &str| {
        percent_encoding::percent_decode_str(&part.replace('+', " ")).decode_utf8_lossy().into_owned()
    };
    let pairs = text.split('&').take(50).filter_map(|pair| pair.split_once('='));
    pairs
        .map(|(name, value)| {
            let (name, value) = (decoded(name), decoded(value));
            let typed = match name.as_str() {
                "historyLength" | "pageSize" => {
                    value.parse::<u64>().map_or(Value::String(value), Value::from)
                }
                "includeArtifacts" => (value == "true").into(),
                _ => value.into(),
            };
            (name, typed)
        })
        .collect()
}

fn is_reading(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD)
}

fn check_version(headers: &HeaderMap, language: Language) -> Result<(), A2aError> {
    match headers.get(VERSION).map(|version| version.to_str().unwrap_or("?")) {
        Some(version) if !version.trim().is_empty() && !is_spoken(version) => {
            let told = text!(language, "a2a-version");
            Err(A2aError::new(ErrorKind::VersionNotSupported, told))
        }
        _ => Ok(()),
    }
}

async fn read<B>(body: B, language: Language) -> Result<Bytes, A2aError>
where
    B: Body<Data = Bytes> + Send + 'static,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let read = Limited::new(body, BODY_MAX).collect().await;
    read.map(http_body_util::Collected::to_bytes).map_err(|_| {
        A2aError::new(ErrorKind::TooLarge, text!(language, "a2a-too-large", most = BODY_MAX as u64))
    })
}

fn refused_rpc(id: &Value, error: &A2aError) -> HttpResponse {
    let status = StatusCode::from_u16(error.rpc_status()).unwrap_or(StatusCode::OK);
    json_answer(status, &json!({ "jsonrpc": "2.0", "id": id, "error": error.rpc() }), "application/json")
}

fn refused_http(error: &A2aError) -> HttpResponse {
    let status = StatusCode::from_u16(error.http_status()).unwrap_or(StatusCode::BAD_REQUEST);
    json_answer(status, &error.http(), A2A_JSON)
}

fn json_answer(status: StatusCode, body: &Value, media: &'static str) -> HttpResponse {
    let mut answer = Response::new(Full::new(Bytes::from(body.to_string())).boxed_unsync());
    *answer.status_mut() = status;
    answer.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(media));
    if status == StatusCode::UNAUTHORIZED {
        answer.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    answer
}

/// A stream as server-sent events, with comments that keep the connection alive.
fn streamed(stream: TaskStream, written: impl Fn(Value) -> Value + Send + Sync + 'static) -> HttpResponse {
    let frames = unfold((stream, written), |(mut stream, written)| async move {
        let bytes = match timeout(KEEP_ALIVE, stream.pieces.recv()).await {
            Ok(None) => return None,
            Ok(Some(Piece::Event(event))) => Bytes::from(format!("data: {}\n\n", written(event))),
            Ok(Some(Piece::KeepAlive)) | Err(_) => Bytes::from_static(b": still here\n\n"),
        };
        Some((Ok::<_, Infallible>(Frame::data(bytes)), (stream, written)))
    });
    let mut answer = Response::new(StreamBody::new(frames).boxed_unsync());
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    answer
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;
    use futures::future::BoxFuture;
    use futures::stream::BoxStream;

    use super::*;
    use crate::api::{ApiCall, ApiResponse};

    /// An API that has nothing.
    struct Nothing;

    fn nothing() -> ApiResponse {
        ApiResponse { status: 404, bytes: br#"{"detail":"nothing here","hint":"look elsewhere"}"#.to_vec() }
    }

    impl Api for Nothing {
        fn send<'a>(&'a self, _: &'a Parts, _: ApiCall) -> BoxFuture<'a, ApiResponse> {
            async { nothing() }.boxed()
        }
        fn follow<'a>(
            &'a self,
            _: &'a Parts,
            _: String,
        ) -> BoxFuture<'a, Result<BoxStream<'static, Vec<u8>>, ApiResponse>> {
            async { Err(nothing()) }.boxed()
        }
    }

    async fn asked(method: &str, path: &str, version: &str, body: &[u8]) -> (u16, Value) {
        let address = PublicAddress { url: None, scheme: "http" };
        let endpoint = A2aEndpoint::new(Arc::new(Nothing), Language::En, address);
        let request = Request::builder().method(method).uri(path).header(VERSION, version);
        let request = request.body(Full::new(Bytes::copy_from_slice(body))).expect("a request");
        let answer = endpoint.handle(request).await;
        let status = answer.status().as_u16();
        let body = answer.into_body().collect().await.expect("a body").to_bytes();
        (status, serde_json::from_slice(&body).unwrap_or_else(|_| panic!("{method} {path}: {body:?}")))
    }

    #[tokio::test]
    async fn garbage_for_every_method_is_refused_with_a_code_and_a_sentence() {
        let known = [-32700, -32602, -32601, -32600, -32001, -32003, -32005, -32007];
        let deep =
            serde_json::from_str::<Value>(&format!("{}1{}", "[".repeat(100), "]".repeat(100))).expect("deep");
        let odd = [
            json!(null),
            json!(7),
            json!("x"),
            json!([]),
            json!({}),
            json!({ "id": 7 }),
            json!({ "id": "../../x" }),
            json!({ "id": "x".repeat(5000) }),
            json!({ "message": [] }),
            json!({ "message": { "parts": [{}] } }),
            json!({ "message": { "messageId": "m", "role": "user", "parts": [{ "text": 7 }] } }),
            json!({ "message": { "messageId": "m", "role": "user", "parts": [{ "raw": "AA==" }] } }),
            json!({ "message": { "messageId": "m", "role": "user", "parts": [{ "text": "x" }], "taskId": [] } }),
            json!({ "message": { "messageId": "m", "role": "user", "parts": [{ "text": "x" }], "taskId": "t" } }),
            json!({ "pageSize": -1 }),
            json!({ "pageSize": 1e99 }),
            json!({ "id": deep }),
            json!({ "historyLength": "x" }),
        ];
        let methods = [Version::One, Version::Before].map(methods).join(", ");
        let push = [
            "GetExtendedAgentCard",
            "tasks/pushNotificationConfig/set",
            "DeleteTaskPushNotificationConfig",
            "fly",
        ];
        for method in methods.split(", ").chain(push) {
            for params in &odd {
                let body = json!({ "jsonrpc": "2.0", "id": "a", "method": method, "params": params });
                let (status, answer) = asked("POST", "/a2a/consensus", "", body.to_string().as_bytes()).await;
                let error = &answer["error"];
                let code = error["code"].as_i64().unwrap_or_default();
                assert!(status == 200 && known.contains(&code), "{method} {params}: {status} {answer}");
                assert!(error["message"].as_str().is_some_and(|told| told.len() > 10) && answer["id"] == "a");
            }
        }
        for body in [
            "",
            "{",
            "[]",
            "7",
            r#"{"jsonrpc":"1.0"}"#,
            r#"{"jsonrpc":"2.0","id":{},"method":"x"}"#,
            "\u{0}",
            "[{}]",
        ] {
            let (_, answer) = asked("POST", "/a2a", "", body.as_bytes()).await;
            assert!(
                [-32700, -32600].contains(&answer["error"]["code"].as_i64().unwrap_or_default()),
                "{body}: {answer}"
            );
        }
        let large = vec![b' '; BODY_MAX + 1];
        assert_eq!(asked("POST", "/a2a", "", &large).await.0, 413);
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "ListTasks" }).to_string();
        assert_eq!(asked("POST", "/a2a", "9.9", body.as_bytes()).await.1["error"]["code"], -32009);
    }

    #[tokio::test]
    async fn garbage_over_http_is_refused_with_a_status_and_a_reason() {
        for (method, path, body, status) in [
            ("POST", "/a2a/room/message:send", "{", 400),
            ("POST", "/a2a/room/message:send", "[]", 400),
            ("POST", "/a2a/room/message:stream", "{}", 400),
            ("GET", "/a2a/room/tasks/t", "", 404),
            ("POST", "/a2a/room/tasks/t:cancel", "", 404),
            ("GET", "/a2a/room/tasks/t:subscribe", "", 404),
            ("GET", "/a2a/room/tasks?pageSize=x", "", 400),
            ("POST", "/a2a/room/tasks/t/pushNotificationConfigs", "{}", 400),
            ("GET", "/a2a/room/extendedAgentCard", "", 400),
            ("GET", "/a2a/room/else", "", 404),
            ("GET", "/a2a/room", "", 405),
            ("POST", "/a2a/parliament", "{}", 404),
        ] {
            let (got, answer) = asked(method, path, "1.0", body.as_bytes()).await;
            assert_eq!(got, status, "{method} {path}: {answer}");
            assert!(answer["error"]["message"].as_str().is_some_and(|told| told.len() > 10), "{answer}");
            assert!(answer["error"]["details"][0]["reason"].is_string(), "{answer}");
        }
    }

    #[test]
    fn paths_are_read_with_or_without_a_format() {
        use Format::{Consensus, Room};
        assert_eq!(target("/.well-known/agent-card.json"), Target::Card(None));
        assert_eq!(target("/a2a/room/.well-known/agent.json"), Target::Card(Some(Room)));
        assert_eq!(target("/a2a/.well-known/agent-card.json"), Target::Card(None));
        assert_eq!(target("/a2a"), Target::Rpc(None));
        assert_eq!(target("/a2a/consensus/"), Target::Rpc(Some(Consensus)));
        assert_eq!(target("/a2a/room/message:send"), Target::Rest(Some(Room), "message:send".to_owned()));
        assert_eq!(target("/a2a/tasks/t1"), Target::Rest(None, "tasks/t1".to_owned()));
        for nothing in ["/a2a/parliament", "/a2ab", "/", "/a2a/parliament/message:send"] {
            assert_eq!(target(nothing), Target::Nothing, "{nothing}");
        }
    }

    #[test]
    fn operations_of_http_are_read_with_their_task() {
        let of = |method: Method, path: &str| rest_operation(&method, path);
        let id = || Some("t 1".to_owned());
        assert_eq!(of(Method::POST, "message:stream"), Some((Operation::Stream, None)));
        assert_eq!(of(Method::GET, "tasks/t%201"), Some((Operation::Get, id())));
        assert_eq!(of(Method::POST, "tasks/t%201:cancel"), Some((Operation::Cancel, id())));
        assert_eq!(of(Method::GET, "tasks/t%201:subscribe"), Some((Operation::Subscribe, id())));
        assert_eq!(of(Method::POST, "tasks/t%201/pushNotificationConfigs"), Some((Operation::Push, id())));
        for (method, path) in [
            (Method::GET, "message:send"),
            (Method::GET, "tasks/t:cancel"),
            (Method::GET, "tasks/"),
            (Method::POST, "tasks/t:fly"),
            (Method::POST, ""),
        ] {
            assert_eq!(of(method, path), None, "{path}");
        }
        assert_eq!(
            Value::from(query("pageSize=7&contextId=a%20b&includeArtifacts=true&x")),
            json!({ "pageSize": 7, "contextId": "a b", "includeArtifacts": true })
        );
    }
}
