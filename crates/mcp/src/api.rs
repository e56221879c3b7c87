//! The HTTP API as the tools call it.

use std::sync::{Arc, Mutex, PoisonError};

use futures::future::BoxFuture;
use futures::stream::BoxStream;
use http::Method;
use http::request::Parts;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use quorate_messages::{Language, text};
use serde_json::Value;

/// What stays as it is in a part of a path, or in the value of a query.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// A response of the API.
#[derive(Debug, Clone)]
pub struct ApiResponse {
    /// The HTTP status.
    pub status: u16,
    /// The body as it came.
    pub bytes: Vec<u8>,
    /// To be said when the contents have been handed to the client, where somebody wants to know.
    pub delivered: Option<Delivered>,
}

/// Tells somebody that the contents of a response have been handed to the client.
#[derive(Clone)]
pub struct Delivered(Arc<dyn Fn() + Send + Sync>);

impl Delivered {
    /// Tells it like this.
    pub fn new(tell: impl Fn() + Send + Sync + 'static) -> Self {
        Self(Arc::new(tell))
    }
}

impl std::fmt::Debug for Delivered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Delivered")
    }
}

/// What is to be said when the answer to a request has been handed to its client. It lies among the extensions of the request
/// that brought a tool call.
#[derive(Debug, Clone, Default)]
pub struct Deliveries(Arc<Mutex<Vec<Delivered>>>);

impl Deliveries {
    pub(crate) fn add(&self, delivered: Delivered) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(delivered);
    }

    /// Says of all contents that they have been handed to the client.
    pub fn delivered(&self) {
        let told = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        told.iter().for_each(|delivered| (delivered.0)());
    }
}

impl From<Delivered> for Deliveries {
    fn from(delivered: Delivered) -> Self {
        Self(Arc::new(Mutex::new(vec![delivered])))
    }
}

impl ApiResponse {
    /// Whether the request did what it was to do.
    pub(crate) fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// The body: JSON, or a string where it is another text.
    fn body(&self) -> Value {
        match serde_json::from_slice(&self.bytes) {
            Ok(value) => value,
            Err(_) => Value::String(String::from_utf8_lossy(&self.bytes).into_owned()),
        }
    }
}

/// The way to the HTTP API: the same permissions, limits, idempotency keys and audit log as for every other caller.
pub trait Api: Send + Sync + 'static {
    /// Sends a request. `caller` is the request that brought the tool call, when one did; its credentials are used.
    ///
    /// # Errors
    /// When no response came; the text says why, and what to do.
    fn send<'a>(
        &'a self,
        caller: Option<&'a Parts>,
        method: Method,
        path: String,
        body: Option<Value>,
    ) -> BoxFuture<'a, Result<ApiResponse, String>>;

    /// Opens a stream of events and gives its pieces as they come. It ends when the server, or the connection, ends it.
    ///
    /// # Errors
    /// When the server refuses, or does not answer.
    fn follow<'a>(
        &'a self,
        caller: Option<&'a Parts>,
        path: String,
    ) -> BoxFuture<'a, Result<BoxStream<'static, Vec<u8>>, ApiResponse>>;
}

/// A part of a path, or the value of a query, as it stands in a URL.
pub(crate) fn encoded(text: &str) -> String {
    utf8_percent_encode(text, PLAIN).to_string()
}

/// The body of a response; what went wrong in a sentence, and what to do about it.
pub(crate) fn checked(response: ApiResponse, language: Language) -> Result<Value, String> {
    let problem = response.body();
    if response.is_success() {
        return Ok(problem);
    }
    let text = |field: &str| problem[field].as_str().unwrap_or_default();
    let fields = problem["errors"].as_array().into_iter().flatten().map(|error| {
        let [pointer, detail] = ["pointer", "detail"].map(|part| error[part].as_str().unwrap_or_default());
        (pointer, detail)
    });
    let mut said: Vec<String> = match text("detail") {
        "" => vec![text!(language, "mcp-status", status = %response.status)],
        detail => vec![detail.to_owned()],
    };
    // What is wrong with a single field is often all that the problem says.
    let more = fields.filter(|(_, detail)| !said[0].contains(detail));
    said.extend(more.map(|(pointer, detail)| format!("{pointer}: {detail}")).collect::<Vec<_>>());
    said.extend(Some(text("hint").to_owned()).filter(|hint| !hint.is_empty()));
    if let Some(scope) = problem["required_role"].as_str() {
        said.push(text!(language, "mcp-needed-scope", scope));
    }
    if let Some(open) = problem["open_turns"].as_array().filter(|open| !open.is_empty()) {
        let tickets: Vec<&str> = open.iter().filter_map(Value::as_str).collect();
        said.push(text!(language, "mcp-open-turns", tickets = tickets.as_slice()));
    }
    Err(said.join("\n"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_problem_says_what_happened_and_what_to_do() {
        let body = json!({
            "detail": "this turn is over", "hint": "wait for the next one", "open_turns": ["turn_1"],
            "errors": [{ "pointer": "/text", "detail": "is empty" }],
        });
        let bytes = body.to_string().into_bytes();
        let told = checked(ApiResponse { status: 409, bytes, delivered: None }, Language::En)
            .expect_err("a problem");
        assert_eq!(told, "this turn is over\n/text: is empty\nwait for the next one\nOpen turns: turn_1");
        let body = json!({
            "detail": "state: there is no state `x`", "hint": "choose another",
            "errors": [{ "pointer": "/state", "detail": "there is no state `x`" }],
        });
        let bytes = body.to_string().into_bytes();
        let told = checked(ApiResponse { status: 422, bytes, delivered: None }, Language::En)
            .expect_err("a problem");
        assert_eq!(told, "state: there is no state `x`\nchoose another");
        let bare = checked(ApiResponse { status: 502, bytes: Vec::new(), delivered: None }, Language::En)
            .expect_err("a problem");
        assert_eq!(bare, "The server answered with status 502.");
    }

    #[test]
    fn nothing_that_a_model_writes_leaves_its_part_of_a_path() {
        assert_eq!(encoded("../a?b#c/林 %"), "..%2Fa%3Fb%23c%2F%E6%9E%97%20%25");
    }
}
