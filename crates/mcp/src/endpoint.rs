//! The endpoint for streamable HTTP: what a request has to be before the protocol reads it, and batches of older versions.

use std::convert::Infallible;
use std::fmt::Display;
use std::sync::Arc;

use bytes::Bytes;
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode, header};
use http_body::Body;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, Limited};
use quorate_messages::{Language, text};
use rmcp::model::ProtocolVersion;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::{Value, json};

use crate::{QuorateMcp, language, methods};

/// The largest body of a request, in bytes.
const BODY_MAX: usize = 4 << 20;
/// The most messages of a batch.
const BATCH_MAX: usize = 20;
/// The longest answer that names a method and says no more, in bytes.
const NOT_FOUND_MAX: usize = 1000;
/// The last protocol version that has batches.
const LAST_WITH_BATCHES: ProtocolVersion = ProtocolVersion::V_2025_03_26;
/// The header that names the protocol version.
const VERSION: &str = "mcp-protocol-version";

/// The endpoint. Host, origin and credentials are for the server around it to check.
#[derive(Clone)]
pub struct HttpEndpoint(StreamableHttpService<QuorateMcp, NeverSessionManager>, Language);

impl std::fmt::Debug for HttpEndpoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("HttpEndpoint")
    }
}

impl HttpEndpoint {
    /// The endpoint of these tools. It keeps no protocol sessions.
    pub fn new(tools: QuorateMcp) -> Self {
        let mut config = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .with_max_request_body_bytes(BODY_MAX);
        config.allowed_hosts = Vec::new();
        let language = tools.default_language();
        Self(StreamableHttpService::new(move || Ok(tools.clone()), Arc::default(), config), language)
    }

    /// Answers a request.
    pub async fn handle<B>(&self, request: Request<B>) -> Response<BoxBody<Bytes, Infallible>>
    where
        B: Body<Data = Bytes> + Send + 'static,
        B::Error: Display + Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let (mut parts, body) = request.into_parts();
        let language = language::preferred(Some(&parts), self.1);
        if parts.method == Method::POST && !accept_both(&mut parts.headers) {
            let told = text!(language, "mcp-not-acceptable");
            return refused(StatusCode::NOT_ACCEPTABLE, &Value::Null, -32600, told);
        }
        if parts.method != Method::POST || !is_json(&parts.headers) {
            return self.0.handle(Request::from_parts(parts, body)).await;
        }
        let bytes = match Limited::new(body, BODY_MAX).collect().await {
            Ok(body) => body.to_bytes(),
            Err(error) => {
                let told = text!(language, "mcp-body-unreadable", %error, most = %BODY_MAX);
                return refused(StatusCode::PAYLOAD_TOO_LARGE, &Value::Null, -32600, &told);
            }
        };
        match serde_json::from_slice(&bytes) {
            Ok(Value::Array(batch)) => self.batch(parts, batch).await,
            Ok(message) => match read(&parts.headers, &message, language) {
                Ok(()) => self.one(parts, bytes, &message).await,
                Err(told) => refused(StatusCode::BAD_REQUEST, &id_of(&message), -32600, &told),
            },
            Err(error) => {
                let told = text!(language, "mcp-body-no-json", %error);
                refused(StatusCode::BAD_REQUEST, &Value::Null, -32700, &told)
            }
        }
    }

    /// Answers one message.
    async fn one(&self, parts: Parts, bytes: Bytes, message: &Value) -> Response<BoxBody<Bytes, Infallible>> {
        let id = &id_of(message);
        let language = language::preferred(Some(&parts), self.1);
        let answered = self.0.handle(Request::from_parts(parts, Full::new(bytes))).await;
        match answered.status() {
            // The body is JSON, but no message that the library knows.
            StatusCode::UNSUPPORTED_MEDIA_TYPE => {
                let told = text!(language, "mcp-message-unfit");
                refused(StatusCode::BAD_REQUEST, id, -32602, told)
            }
            _ if is_json(answered.headers()) => {
                let (parts, body) = answered.into_parts();
                let Ok(body) = body.collect().await;
                let bytes = body.to_bytes();
                match method_not_found(&bytes, message["method"].as_str().unwrap_or_default(), language) {
                    Some(told) => refused(parts.status, id, -32601, &told),
                    None => Response::from_parts(parts, Full::new(bytes).boxed()),
                }
            }
            _ => answered,
        }
    }

    /// Answers the messages of a batch one after the other, where the protocol version has batches.
    async fn batch(&self, parts: Parts, batch: Vec<Value>) -> Response<BoxBody<Bytes, Infallible>> {
        let refuse = |told: &str| refused(StatusCode::BAD_REQUEST, &Value::Null, -32600, told);
        let language = language::preferred(Some(&parts), self.1);
        let version = parts.headers.get(VERSION).and_then(|version| version.to_str().ok());
        if version.is_some_and(|version| version > LAST_WITH_BATCHES.as_str()) {
            return refuse(text!(language, "mcp-no-batches"));
        }
        if batch.is_empty() || batch.len() > BATCH_MAX {
            return refuse(&text!(language, "mcp-batch-size", most = %BATCH_MAX));
        }
        if batch.iter().any(|message| message["method"] == "initialize") {
            return refuse(text!(language, "mcp-batch-initialize"));
        }
        let mut answers = Vec::new();
        for message in batch {
            let id = id_of(&message);
            if let Err(told) = read(&parts.headers, &message, language) {
                answers.push(problem(&id, -32600, &told));
                continue;
            }
            let response = self.one(parts.clone(), Bytes::from(message.to_string()), &message).await;
            let Ok(body) = response.into_body().collect().await;
            let body = body.to_bytes();
            match serde_json::from_slice::<Value>(&body) {
                Ok(answer) => answers.push(answer),
                Err(_) if body.is_empty() => {}
                Err(_) => answers.push(problem(&id, -32600, &String::from_utf8_lossy(&body))),
            }
        }
        match answers.is_empty() {
            true => response(StatusCode::ACCEPTED, None),
            false => response(StatusCode::OK, Some(&answers.into())),
        }
    }
}

