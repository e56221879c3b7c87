//! One request to the server and its response.

use quorate_contract::{Timestamp, Wording};
use quorate_messages::{message, text};
use reqwest::header::{HeaderName, HeaderValue};
use reqwest::{Method, StatusCode};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::Remote;
use crate::error::{CliError, ErrorKind};

/// The body of a request.
pub(crate) enum RequestBody {
    /// None.
    Empty,
    /// A value as JSON.
    Json(Value),
    /// Bytes as they are.
    Bytes(Vec<u8>),
}

impl Remote {
    /// Asks for something; `path` begins after `/api/v1`, its parts are encoded already.
    ///
    /// # Errors
    /// With the server's own words when it refuses; when it does not answer.
    pub(crate) async fn ask<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<T, CliError> {
        let mut request = self.request(method, path);
        if let Some(body) = body {
            request = request.json(body);
        }
        let response = self.send(request).await?;
        let bytes = response.bytes().await.map_err(|error| self.gone(&error))?;
        let bytes = if bytes.is_empty() { b"null".as_slice() } else { &bytes };
        serde_json::from_slice(bytes).map_err(|error| {
            CliError::new(
                message!("cli-request-unreadable", url = %self.url, %error),
                message!("cli-request-unreadable-hint"),
            )
        })
    }

    /// Sends a request as it was given; `path` begins after `/api/v1`.
    ///
    /// # Errors
    /// With the server's own words when it refuses; when it does not answer.
    pub(crate) async fn call(
        &self,
        method: Method,
        path: &str,
        headers: &[(HeaderName, HeaderValue)],
        body: RequestBody,
    ) -> Result<reqwest::Response, CliError> {
        let mut request = self.request(method, path);
        request = match body {
            RequestBody::Empty => request,
            RequestBody::Json(value) => request.json(&value),
            RequestBody::Bytes(bytes) => request.body(bytes),
        };
        for (name, value) in headers {
            request = request.header(name, value);
        }
        self.send(request).await
    }

    /// The error for an answer that ended in the middle.
    pub(crate) fn broken_off(&self, error: &reqwest::Error) -> CliError {
        self.gone(error)
    }

    /// Sends a request, and gives status and body whatever they are.
    ///
    /// # Errors
    /// When the server does not answer.
    pub(crate) async fn exchange(
        &self,
        method: Method,
        path: &str,
        headers: &[(HeaderName, HeaderValue)],
        body: Option<&Value>,
    ) -> Result<(u16, Vec<u8>), CliError> {
        let mut request = self.request(method, path);
        for (name, value) in headers {
            request = request.header(name, value);
        }
        if let Some(body) = body {
            request = request.json(body);
        }
        let response = request.send().await.map_err(|error| self.gone(&error))?;
        let status = response.status().as_u16();
        let bytes = response.bytes().await.map_err(|error| self.gone(&error))?;
        Ok((status, bytes.to_vec()))
    }

    /// Reads something, with the time of the server at that moment where it tells it.
    ///
    /// # Errors
    /// With the server's own words when it refuses; when it does not answer.
    pub(crate) async fn timed(&self, path: &str) -> Result<(Value, Option<Timestamp>), CliError> {
        let response = self.send(self.request(Method::GET, path)).await?;
        let date = response.headers().get(reqwest::header::DATE).and_then(|date| date.to_str().ok());
        let date = date.and_then(|date| jiff::fmt::rfc2822::parse(date).ok());
        // It tells whole seconds, so that half of one is the best guess.
        let at = date.map(|date| Timestamp(date.timestamp().as_millisecond() + 500));
        let bytes = response.bytes().await.map_err(|error| self.gone(&error))?;
        Ok((serde_json::from_slice(&bytes).unwrap_or_default(), at))
    }

    /// A request with who asks.
    pub(super) fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let language = self.speech.0.tag();
        let Self { client, url, token, .. } = self.refreshed();
        client
            .request(method, format!("{url}/api/v1{path}"))
            .bearer_auth(token)
            .header("accept-language", language)
    }

    /// Sends the request; any status but success is an error.
    pub(super) async fn send(&self, request: reqwest::RequestBuilder) -> Result<reqwest::Response, CliError> {
        let response = request.send().await.map_err(|error| self.gone(&error))?;
        let status = response.status();
        if status.is_success() {
            return Ok(response);
        }
        let problem: Value = response.json().await.unwrap_or_default();
        Err(refused(status, &problem))
    }

    /// The server does not answer.
    fn gone(&self, error: &reqwest::Error) -> CliError {
        let why = std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string);
        CliError::new(
            text!(self.speech, "cli-request-server-at-holds-database-does", url = %self.url, %why),
            text!(self.speech, "cli-request-see-whether-still-runs-once"),
        )
        .of(ErrorKind::Storage)
    }
}

/// A part of a path, encoded.
pub(crate) fn part(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20")
}

/// A problem (RFC 9457) as an error of this command.
fn refused(status: StatusCode, problem: &Value) -> CliError {
    let text = |field: &str| problem[field].as_str().unwrap_or_default().to_owned();
    let detail = match text("detail") {
        detail if detail.is_empty() => message!("cli-request-status", %status).into(),
        detail => Wording::from(detail),
    };
    let kind = match status {
        StatusCode::NOT_FOUND => ErrorKind::NotFound,
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => ErrorKind::Permission,
        StatusCode::CONFLICT => ErrorKind::MeetingState,
        _ if status.is_client_error() => ErrorKind::Validation,
        _ => ErrorKind::Storage,
    };
    // A usage error, as without a server: another name would have worked.
    let is_taken = problem["type"].as_str().is_some_and(|kind| kind.ends_with("#name-taken"));
    let is_usage = is_taken || matches!(status, StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY);
    let error = match is_usage {
        true => CliError::usage(detail, text("hint")),
        false => CliError::new(detail, text("hint")).of(kind),
    };
    // A program that answers turns tells these apart.
    let sort = problem["type"].as_str().and_then(|kind| kind.rsplit('#').next());
    let error = match sort.filter(|sort| matches!(*sort, "turn-is-over" | "cannot-skip")) {
        Some(sort) => error.with("problem", sort),
        None => error,
    };
    match problem["errors"][0]["pointer"].as_str() {
        Some(pointer) => error.with("field", pointer.trim_start_matches('/').replace('/', ".")),
        None => error,
    }
}
