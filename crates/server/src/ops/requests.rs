//! Every request has an id, a line in the log and its place in the counters.

use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use tracing::Instrument;

use crate::app::App;
use crate::page::without_secrets;

/// The header by which a request is found again in the log.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Takes the id that a request brings, when it is a plain one, or makes one; answers with it.
pub(crate) async fn request_ids(mut request: Request, next: Next) -> Response {
    let given = request.headers().get(&REQUEST_ID).filter(|value| is_plain(value)).cloned();
    let id = given.unwrap_or_else(|| {
        let id = uuid::Uuid::now_v7().to_string();
        HeaderValue::from_str(&id).unwrap_or(HeaderValue::from_static("unknown"))
    });
    request.headers_mut().insert(REQUEST_ID, id.clone());
    let span = tracing::info_span!(
        "request",
        id = id.to_str().unwrap_or_default(),
        method = %request.method(),
        // Without the query: it may hold what belongs in no log.
        path = without_secrets(request.uri().path()),
    );
    let mut response = next.run(request).instrument(span).await;
    response.headers_mut().insert(REQUEST_ID, id);
    response
}

/// 1-64 characters that can stand in any log.
fn is_plain(value: &HeaderValue) -> bool {
    let bytes = value.as_bytes();
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.:".contains(byte);
    (1..=64).contains(&bytes.len()) && bytes.iter().all(plain)
}

/// Counts an answer and how long it took to begin.
pub(crate) async fn count(State(app): State<App>, request: Request, next: Next) -> Response {
    let began = Instant::now();
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let response = next.run(request).await;
    let (status, took) = (response.status(), began.elapsed());
    let found = !status.is_client_error() && !status.is_server_error();
    let route = route.as_deref().unwrap_or(if found { "page" } else { "none" });
    app.metrics().answered(method.as_str(), route, status.as_u16(), took);
    if status.is_server_error() {
        tracing::error!(%status, ?took, "answered");
    } else if route == "page" {
        // A page is many files, and nobody looks for them.
        tracing::debug!(%status, ?took, "answered");
    } else {
        tracing::info!(%status, ?took, "answered");
    }
    response
}