/// What to say of a method that is not answered, when the answer has nothing but its name.
fn method_not_found(answer: &[u8], method: &str, language: Language) -> Option<String> {
    if answer.len() > NOT_FOUND_MAX {
        return None;
    }
    let answer: Value = serde_json::from_slice(answer).ok()?;
    let error = answer.get("error")?;
    let says_no_more = error["code"] == -32601 && error["message"] == method;
    says_no_more.then(|| methods::not_found(method, language).message.into_owned())
}

/// Whether the body is said to be JSON.
fn is_json(headers: &HeaderMap) -> bool {
    let named = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    named.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json")
}

/// Whether a client takes the answer to a message, which is JSON here. A client that takes JSON, or everything, is served as one
/// that names both media types, as the protocol asks; one that takes nothing but a stream of events is not.
fn accept_both(headers: &mut HeaderMap) -> bool {
    let given = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let ranges: Vec<&str> = given.flat_map(|value| value.split(',')).collect();
    let takes_json = ranges.iter().any(|range| {
        let (media, parameters) = range.split_once(';').unwrap_or((range, ""));
        let never =
            parameters.split(';').any(|one| matches!(one.trim(), "q=0" | "q=0.0" | "q=0.00" | "q=0.000"));
        let media = media.trim().to_ascii_lowercase();
        !never && ["application/json", "application/*", "*/*"].contains(&media.as_str())
    });
    let is_served = ranges.is_empty() || takes_json;
    if is_served {
        headers.insert(header::ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
    }
    is_served
}

/// Whether a message is one of JSON-RPC 2.0 in a protocol version that is spoken here; what is wrong otherwise.
fn read(headers: &HeaderMap, message: &Value, language: Language) -> Result<(), String> {
    let Value::Object(fields) = message else {
        return Err(text!(language, "mcp-no-object").to_owned());
    };
    if message["jsonrpc"] != "2.0" {
        return Err(text!(language, "mcp-no-version").to_owned());
    }
    if fields.get("id").is_some_and(|id| !(id.is_string() || id.is_i64() || id.is_u64())) {
        return Err(text!(language, "mcp-bad-id").to_owned());
    }
    let is_answer = fields.contains_key("result") || fields.contains_key("error");
    if !message["method"].is_string() && !is_answer {
        return Err(text!(language, "mcp-no-method").to_owned());
    }
    let own_version = &message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"];
    let Some(version) = headers.get(VERSION).filter(|_| own_version.is_null()) else { return Ok(()) };
    let known = ProtocolVersion::KNOWN_VERSIONS;
    if message["method"] == "initialize"
        || known.iter().any(|known| known.as_str().as_bytes() == version.as_bytes())
    {
        return Ok(());
    }
    let known: Vec<&str> = known.iter().map(ProtocolVersion::as_str).collect();
    Err(text!(language, "mcp-other-version", known = known.as_slice()))
}

fn id_of(message: &Value) -> Value {
    Some(&message["id"])
        .filter(|id| id.is_string() || id.is_i64() || id.is_u64())
        .cloned()
        .unwrap_or_default()
}

fn problem(id: &Value, code: i32, told: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": told } })
}

fn refused(status: StatusCode, id: &Value, code: i32, told: &str) -> Response<BoxBody<Bytes, Infallible>> {
    response(status, Some(&problem(id, code, told)))
}

fn response(status: StatusCode, body: Option<&Value>) -> Response<BoxBody<Bytes, Infallible>> {
    let bytes = body.map_or_else(Bytes::new, |body| Bytes::from(body.to_string()));
    let mut response = Response::new(Full::new(bytes).boxed());
    *response.status_mut() = status;
    if body.is_some() {
        let json = HeaderValue::from_static("application/json");
        response.headers_mut().insert(header::CONTENT_TYPE, json);
    }
    response
}
