//! The HTTP API as the operations call it.

use futures::future::BoxFuture;
use futures::stream::BoxStream;
use http::Method;
use http::request::Parts;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

use crate::error::{A2aError, ErrorKind};

/// What stays as it is in a part of a path, or in the value of a query.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// A request to the API.
#[derive(Debug, Clone)]
pub struct ApiCall {
    /// The method.
    pub method: Method,
    /// The path below `/api/v1`, with its query.
    pub path: String,
    /// The body.
    pub body: Option<Value>,
    /// The idempotency key.
    pub key: Option<String>,
}

impl ApiCall {
    pub(crate) fn get(path: impl Into<String>) -> Self {
        Self { method: Method::GET, path: path.into(), body: None, key: None }
    }

    pub(crate) fn post(path: impl Into<String>, body: Value, key: Option<String>) -> Self {
        Self { method: Method::POST, path: path.into(), body: Some(body), key }
    }
}

/// A response of the API.
#[derive(Debug, Clone)]
pub struct ApiResponse {
    /// The HTTP status.
    pub status: u16,
    /// The body as it came.
    pub bytes: Vec<u8>,
}

impl ApiResponse {
    /// The body, where the request did what it was to do; otherwise the error that the problem amounts to.
    pub(crate) fn checked(self) -> Result<Value, A2aError> {
        let body: Value = serde_json::from_slice(&self.bytes).unwrap_or_default();
        if (200..300).contains(&self.status) {
            return Ok(body);
        }
        let kind = match self.status {
            401 => ErrorKind::NotSignedIn,
            403 => ErrorKind::Forbidden,
            404 | 410 => ErrorKind::TaskNotFound,
            409 | 412 => ErrorKind::UnsupportedOperation,
            429 => ErrorKind::TooMany,
            400..500 => ErrorKind::InvalidParams,
            _ => ErrorKind::Internal,
        };
        Err(A2aError::new(kind, told(&body, self.status)))
    }
}

/// What a problem says happened, and what to do about it.
fn told(problem: &Value, status: u16) -> String {
    let text = |value: &Value, field: &str| value[field].as_str().unwrap_or_default().to_owned();
    let mut said = vec![text(problem, "detail")];
    if said[0].is_empty() {
        said[0] = format!("HTTP {status}");
    }
    for error in problem["errors"].as_array().into_iter().flatten() {
        let detail = text(error, "detail");
        if !said[0].contains(&detail) {
            said.push(format!("{}: {detail}", text(error, "pointer")));
        }
    }
    said.push(text(problem, "hint"));
    said.retain(|line| !line.is_empty());
    said.join("\n")
}

/// The way to the HTTP API: the same permissions, limits, idempotency keys and audit log as for every other caller.
pub trait Api: Send + Sync + 'static {
    /// Sends a request with the credentials of `caller`, the request that brought the operation.
    fn send<'a>(&'a self, caller: &'a Parts, call: ApiCall) -> BoxFuture<'a, ApiResponse>;

    /// Opens a stream of events and gives its pieces as they come. It ends when the server, or the connection, ends it.
    ///
    /// # Errors
    /// When the server refuses, or does not answer.
    fn follow<'a>(
        &'a self,
        caller: &'a Parts,
        path: String,
    ) -> BoxFuture<'a, Result<BoxStream<'static, Vec<u8>>, ApiResponse>>;
}

/// A part of a path, or the value of a query, as it stands in a URL.
pub(crate) fn encoded(text: &str) -> String {
    utf8_percent_encode(text, PLAIN).to_string()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_problem_becomes_the_error_of_the_protocol_with_its_remedy() {
        let of = |status, body: Value| {
            let told =
                ApiResponse { status, bytes: body.to_string().into_bytes() }.checked().expect_err("refused");
            (told.kind, told.message)
        };
        let body = json!({ "detail": "no such meeting", "hint": "list them", "errors": [{ "pointer": "/a", "detail": "odd" }] });
        assert_eq!(
            of(404, body),
            (ErrorKind::TaskNotFound, "no such meeting\n/a: odd\nlist them".to_owned())
        );
        assert_eq!(of(401, json!({})), (ErrorKind::NotSignedIn, "HTTP 401".to_owned()));
        assert_eq!(of(422, json!({ "detail": "x" })).0, ErrorKind::InvalidParams);
        assert_eq!(of(503, json!({ "detail": "x" })).0, ErrorKind::Internal);
    }
}
