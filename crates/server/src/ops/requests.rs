//! Every request has an id, a line in the log and its place in the counters.

use std::borrow::Cow;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::Response;
use tracing::Instrument;

use crate::state::ServerState;

/// The header by which a request is found again in the log.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Takes the id of a request, when it is a plain one, or makes one; adds it to the response.
pub(crate) async fn request_ids(mut request: Request, next: Next) -> Response {
    let given = request.headers().get(&REQUEST_ID).filter(|value| is_plain(value)).cloned();
    let id = given.unwrap_or_else(|| {
        let id = uuid::Uuid::now_v7().to_string();
        HeaderValue::from_str(&id).unwrap_or(HeaderValue::from_static("unknown"))
    });
    request.headers_mut().insert(REQUEST_ID, id.clone());
    // Without the query: it may hold what belongs in no log.
    let path = cut(request.uri().path());
    let span = tracing::info_span!(
        "request",
        id = id.to_str().unwrap_or_default(),
        method = method_label(request.method()),
        path = without_secrets(&path),
    );
    let mut response = next.run(request).instrument(span).await;
    response.headers_mut().insert(REQUEST_ID, id);
    response
}

/// A path of requests, fit for the log: who has the code of an invitation may come in by it, and who has that of a result may
/// read it.
pub(crate) fn without_secrets(path: &str) -> &str {
    match path {
        path if path.starts_with("/join/") => "/join/…",
        path if path.starts_with("/shared/") => "/shared/…",
        path if path.starts_with("/api/v1/shared/") => "/api/v1/shared/…",
        path => path,
    }
}

/// The number of bytes of a path that a log line shows. No path of ours is longer.
const PATH_SHOWN: usize = 200;

/// The name of a method from a fixed set: clients can invent methods, and each would be counted separately.
pub(crate) fn method_label(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PUT" => "PUT",
        "PATCH" => "PATCH",
        "DELETE" => "DELETE",
        "OPTIONS" => "OPTIONS",
        _ => "other",
    }
}

/// A path for a log line: printable characters, and no more than the limit.
fn cut(path: &str) -> Cow<'_, str> {
    let plain = path.bytes().all(|byte| byte.is_ascii_graphic());
    if plain && path.len() <= PATH_SHOWN {
        return Cow::Borrowed(path);
    }
    let mut shown = String::new();
    for letter in path.chars().flat_map(char::escape_default) {
        if shown.len() >= PATH_SHOWN {
            shown.push('…');
            break;
        }
        shown.push(letter);
    }
    Cow::Owned(shown)
}

/// 1-64 characters that can stand in any log.
fn is_plain(value: &HeaderValue) -> bool {
    let bytes = value.as_bytes();
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.:".contains(byte);
    (1..=64).contains(&bytes.len()) && bytes.iter().all(plain)
}

/// Counts an answer and how long it took to begin.
pub(crate) async fn count(State(server): State<ServerState>, request: Request, next: Next) -> Response {
    let began = Instant::now();
    let method = method_label(request.method());
    let route = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let response = next.run(request).await;
    let (status, took) = (response.status(), began.elapsed());
    let found = !status.is_client_error() && !status.is_server_error();
    let route = route.as_deref().unwrap_or(if found { "page" } else { "none" });
    server.metrics().answered(method, route, status.as_u16(), took);
    if status.is_server_error() {
        tracing::error!(%status, ?took, "answered");
    } else if route == "page" {
        // A page consists of many files whose requests are of no interest.
        tracing::debug!(%status, ?took, "answered");
    } else {
        tracing::info!(%status, ?took, "answered");
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_are_counted_by_names_of_a_fixed_set() {
        assert_eq!(method_label(&Method::PATCH), "PATCH");
        for made_up in ["BREW", "get", "TRACE", "CONNECT", "PROPFIND"] {
            let method = Method::from_bytes(made_up.as_bytes()).expect("a method");
            assert_eq!(method_label(&method), "other", "{made_up}");
        }
    }

    #[test]
    fn a_line_of_the_log_shows_only_the_beginning_of_a_long_path() {
        assert_eq!(cut("/api/v1/me"), "/api/v1/me");
        let long = cut(&"/x".repeat(50_000)).into_owned();
        assert!(long.len() <= PATH_SHOWN + '…'.len_utf8() && long.ends_with('…'), "{long}");
        assert_eq!(cut("/a\u{202e}b"), "/a\\u{202e}b", "no mark turns the line around");
    }
}
